// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CLibDeflate
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
        _ = unsafe row.update(fromContentsOf: UnsafeBufferPointer(start: filtered, count: rowSize))
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

/// The contents of the consecutive data chunks of a PNG file: a zlib stream.
final class PNGDataReader {
  private let input: PieceReader
  /// Number of bytes of the current chunk that are still to be read.
  private var left = 0
  /// Checksum of the bytes of the current chunk so far; `nil` before the first chunk.
  private var checksum: UInt32?
  private var isEnded = false

  /// The error that ended reading; `nil` for none.
  var failure: ImageError? { input.failure }

  /// Starts at the first data chunk of a file, if there is one.
  init(_ file: SplicedBytes) {
    input = PieceReader(file)
    guard input.read(PNGFile.signature.count) != nil else { return }
    while let header = nextHeader(), header.type != .imageData {
      var count = header.count + Self.checksumSize
      while count > 0, let skipped = input.read(atMost: count), !skipped.isEmpty {
        count -= skipped.count
      }
    }
  }

  /// Returns the next bytes, at most `count`: none at the end, `nil` if a chunk is truncated or has
  /// a wrong checksum.
  func read(atMost count: Int) -> ArraySlice<UInt8>? {
    while left == 0, !isEnded {
      guard endsChunk() else { return nil }
      guard let header = nextHeader() else { return nil }
      isEnded = header.type != .imageData
    }
    guard !isEnded else { return [] }
    guard let bytes = input.read(atMost: min(count, left)), !bytes.isEmpty else { return nil }
    left -= bytes.count
    addToChecksum(bytes)
    return bytes
  }

  private static let checksumSize = 4

  /// Reads type and size of a chunk; for data, its contents are next.
  private func nextHeader() -> (type: PNGChunk.ChunkType, count: Int)? {
    guard let bytes = input.read(8) else { return nil }
    let type = PNGChunk.ChunkType(rawValue: UInt32(truncatingIfNeeded: bytes[4...].bigEndian))
    let count = bytes[..<4].bigEndian
    guard type == .imageData else { return (type, count) }
    (left, checksum) = (count, 0)
    addToChecksum(bytes[4...])
    return (type, count)
  }

  /// Whether the checksum after the current chunk is right.
  private func endsChunk() -> Bool {
    guard let checksum, let stored = input.read(Self.checksumSize) else { return false }
    return stored[...].bigEndian == Int(checksum)
  }

  private func addToChecksum(_ bytes: ArraySlice<UInt8>) {
    // SAFETY: libdeflate reads all bytes of the buffer.
    checksum = unsafe bytes.withUnsafeBytes {
      unsafe libdeflate_crc32(checksum ?? 0, $0.baseAddress, $0.count)
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}
#endif
