// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Exhaustive search for an image in another one, at low resolution.
struct CoarseSearch {
  /// A possible position.
  struct Candidate {
    let mapping: PixelMapping
    let orientation: Orientation
    /// Correlation in units of its standard deviation for unrelated images.
    let significance: Double
  }

  /// Longest side of the searched image.
  private static let longestSide = 40
  private static let radius = 3
  /// Ratio of successive scales.
  private static let step = 1.035
  /// Size of the companion as a share of the searched image, which it may exceed.
  private static let coverage = 0.4...1.12
  /// Part of the companion that may lie outside, on each side.
  private static let margin = 0.1

  let searched: LumaPlane
  /// Size of the searched image at full resolution.
  let size: (width: Int, height: Int)

  /// Prepares the search in an image.
  ///
  /// - Throws: `.cancelled`.
  init(_ image: LumaPlane, size: (width: Int, height: Int)) throws(ImageError) {
    self.size = size
    let small = LumaPlane.size(image.width, image.height, longestSide: Self.longestSide)
    searched = try image.reduced(toWidth: small.width, height: small.height)
      .normalized(radius: Self.radius)
  }

  /// Returns the best position of a companion for each scale.
  ///
  /// - Parameters:
  ///   - companion: Luma of the companion as stored.
  ///   - stored: Its size at full resolution.
  ///   - orientation: Relation of its rows and columns to those of the searched image.
  /// - Returns: The positions, the most significant one first.
  /// - Throws: `.cancelled`.
  func candidates(
    for companion: LumaPlane, size stored: (width: Int, height: Int), orientation: Orientation
  ) throws(ImageError) -> [Candidate] {
    let small = LumaPlane.size(companion.width, companion.height, longestSide: 160)
    let rotated = try companion.reduced(toWidth: small.width, height: small.height)
      .upright(from: orientation)
    let upright =
      orientation.swapsSides ? (stored.height, stored.width) : (stored.width, stored.height)
    let fit = min(Double(size.width) / Double(upright.0), Double(size.height) / Double(upright.1))
    var coverages: [Double] = []
    var coverage = Self.coverage.upperBound
    while coverage >= Self.coverage.lowerBound {
      coverages.append(coverage)
      coverage /= Self.step
    }
    let perPixel = Double(searched.width) / Double(size.width)
    let scales = coverages
    let found = try concurrentMap(scales.count) { (index) throws(ImageError) -> Candidate? in
      let scale = scales[index] * fit * perPixel
      let width = Int(clamping: (Double(upright.0) * scale).rounded())
      let height = Int(clamping: (Double(upright.1) * scale).rounded())
      guard width >= 8, height >= 8, width <= rotated.width, height <= rotated.height else {
        return nil
      }
      let template = try rotated.reduced(toWidth: width, height: height)
        .normalized(radius: Self.radius)
      return best(template, upright, stored, orientation)
    }
    return found.compactMap { $0 }.sorted { $0.significance > $1.significance }
  }

  private func best(
    _ template: LumaPlane, _ upright: (Int, Int), _ stored: (width: Int, height: Int),
    _ orientation: Orientation
  ) -> Candidate? {
    let slack = (
      Int(clamping: (Double(template.width) * Self.margin).rounded(.up)),
      Int(clamping: (Double(template.height) * Self.margin).rounded(.up))
    )
    let across = min(0, searched.width - template.width) - slack.0
    let down = min(0, searched.height - template.height) - slack.1
    var best = (significance: -Double.infinity, x: 0, y: 0)
    for y in down...max(0, searched.height - template.height) + slack.1 {
      for x in across...max(0, searched.width - template.width) + slack.0 {
        let value = significance(of: template, x, y)
        if value > best.significance { best = (value, x, y) }
      }
    }
    guard best.significance > 0 else { return nil }
    let perPixel = SIMD2(
      Double(size.width) / Double(searched.width), Double(size.height) / Double(searched.height))
    let extent = SIMD2(Double(template.width), Double(template.height)) * perPixel
    let scale = extent / SIMD2(Double(upright.0), Double(upright.1))
    let axes = orientation.axes
    let mapping = PixelMapping(
      column: axes.column * scale, row: axes.row * scale,
      origin: SIMD2(Double(best.x), Double(best.y)) * perPixel + axes.origin * extent, onto: size)
    return Candidate(mapping: mapping, orientation: orientation, significance: best.significance)
  }

  /// Correlation of a template at a position, times the square root of the number of samples.
  private func significance(of template: LumaPlane, _ x: Int, _ y: Int) -> Double {
    let columns = max(0, -x)..<min(template.width, searched.width - x)
    let rows = max(0, -y)..<min(template.height, searched.height - y)
    guard !columns.isEmpty, !rows.isEmpty,
      10 * columns.count * rows.count >= 7 * template.width * template.height
    else { return -.infinity }
    var (product, first, second): (Float, Float, Float) = (0, 0, 0)
    for row in rows {
      let own = template.samples[row * template.width..<(row + 1) * template.width]
      let start = (row + y) * searched.width + x
      for column in columns {
        let (a, b) = (own[row * template.width + column], searched.samples[start + column])
        product += a * b
        first += a * a
        second += b * b
      }
    }
    let norm = Double(first * second).squareRoot()
    guard norm > 0 else { return -.infinity }
    let correlation = min(max(Double(product) / norm, -0.999), 0.999)
    return atanh(correlation) * Double(columns.count * rows.count).squareRoot()
  }
}
