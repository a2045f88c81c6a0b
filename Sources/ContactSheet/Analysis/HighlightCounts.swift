// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Counts of pixels above headrooms, by their largest components.
struct HighlightCounts: Sendable {
  /// Least headroom of a display that shows the whole range: that of the content or of the
  /// brightest pixel.
  let reach: Headroom
  private let thresholds: [Float]
  private let counts: [Int]
  private let pixelCount: Int

  /// Larger values count as infinite, and are shown at the peak of the content.
  private static let largest = Float(Float16.greatestFiniteMagnitude)
  /// Tolerance of a headroom for rounding.
  private static let slack = 1.001

  /// Counts the pixels above headrooms.
  ///
  /// - Parameters:
  ///   - values: Linear RGB or gray, 1.0 for reference white.
  ///   - content: Headroom of the image.
  ///   - headrooms: Headrooms for which counts are needed.
  init(_ values: ImagePlanes, content: Headroom, above headrooms: [Headroom]) {
    guard case .float(let planes) = values.planes else {
      preconditionFailure("linear values are floating point")
    }
    let isRGB = values.layout.components == .rgb
    let (red, green, blue) = (planes[0], planes[isRGB ? 1 : 0], planes[isRGB ? 2 : 0])
    let limits = headrooms.map { Float($0.ratio * Self.slack) }
    var counts = [Int](repeating: 0, count: limits.count)
    var (brightest, unlimited) = (Float(0), 0)
    let lowest = limits.min() ?? .infinity
    for y in 0..<red.height {
      let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
      for x in 0..<red.width {
        let value = max(r[x], g[x], b[x])
        guard value <= Self.largest else {
          unlimited += 1
          continue
        }
        brightest = max(brightest, value)
        guard value > lowest else { continue }
        for index in limits.indices where value > limits[index] { counts[index] += 1 }
      }
    }
    let reach =
      Double(brightest) > content.ratio * Self.slack
      ? Headroom(ratio: Double(brightest)) : content
    self.reach = reach
    thresholds = headrooms.map { Float($0.ratio) }
    self.counts = zip(limits, counts).map { limit, count in
      Double(limit) < reach.ratio ? count + unlimited : count
    }
    pixelCount = values.layout.width * values.layout.height
  }

  /// Number of pixels above one of the headrooms.
  func count(above headroom: Headroom) -> Int {
    guard let index = thresholds.firstIndex(of: Float(headroom.ratio)) else {
      preconditionFailure("pixels above \(headroom.ratio) were not counted")
    }
    return counts[index]
  }

  /// Percentage of pixels above one of the headrooms.
  func percentage(above headroom: Headroom) -> Double {
    100 * Double(count(above: headroom)) / Double(max(pixelCount, 1))
  }

  /// The percentage for people: `0.25 %`; 0 only if there are none.
  func share(above headroom: Headroom) -> String {
    let percent = percentage(above: headroom)
    return percent > 0 && percent < 0.01 ? "<0.01 %" : "\(percent.digits) %"
  }

  /// Whether a display shows the whole range.
  func fits(_ headroom: Headroom) -> Bool { reach.ratio <= headroom.ratio * Self.slack }
}
