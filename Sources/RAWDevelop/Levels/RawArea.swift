// SPDX-License-Identifier: Apache-2.0
/// A rectangle of photosites.
struct RawArea: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }
}
