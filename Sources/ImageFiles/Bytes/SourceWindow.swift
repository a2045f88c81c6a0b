// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Byte-by-byte access to a source that loads 64 KiB at a time.
struct SourceWindow {
  let source: ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  private static let size = 1 << 16

  init(_ source: ByteSource) { self.source = source }

  /// Returns the byte at `offset`; `nil` at or after the end.
  mutating func byte(at offset: Int) throws(ImageError) -> UInt8? {
    guard offset < source.count else { return nil }
    try cover(offset)
    return bytes[offset - start]
  }

  /// Returns the offset of the next byte equal to `value`, from `offset` on; `nil` if it does not
  /// occur.
  mutating func firstOffset(
    of value: UInt8, from offset: Int
  ) throws(ImageError) -> Int? {
    var offset = offset
    while offset < source.count {
      try cover(offset)
      if let index = Self.firstIndex(of: value, in: bytes, from: offset - start) {
        return start + index
      }
      offset = start + bytes.count
    }
    return nil
  }

  /// Returns the index of the first byte equal to `value`, from `first` on.
  private static func firstIndex(of value: UInt8, in bytes: [UInt8], from first: Int) -> Int? {
    // SAFETY: `memchr` reads the bytes from `first`, an index, to the end of the buffer.
    unsafe bytes[first...].withUnsafeBytes { rest in
      guard let begin = rest.baseAddress,
        let found = unsafe memchr(begin, Int32(value), rest.count)
      else { return nil }
      return first + (unsafe UnsafeRawPointer(found) - begin)
    }
  }

  /// Loads the block that begins at `offset` unless it is already loaded.
  ///
  /// - Precondition: `offset` is within the source.
  private mutating func cover(_ offset: Int) throws(ImageError) {
    guard offset < start || offset >= start + bytes.count else { return }
    bytes = try source.bytes(in: offset..<min(offset + Self.size, source.count))
    start = offset
  }
}
