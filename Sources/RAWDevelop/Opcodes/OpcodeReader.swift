internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// The payload of an opcode: numbers in big-endian order, whatever that of the file is.
struct OpcodeReader: ~Escapable {
  private var reader: ByteReader

  @_lifetime(copy reader)
  init(_ reader: consuming ByteReader) { self.reader = reader }

  var remaining: Int { reader.remaining }

  func error(_ code: ErrorCode, _ parameters: DiagnosticParameters = [:]) -> ImageError {
    reader.error(code, parameters)
  }

  @_lifetime(self: copy self)
  mutating func readInt() throws(ImageError) -> Int {
    Int(try reader.readBigEndian(as: UInt32.self))
  }

  @_lifetime(self: copy self)
  mutating func readCode() throws(ImageError) -> UInt16 { try reader.readBigEndian() }

  @_lifetime(self: copy self)
  mutating func readFloat() throws(ImageError) -> Float {
    let value = Float(bitPattern: try reader.readBigEndian(as: UInt32.self))
    guard value.isFinite else { throw error(.valueNotFinite) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readDouble() throws(ImageError) -> Double {
    let value = Double(bitPattern: try reader.readBigEndian(as: UInt64.self))
    guard value.isFinite else { throw error(.valueNotFinite) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readDoubles(_ count: Int) throws(ImageError) -> [Double] {
    var values: [Double] = []
    for _ in 0..<count { values.append(try readDouble()) }
    return values
  }

  /// As many floats as there must be bytes for.
  @_lifetime(self: copy self)
  mutating func readFloats(_ count: Int) throws(ImageError) -> [Float] {
    let (size, overflow) = count.multipliedReportingOverflow(by: 4)
    guard !overflow, size <= remaining else {
      throw error(.rawNumbersTruncated, ["count": count, "available": remaining])
    }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try readFloat()) }
    return values
  }
}
