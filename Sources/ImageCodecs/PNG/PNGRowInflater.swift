// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CShims
internal import HDRCore
internal import ImageFiles
internal import PixelKernels

/// The rows of a PNG file that is not interlaced and has samples of 8 or 16 bits, inflated and
/// without filters.
///
/// ISA-L takes half of the time of zlib and libpng. Reading fails for an invalid stream, a wrong
/// checksum and further data, which libpng then tolerates or reports.
@safe final class PNGRowInflater {
  private let handle: OpaquePointer
  private let input: PNGDataReader
  private let rowSize: Int
  /// Size of a pixel, in bytes.
  private let step: Int
  private var above: [UInt8]
  /// The error that ended reading; `nil` for none.
  var failure: ImageError? { input.failure }

  /// Starts with the first row; `nil` without memory.
  init?(_ file: SplicedBytes, rowSize: Int, step: Int) {
    input = PNGDataReader(file)
    (self.rowSize, self.step) = (rowSize, step)
    above = [UInt8](repeating: 0, count: rowSize)
    // SAFETY: the handle uses `input` until `deinit` frees it; this object retains `input` that
    // long.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe inflate_create(context, readData, rowSize + 1) else { return nil }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe inflate_free(handle)
  }

  /// Reads the next row, which has `rowSize` bytes; returns whether the data were valid.
  func readRow(into row: inout [UInt8]) -> Bool {
    precondition(row.count == rowSize && rowSize > 0 && rowSize.isMultiple(of: step))
    // SAFETY: the bytes are valid until the next call.
    guard let bytes = unsafe inflate_next(handle, rowSize + 1) else { return false }
    // SAFETY: there are `rowSize` bytes after the filter type, and in both rows, which do not
    // overlap.
    let filtered = unsafe bytes + 1
    switch unsafe bytes[0] {
    case 0:
      unsafe row.withUnsafeMutableBufferPointer { row in
        _ = unsafe row.update(
          fromContentsOf: UnsafeBufferPointer(start: filtered, count: rowSize))
      }
    case 1: unsafe pk_png_restore_sub(filtered, above, &row, rowSize, step)
    case 2: unsafe pk_png_restore_up(filtered, above, &row, rowSize, step)
    case 3: unsafe pk_png_restore_average(filtered, above, &row, rowSize, step)
    case 4: unsafe pk_png_restore_paeth(filtered, above, &row, rowSize, step)
    default: return false
    }
    above.assign(bytesOf: row)
    return true
  }

  /// Whether the data end after the rows that were read, and have the right checksum.
  func finish() -> Bool {
    // SAFETY: `handle` is not shared.
    unsafe inflate_finish(handle) == 1
  }
}

extension [UInt8] {
  /// Assigns another row of equal length without allocating memory.
  fileprivate mutating func assign(bytesOf other: [UInt8]) {
    unsafe other.withUnsafeBufferPointer { other in
      unsafe withUnsafeMutableBufferPointer { row in
        // SAFETY: `update` checks that there is room.
        _ = unsafe row.update(fromContentsOf: other)
      }
    }
  }
}

private func readData(
  context: UnsafeMutableRawPointer, target: UnsafeMutablePointer<UInt8>, capacity: Int
) -> Int {
  // SAFETY: `context` is the `PNGDataReader`, which outlives the handle; `target` has `capacity`
  // bytes, and at most that many are read.
  let input = unsafe Unmanaged<PNGDataReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.read(atMost: capacity) else { return -1 }
  return unsafe bytes.withUnsafeBufferPointer { source in
    guard let start = source.baseAddress else { return 0 }
    unsafe target.update(from: start, count: source.count)
    return source.count
  }
}
#endif
