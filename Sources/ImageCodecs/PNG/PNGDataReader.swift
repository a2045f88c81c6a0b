// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CLibDeflate
internal import HDRCore
internal import ImageFiles

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
