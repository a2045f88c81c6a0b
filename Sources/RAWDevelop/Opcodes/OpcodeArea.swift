// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// The photosites to which an opcode applies.
///
/// Source: DNG 1.7.1, chapter 7, "Area specification".
struct OpcodeArea: Hashable, Sendable {
  let top: Int
  let left: Int
  let bottom: Int
  let right: Int
  let planes: Range<Int>
  let rowPitch: Int
  let columnPitch: Int

  init(parsing reader: inout ByteReader) throws(ImageError) {
    top = try reader.readInteger()
    left = try reader.readInteger()
    bottom = try reader.readInteger()
    right = try reader.readInteger()
    let (plane, count) = (try reader.readInteger(), try reader.readInteger())
    rowPitch = try reader.readInteger()
    columnPitch = try reader.readInteger()
    guard top <= bottom, left <= right, count > 0, rowPitch > 0, columnPitch > 0 else {
      throw reader.error(
        .invalidValue,
        [
          "field": "area",
          "value": "\(top)...\(bottom) by \(left)...\(right), every \(rowPitch) by \(columnPitch)",
        ])
    }
    planes = plane..<plane + count
  }

  var rowCount: Int { (bottom - top + rowPitch - 1) / rowPitch }
  var columnCount: Int { (right - left + columnPitch - 1) / columnPitch }

  /// Number of samples, which may be outside of the image.
  var sampleCount: Double { Double(rowCount) * Double(columnCount) * Double(planes.count) }

  /// Index of a row in the area; `nil` for other rows.
  func index(ofRow y: Int) -> Int? {
    y >= top && y < bottom && (y - top) % rowPitch == 0 ? (y - top) / rowPitch : nil
  }

  /// The columns of the area in a range.
  func columns(in range: Range<Int>) -> StrideTo<Int> {
    let first = max(range.lowerBound, left)
    let skipped = (first - left) % columnPitch
    let start = skipped == 0 ? first : first + columnPitch - skipped
    return stride(from: start, to: max(min(range.upperBound, right), start), by: columnPitch)
  }
}

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
