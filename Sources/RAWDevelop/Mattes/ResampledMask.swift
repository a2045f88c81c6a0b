// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A semantic mask at the pixels of a developed image.
///
/// Samples are interpolated linearly; the outermost are repeated.
struct ResampledMask: Sendable {
  private let mask: Plane<UInt16>
  private let grid: DevelopedGrid

  /// - Parameters:
  ///   - mask: Mask over the active area; 65535 is full coverage.
  ///   - grid: Positions of pixels in the active area.
  init(_ mask: Plane<UInt16>, grid: DevelopedGrid) {
    self.mask = mask
    self.grid = grid
  }

  /// Coverage of pixels, 0...1.
  ///
  /// - Parameters:
  ///   - y: A row of the grid.
  ///   - columns: Columns of the grid.
  /// - Returns: Coverage of each column.
  func coverage(row y: Int, columns: Range<Int>) -> [Float] {
    let down = Self.taps(
      grid.center(row: y) + Double(grid.trim.y), of: grid.maskedHeight, mask.height)
    let (upper, lower) = (mask.row(down.first), mask.row(down.second))
    var shares: [Float] = []
    shares.reserveCapacity(columns.count)
    for x in columns {
      let across = Self.taps(
        grid.center(column: x) + Double(grid.trim.x), of: grid.maskedWidth, mask.width)
      let above = Self.mix(Float(upper[across.first]), Float(upper[across.second]), across.share)
      let below = Self.mix(Float(lower[across.first]), Float(lower[across.second]), across.share)
      shares.append(Self.mix(above, below, down.share) / 65_535)
    }
    return shares
  }

  private static func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

  /// The samples around the center of a pixel, and the weight of the second.
  private static func taps(
    _ center: Double, of pixels: Int, _ samples: Int
  ) -> (first: Int, second: Int, share: Float) {
    let place = center * Double(samples) / Double(pixels) - 0.5
    let first = min(max(Int(clamping: place.rounded(.down)), 0), samples - 1)
    let share = min(max(place - Double(first), 0), 1)
    return (first, min(first + 1, samples - 1), Float(share))
  }
}
