internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// How bright the pixels of a picture are by their largest components.
struct HighlightCounts: Sendable {
  /// Headroom of the first display that shows all there is: that of the content, or that of its
  /// brightest pixel.
  let reach: Headroom
  private let thresholds: [Float]
  private let counts: [Int]
  private let pixelCount: Int

  /// What is brighter says that it is bright, not how bright, and is shown at the content's peak.
  private static let largest = Float(Float16.greatestFiniteMagnitude)
  /// What is above a headroom by less is rounding.
  private static let slack = 1.001

  /// Counts the pixels above some headrooms.
  ///
  /// - Parameters:
  ///   - light: RGB or gray, 1.0 for reference white.
  ///   - content: Headroom of the picture.
  ///   - headrooms: Those that shares will be asked for.
  init(_ light: ImagePlanes, content: Headroom, above headrooms: [Headroom]) {
    guard case .float(let planes) = light.planes else { preconditionFailure("light has no codes") }
    let isRGB = light.layout.components == .rgb
    let (red, green, blue) = (planes[0], planes[isRGB ? 1 : 0], planes[isRGB ? 2 : 0])
    let limits = headrooms.map { Float($0.ratio * Self.slack) }
    var counts = [Int](repeating: 0, count: limits.count)
    var (brightest, unlimited) = (Float(0), 0)
    let lowest = limits.min() ?? .infinity
    for y in 0..<red.height {
      let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
      for x in 0..<red.width {
        let light = max(r[x], g[x], b[x])
        guard light <= Self.largest else {
          unlimited += 1
          continue
        }
        brightest = max(brightest, light)
        guard light > lowest else { continue }
        for index in limits.indices where light > limits[index] { counts[index] += 1 }
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
    pixelCount = light.layout.width * light.layout.height
  }

  /// Pixels with light above one of the headrooms, by more than rounding.
  func count(above headroom: Headroom) -> Int {
    guard let index = thresholds.firstIndex(of: Float(headroom.ratio)) else {
      preconditionFailure("pixels above \(headroom.ratio) were not counted")
    }
    return counts[index]
  }

  /// Their share of the image.
  func percentage(above headroom: Headroom) -> Double {
    100 * Double(count(above: headroom)) / Double(max(pixelCount, 1))
  }

  /// The same for people: `0.25 %`; 0 is none at all.
  func share(above headroom: Headroom) -> String {
    let percent = percentage(above: headroom)
    return percent > 0 && percent < 0.01 ? "<0.01 %" : "\(percent.digits) %"
  }

  /// Whether a display shows all there is.
  func fits(_ headroom: Headroom) -> Bool { reach.ratio <= headroom.ratio * Self.slack }
}
