// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DevelopmentParameters {
  /// The white point that makes an object gray.
  ///
  /// - Parameters:
  ///   - location: Position of the object in the upright developed image, in pixels.
  ///   - samples: Stored samples.
  ///   - development: Size and corrections.
  /// - Returns: The chromaticity; `nil` for gray images.
  /// - Throws: `.invalidArgument` for a position outside the image, or one that is black or saturated.
  func neutral(
    at location: SIMD2<Int>, _ samples: RawSamples, _ development: RawDevelopment
  ) throws(ImageError) -> Chromaticity? {
    guard asShot != nil, let profile = profiles.all[0].camera else { return nil }
    let grid = grid(development)
    let upright = orientation.swapsSides ? (grid.height, grid.width) : (grid.width, grid.height)
    guard 0..<upright.0 ~= location.x, 0..<upright.1 ~= location.y else {
      throw ImageError(
        .invalidArgument, "the neutral location {x}, {y} is outside the image of {size}",
        ["x": location.x, "y": location.y, "size": .size(upright.0, upright.1)])
    }
    let stored = orientation.storedPosition(
      x: location.x, y: location.y, width: grid.width, height: grid.height)
    var plain = RawDevelopment.sceneLinear
    (plain.highlights, plain.scaleFactor) = (.keep, development.scaleFactor)
    plain.isDraftModeEnabled = development.isDraftModeEnabled
    plain.isLensCorrectionEnabled = development.isLensCorrectionEnabled
    let camera = try camera(samples, plain, gains: SIMD3(1, 1, 1))
    func around(_ place: Int, _ count: Int) -> Range<Int> {
      max(place - Self.neutralReach, 0)..<min(place + Self.neutralReach + 1, count)
    }
    let (columns, rows) = (around(stored.x, grid.width), around(stored.y, grid.height))
    let (x, y) = (grid.area.x, grid.area.y)
    var sum = SIMD3<Double>(0, 0, 0)
    var isSaturated = false
    camera.make(
      rows: rows.lowerBound + y..<rows.upperBound + y,
      columns: columns.lowerBound + x..<columns.upperBound + x
    ) { _, row in
      for index in row.red.indices {
        let color = SIMD3(row.red[index], row.green[index], row.blue[index])
        isSaturated = isSaturated || color.max() >= 0.99
        sum += SIMD3<Double>(color)
      }
    }
    guard !isSaturated, sum.min() > 0 else {
      throw ImageError(
        .unsuitable,
        "the image around {x}, {y} is black or saturated, so that its color is unknown",
        ["x": location.x, "y": location.y])
    }
    return CameraWhite(neutral: sum / sum.max(), profile).chromaticity
  }

  /// Pixels on each side that are averaged.
  private static let neutralReach = 4
}
