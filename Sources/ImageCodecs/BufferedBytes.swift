internal import HDRCore
internal import ImageContainers

/// The bytes of a source in turn, loaded in pieces.
struct BufferedBytes {
  private let source: ByteSource
  private var buffer: [UInt8] = []
  private var bufferStart: Int
  private var index = 0

  var position: Int { bufferStart + index }

  init(_ source: ByteSource, from offset: Int) {
    self.source = source
    bufferStart = offset
  }

  mutating func seek(to offset: Int) {
    if offset >= bufferStart, offset <= bufferStart + buffer.count {
      index = offset - bufferStart
    } else {
      (buffer, bufferStart, index) = ([], offset, 0)
    }
  }

  mutating func next() throws(ImageError) -> UInt8 {
    if index == buffer.count { try load(1) }
    defer { index += 1 }
    return buffer[index]
  }

  /// The next `count` bytes, which stay.
  mutating func peek(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    if buffer.count - index < count { try load(count) }
    return buffer[index..<index + count]
  }

  /// The next `count` bytes.
  mutating func read(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    let bytes = try peek(count)
    index += count
    return bytes
  }

  mutating func skip(_ count: Int) { index += count }

  func error(_ reason: String) -> ImageError {
    ImageError(.malformed, reason, at: .init(offset: position))
  }

  /// Makes the buffer begin here and hold at least `count` bytes.
  private mutating func load(_ count: Int) throws(ImageError) {
    let start = position
    guard count <= source.count - start else {
      throw ImageError(
        .truncated, "needs \(count) bytes, has \(max(source.count - start, 0))",
        at: .init(offset: start))
    }
    buffer = try source.bytes(in: start..<min(start + max(count, 1 << 16), source.count))
    (bufferStart, index) = (start, 0)
  }
}
