// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A bounds-checked cursor over bytes that it does not own.
package struct ByteReader: ~Escapable {
  private let bytes: Span<UInt8>
  private let start: Int
  private let byteOrder: TIFFFile.ByteOrder
  private var position = 0

  /// Creates a reader at the first byte of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: Bytes to read.
  ///   - fileOffset: Offset of the bytes in the file; locations of errors are offsets in the file.
  ///   - byteOrder: Byte order of `readUnsigned(bytes:)`.
  @_lifetime(copy bytes)
  package init(
    _ bytes: Span<UInt8>, fileOffset: Int = 0, byteOrder: TIFFFile.ByteOrder = .bigEndian
  ) {
    self.bytes = bytes
    self.start = fileOffset
    self.byteOrder = byteOrder
  }

  /// Offset of the next byte in the file.
  package var fileOffset: Int { start + position }
  package var remaining: Int { bytes.count - position }
  package var isAtEnd: Bool { position == bytes.count }

  /// Throws `.truncated` unless at least `count` bytes remain.
  package func require(_ count: Int) throws(ImageError) {
    guard count >= 0, count <= remaining else {
      throw error(.dataTruncated, ["needed": count, "available": remaining])
    }
  }

  /// Returns an error located at the next byte.
  package func error(_ code: ErrorCode, _ parameters: DiagnosticParameters = [:]) -> ImageError {
    ImageError(code, parameters, at: .init(offset: fileOffset))
  }

  /// Returns an error without a code of its own, located at the next byte.
  package func error(
    _ category: ImageError.Category, _ text: String, _ parameters: DiagnosticParameters = [:]
  ) -> ImageError {
    error(ErrorCode(category, text), parameters)
  }

  @_lifetime(self: copy self)
  package mutating func readBigEndian<T: FixedWidthInteger>(
    as type: T.Type = T.self
  ) throws(ImageError) -> T {
    let size = T.bitWidth / 8
    try require(size)
    var value: T = 0
    for index in position..<position + size {
      value = value << 8 | T(truncatingIfNeeded: bytes[index])
    }
    position += size
    return value
  }

  @_lifetime(self: copy self)
  package mutating func readLittleEndian<T: FixedWidthInteger>(
    as type: T.Type = T.self
  ) throws(ImageError) -> T {
    try readBigEndian(as: type).byteSwapped
  }

  /// Reads an unsigned integer of 0...8 bytes in the byte order of the reader.
  @_lifetime(self: copy self)
  package mutating func readUnsigned(bytes size: Int) throws(ImageError) -> UInt64 {
    try require(size)
    var value: UInt64 = 0
    for index in 0..<size {
      let place = byteOrder == .bigEndian ? index : size - 1 - index
      value = value << 8 | UInt64(bytes[position + place])
    }
    position += size
    return value
  }

  @_lifetime(self: copy self)
  package mutating func readBytes(_ count: Int) throws(ImageError) -> [UInt8] {
    try require(count)
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    for index in position..<position + count { copy.append(bytes[index]) }
    position += count
    return copy
  }

  /// Reads all remaining bytes.
  @_lifetime(self: copy self)
  package mutating func readRest() -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(remaining)
    for index in position..<bytes.count { copy.append(bytes[index]) }
    position = bytes.count
    return copy
  }

  /// Returns a reader of the next `count` bytes and advances past them.
  @_lifetime(copy self)
  @_lifetime(self: copy self)
  package mutating func readSlice(_ count: Int) throws(ImageError) -> ByteReader {
    try require(count)
    let slice = ByteReader(
      bytes.extracting(position..<position + count), fileOffset: start + position,
      byteOrder: byteOrder)
    position += count
    return slice
  }

  @_lifetime(self: copy self)
  package mutating func skip(_ count: Int) throws(ImageError) {
    try require(count)
    position += count
  }

  /// Reads a string up to a zero byte; if `isTerminated` is false, the end of the data may end it.
  @_lifetime(self: copy self)
  package mutating func readCString(isTerminated: Bool = true) throws(ImageError) -> String {
    var characters: [UInt8] = []
    while !isAtEnd {
      let byte = bytes[position]
      position += 1
      if byte == 0 { return String(decoding: characters, as: UTF8.self) }
      characters.append(byte)
    }
    guard !isTerminated else { throw error(.truncated, "a string is not terminated") }
    return String(decoding: characters, as: UTF8.self)
  }
}
