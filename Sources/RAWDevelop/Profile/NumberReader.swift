internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Numbers in the byte order of a file.
struct NumberReader: ~Escapable {
  private var reader: ByteReader
  private let order: TIFFFile.ByteOrder

  @_lifetime(copy reader)
  init(_ reader: consuming ByteReader, _ order: TIFFFile.ByteOrder) {
    self.reader = reader
    self.order = order
  }

  var remaining: Int { reader.remaining }

  func error(_ code: ErrorCode, _ parameters: DiagnosticParameters = [:]) -> ImageError {
    reader.error(code, parameters)
  }

  /// The number that `size` bytes from `start` on make.
  func code(_ bytes: [UInt8], at start: Int, _ size: Int) -> UInt64 {
    var code: UInt64 = 0
    for index in 0..<size {
      code = code << 8 | UInt64(bytes[start + (order == .bigEndian ? index : size - 1 - index)])
    }
    return code
  }

  @_lifetime(self: copy self)
  mutating func readBytes(_ count: Int) throws(ImageError) -> [UInt8] {
    try reader.readBytes(count)
  }

  @_lifetime(self: copy self)
  private mutating func readCode(_ size: Int) throws(ImageError) -> UInt64 {
    code(try reader.readBytes(size), at: 0, size)
  }

  @_lifetime(self: copy self)
  mutating func readInt(_ size: Int = 4) throws(ImageError) -> Int { Int(try readCode(size)) }

  @_lifetime(self: copy self)
  mutating func readFloat() throws(ImageError) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: try readCode(4)))
    guard value.isFinite else { throw error(.valueNotFinite) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readDouble() throws(ImageError) -> Double {
    let value = Double(bitPattern: try readCode(8))
    guard value.isFinite else { throw error(.valueNotFinite) }
    return value
  }
}
