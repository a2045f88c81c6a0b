internal import HDRCore

/// Walks through a source byte by byte without reading all of it at once.
struct SourceWindow {
  let source: ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  private static let size = 1 << 16

  init(_ source: ByteSource) { self.source = source }

  /// The byte at `offset`; `nil` behind the end.
  mutating func byte(at offset: Int) throws(ImageError) -> UInt8? {
    guard offset < source.count else { return nil }
    try cover(offset)
    return bytes[offset - start]
  }

  /// Where the next byte equal to `value` lies, from `offset` on; `nil` if there is none.
  mutating func firstOffset(
    of value: UInt8, from offset: Int
  ) throws(ImageError) -> Int? {
    var offset = offset
    while offset < source.count {
      try cover(offset)
      if let index = bytes[(offset - start)...].firstIndex(of: value) { return start + index }
      offset = start + bytes.count
    }
    return nil
  }

  /// - Precondition: `offset` lies within the source.
  private mutating func cover(_ offset: Int) throws(ImageError) {
    guard offset < start || offset >= start + bytes.count else { return }
    bytes = try source.bytes(in: offset..<min(offset + Self.size, source.count))
    start = offset
  }
}
