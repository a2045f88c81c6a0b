// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Copies bytes of a file at the offsets that a C library requests.
///
/// Errors are stored for the caller of the library, since they are more specific than the library's
/// own.
final class SourceReader {
  private let source: ByteSource
  /// Offset of the library's last read, the best available location for an error.
  private(set) var lastOffset = 0
  private(set) var failure: ImageError?
  /// Bytes from `bufferStart`; libraries read headers in pieces of a few bytes.
  private var buffer: [UInt8] = []
  private var bufferStart = 0
  private static let bufferSize = 1 << 14

  init(_ source: ByteSource) { self.source = source }

  /// Returns `count` bytes starting at `offset`, or `nil` after storing an error.
  func bytes(at offset: UInt64, count: Int) -> ArraySlice<UInt8>? {
    do throws(ImageError) {
      guard let start = Int(exactly: offset), start <= source.count else {
        throw ImageError(
          .malformed, "offset {offset} is outside the file of {size byte}",
          ["offset": offset, "size": source.count])
      }
      lastOffset = start
      let (end, overflow) = start.addingReportingOverflow(count)
      guard count >= 0, !overflow else {
        throw ImageError(
          .malformed, "{size byte} exceed the file of {available byte}",
          ["size": count, "available": source.count], at: .init(offset: start))
      }
      guard count < Self.bufferSize, end <= source.count else {
        return try source.bytes(in: start..<end)[...]
      }
      if start < bufferStart || end > bufferStart + buffer.count {
        buffer = try source.bytes(in: start..<min(start + Self.bufferSize, source.count))
        bufferStart = start
      }
      return buffer[start - bufferStart..<end - bufferStart]
    } catch {
      failure = failure ?? error
      return nil
    }
  }
}

/// Read callback of OpenEXR and libtiff, called by one thread at a time; 0 on success.
///
/// `context` is a `SourceReader`, and `target` has `count` bytes.
func readSource(
  context: UnsafeMutableRawPointer, offset: UInt64, target: UnsafeMutableRawPointer, count: Int
) -> Int32 {
  // SAFETY: the owner of the library's reader keeps the `SourceReader` until the reader is freed;
  // exactly `count` bytes are copied, for which `target` has room.
  let input = unsafe Unmanaged<SourceReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.bytes(at: offset, count: count) else { return 1 }
  unsafe bytes.withUnsafeBytes { source in
    guard let start = source.baseAddress else { return }
    unsafe target.copyMemory(from: start, byteCount: source.count)
  }
  return 0
}

/// Reads the pieces of a file sequentially for a library that requests bytes.
///
/// Errors are stored for the caller of the library, since they are more specific than the library's
/// own.
final class PieceReader {
  private let pieces: [SplicedBytes.Piece]
  private var index = 0
  /// Number of bytes of the current piece that were read.
  private var position = 0
  private var stored: BufferedBytes
  private(set) var failure: ImageError?

  /// Offset of the next bytes in the source.
  var offset: Int { stored.position }

  init(_ bytes: SplicedBytes) {
    pieces = bytes.pieces
    stored = BufferedBytes(bytes.source, from: 0)
  }

  /// Returns the next bytes, at most `count`: none at the end, `nil` after storing an error.
  func read(atMost count: Int) -> ArraySlice<UInt8>? {
    guard index < pieces.count else { return [] }
    do throws(ImageError) {
      let (taken, size): (ArraySlice<UInt8>, Int)
      switch pieces[index] {
      case .new(let bytes):
        (taken, size) = (bytes.dropFirst(position).prefix(count), bytes.count)
      case .kept(let range):
        if position == 0 { stored.seek(to: range.lowerBound) }
        (taken, size) = (try stored.read(min(count, range.count - position)), range.count)
      }
      position += taken.count
      if position == size { (index, position) = (index + 1, 0) }
      return taken
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// Returns exactly the next `count` bytes, or `nil` after storing an error.
  func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      guard let more = read(atMost: count - bytes.count) else { return nil }
      guard !more.isEmpty else {
        failure = ImageError(.samplesTruncated, at: .init(offset: offset))
        return nil
      }
      bytes += more
    }
    return bytes
  }
}
