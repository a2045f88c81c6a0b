// SPDX-License-Identifier: Apache-2.0

/// The last rows of a sequence: row `y` takes the place of row `y - count`.
///
/// Steps of a demosaic need few rows around the one that they make, which stay in the cache of a core.
@unsafe struct RowRing {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private let mask: Int

  fileprivate init(_ start: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
    unsafe self.start = unsafe start
    unsafe self.stride = stride
    unsafe mask = count - 1
  }

  /// The samples of row `y`.
  subscript(y: Int) -> UnsafeMutablePointer<Float> { unsafe start + (y & mask) * stride }
}

/// Memory of the rings of a tile; the samples are 0 at first.
// SAFETY: the memory is freed with its only owner, a tile.
@safe final class RowMemory {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private var rest: Int

  /// - Parameters:
  ///   - width: Samples of a row.
  ///   - rows: Number of rows of all rings.
  init(width: Int, rows: Int) {
    stride = (width + 15) / 16 * 16
    rest = rows
    unsafe start = .allocate(capacity: stride * rows)
    unsafe start.initialize(repeating: 0, count: stride * rows)
  }

  deinit { unsafe start.deallocate() }

  /// Takes rows that no other ring has.
  ///
  /// - Parameter count: Number of rows, a power of two.
  /// - Returns: A ring of these rows.
  func ring(_ count: Int) -> RowRing {
    precondition(count.nonzeroBitCount == 1 && count <= rest)
    rest -= count
    return unsafe RowRing(start + rest * stride, stride: stride, count: count)
  }
}
