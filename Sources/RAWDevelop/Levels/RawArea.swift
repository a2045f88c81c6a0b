// SPDX-License-Identifier: Apache-2.0
/// A rectangle of photosites.
struct RawArea: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }

  /// The rows and columns of an image with a fraction of the size that this area touches.
  func divided(by divisor: Int) -> RawArea {
    let (left, top) = (x / divisor, y / divisor)
    return RawArea(
      x: left, y: top, width: (x + width + divisor - 1) / divisor - left,
      height: (y + height + divisor - 1) / divisor - top)
  }
}
