internal import HDRCore

/// A bounds-checked cursor that knows the byte order of its file.
struct TIFFReader {
  let bytes: [UInt8]
  let order: TIFFFile.ByteOrder
  /// Where `bytes` begin in the file.
  let start: Int
  var position = 0

  init(bytes: [UInt8], order: TIFFFile.ByteOrder, fileOffset: Int) {
    self.bytes = bytes
    self.order = order
    start = fileOffset
  }

  var fileOffset: Int { start + position }
  var isAtEnd: Bool { position >= bytes.count }

  /// An unsigned integer of 1, 2, 4 or 8 bytes.
  mutating func readUnsigned(_ size: Int) throws(ImageError) -> UInt64 {
    guard size <= bytes.count - position else {
      throw ImageError(
        .dataTruncated, ["needed": size, "available": bytes.count - position],
        at: .init(offset: fileOffset))
    }
    defer { position += size }
    let digits = bytes[position..<position + size]
    return order == .bigEndian
      ? digits.reduce(0) { $0 << 8 | UInt64($1) }
      : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
