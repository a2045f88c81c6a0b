// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A range of bytes in a file or in memory that is read on demand.
///
/// Two ranges are equal if their bytes are equal; the comparison reads them.
package struct SourceBytes: Sendable {
  /// A source with identity, by which a writer recognizes ranges of the file that it rewrites.
  package final class Origin: Sendable {
    package let source: ByteSource
    package init(_ source: ByteSource) { self.source = source }
  }

  let origin: Origin
  /// The file or memory that contains the bytes.
  package var source: ByteSource { origin.source }
  /// Range in the source; may exceed a truncated source.
  package let range: Range<Int>

  package init(_ origin: Origin, _ range: Range<Int>) {
    self.origin = origin
    self.range = range
  }

  /// Creates a range of bytes in memory.
  package init(_ bytes: [UInt8]) { self.init(Origin(ByteSource(bytes)), 0..<bytes.count) }

  /// Source and range, by which equal parts are recognized without reading them.
  package struct Identity: Hashable, Sendable {
    private let origin: ObjectIdentifier
    private var range: Range<Int>

    fileprivate init(_ bytes: SourceBytes) {
      origin = ObjectIdentifier(bytes.origin)
      range = bytes.range
    }

    /// Appends a part that begins at the end of this one; returns whether it does.
    fileprivate mutating func join(_ next: Identity) -> Bool {
      guard next.origin == origin, next.range.lowerBound == range.upperBound else { return false }
      range = range.lowerBound..<next.range.upperBound
      return true
    }
  }

  /// Source and range; those of different origins differ as long as the origins exist.
  package var identity: Identity { Identity(self) }

  package var count: Int { range.count }
  package var isEmpty: Bool { range.isEmpty }
  /// Whether the source contains all of the bytes.
  package var isWhole: Bool { range.upperBound <= origin.source.count }
  /// Offset of the first byte in the source.
  package var offset: Int { range.lowerBound }

  /// Whether the bytes are the same range of the same file, so that they need not be compared.
  package func hasSameOrigin(as other: SourceBytes) -> Bool {
    origin.source.hasSameOrigin(range, as: other.origin.source, other.range)
  }

  /// Returns a copy of the bytes.
  ///
  /// - Throws: `.truncated` if the range exceeds the source, `.inputOutput` if it cannot be read.
  package func bytes() throws(ImageError) -> [UInt8] { try origin.source.bytes(in: range) }

  /// Appends a copy of the bytes to an array, without a second copy of all of them.
  ///
  /// - Throws: Errors of `bytes()`.
  func append(to array: inout [UInt8]) throws(ImageError) {
    let step = 1 << 20
    guard isWhole, count > step else {
      array += try bytes()
      return
    }
    for start in stride(from: 0, to: count, by: step) {
      array += try slice(start..<min(count, start + step)).bytes()
    }
  }

  /// Returns a part of the range.
  ///
  /// - Precondition: `part` is within `0..<count`.
  package func slice(_ part: Range<Int>) -> SourceBytes {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "the part is outside")
    return SourceBytes(
      origin, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}

extension [SourceBytes] {
  /// Sources and ranges, with adjacent ranges joined: equal for the same bytes, wherever they are
  /// split.
  package var identities: [SourceBytes.Identity] {
    var joined: [SourceBytes.Identity] = []
    for part in self where !part.isEmpty {
      let next = part.identity
      if joined.isEmpty || !joined[joined.count - 1].join(next) { joined.append(next) }
    }
    return joined
  }
}

extension SourceBytes: Equatable {
  package static func == (a: SourceBytes, b: SourceBytes) -> Bool {
    guard a.count == b.count else { return false }
    if a.origin === b.origin && a.range == b.range { return true }
    let step = 1 << 20
    for start in stride(from: 0, to: a.count, by: step) {
      let part = start..<min(a.count, start + step)
      guard let left = try? a.slice(part).bytes(), let right = try? b.slice(part).bytes(),
        left == right
      else { return false }
    }
    return true
  }
}

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
