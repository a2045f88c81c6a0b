// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Sequential reader of a source that loads its bytes in blocks.
package struct BufferedBytes {
  private let source: ByteSource
  private var buffer: [UInt8] = []
  private var bufferStart: Int
  private var index = 0

  package var position: Int { bufferStart + index }

  package init(_ source: ByteSource, from offset: Int) {
    self.source = source
    bufferStart = offset
  }

  package mutating func seek(to offset: Int) {
    if offset >= bufferStart, offset <= bufferStart + buffer.count {
      index = offset - bufferStart
    } else {
      (buffer, bufferStart, index) = ([], offset, 0)
    }
  }

  /// Returns the next `count` bytes without advancing.
  package mutating func peek(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    if buffer.count - index < count { try load(count) }
    return buffer[index..<index + count]
  }

  /// Returns the next `count` bytes and advances past them.
  package mutating func read(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    let bytes = try peek(count)
    index += count
    return bytes
  }

  /// Returns the next `count` bytes, or all remaining ones if there are fewer, without advancing.
  package mutating func peek(atMost count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    if buffer.count - index < count, bufferStart + buffer.count < source.count {
      // Loads eight times as much, so that few bytes are loaded twice.
      try load(min(8 * count, source.count - position))
    }
    return buffer[index..<min(index + count, buffer.count)]
  }

  package mutating func skip(_ count: Int) { index += count }

  /// Loads a block that begins at the current position and contains at least `count` bytes.
  private mutating func load(_ count: Int) throws(ImageError) {
    let start = position
    guard count <= source.count - start else {
      throw ImageError(
        .dataTruncated, ["needed": count, "available": max(source.count - start, 0)],
        at: .init(offset: start))
    }
    buffer = try source.bytes(in: start..<min(start + max(count, 1 << 16), source.count))
    (bufferStart, index) = (start, 0)
  }
}
