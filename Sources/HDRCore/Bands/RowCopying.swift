// SPDX-License-Identifier: Apache-2.0
// Copies of rows from and to planes.

internal import PixelKernels

extension [UInt8] {
  /// Writes a row of an 8-bit plane as bytes, starting at `offset`.
  ///
  /// - Precondition: The row fits.
  package mutating func write(_ plane: Plane<UInt16>, row y: Int, at offset: Int) {
    let codes = plane.row(y)
    precondition(offset >= 0 && codes.count <= count - offset)
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let start = bytes.baseAddress, let from = codes.baseAddress else { return }
        // SAFETY: both rows are `codes.count` long from there.
        unsafe pk_codes_to_bytes(from, start + offset, codes.count)
      }
    }
  }
}

extension Array where Element: BitwiseCopyable & Sendable {
  /// Assigns a row of a plane.
  package mutating func assign(_ plane: Plane<Element>, row y: Int) {
    let source = plane.row(y)
    // SAFETY: the row is read before the closure returns.
    unsafe source.withUnsafeBufferPointer { unsafe assign($0) }
  }

  /// Assigns another row without reallocating memory.
  mutating func assign(_ other: [Element]) {
    // SAFETY: the row is read before the closure returns.
    unsafe other.withUnsafeBufferPointer { unsafe assign($0) }
  }

  private mutating func assign(_ samples: UnsafeBufferPointer<Element>) {
    precondition(samples.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe _ = row.update(fromContentsOf: samples)
    }
  }

  /// Writes this row into another of the same length.
  package func copy(into row: inout MutableSpan<Element>) {
    precondition(row.count == count)
    unsafe row.withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe withUnsafeBufferPointer { unsafe _ = row.update(fromContentsOf: $0) }
    }
  }
}
