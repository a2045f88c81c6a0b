internal import HDRCore

/// What stands before the content of every box.
///
/// Source: ISO/IEC 14496-12, 4.2.2.
package struct BoxHeader: Hashable, Sendable {
  /// How a box says where it ends.
  package enum SizeForm: Hashable, Sendable {
    /// 32 bits.
    case compact
    /// 64 bits after the type.
    case large
    /// Size 0: the box ends with the file.
    case toEnd
  }

  package var type: FourCC
  /// The 16 bytes that tell `uuid` boxes apart.
  package var userType: [UInt8]?
  package var sizeForm: SizeForm
  /// Bytes of the header.
  package var headerSize: Int
  /// Bytes of the content that are there.
  package var contentSize: Int
  /// Bytes that the box says it has beyond the end of the file.
  package private(set) var missing = 0

  /// Enough bytes for every kind of header.
  static let maximumSize = 32

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - reader: Stands at the first byte of the box; afterwards at its content.
  ///   - available: Bytes from there to the end of the enclosing box or file.
  ///   - mayBeCut: Whether the box may end outside; it has what is there then.
  /// - Throws: `.truncated` if the box ends outside, `.malformed` if it ends before its content.
  @_lifetime(reader: copy reader)
  init(
    parsing reader: inout ByteReader, available: Int, mayBeCut: Bool = false
  ) throws(ImageError) {
    let start = reader.fileOffset
    let size32: UInt32 = try reader.readBigEndian()
    type = FourCC(rawValue: try reader.readBigEndian())
    let total: UInt64
    switch size32 {
    case 0: (sizeForm, total) = (.toEnd, UInt64(available))
    case 1: (sizeForm, total) = (.large, try reader.readBigEndian())
    default: (sizeForm, total) = (.compact, UInt64(size32))
    }
    if type == "uuid" { userType = try reader.readBytes(16) }
    headerSize = reader.fileOffset - start
    let place = ImageError.Location(path: [type.description], offset: start)
    guard total >= headerSize else {
      throw ImageError(.boxSmallerThanHeader, ["size": total], at: place)
    }
    guard total <= available || mayBeCut else {
      throw ImageError(.boxTruncated, ["size": total, "available": available], at: place)
    }
    let whole = Int(clamping: total)
    contentSize = min(whole, available) - headerSize
    missing = max(whole - available, 0)
  }
}

/// Version and flags of a `FullBox`.
///
/// Source: ISO/IEC 14496-12, 4.2.2.
package struct FullBoxHeader: Hashable, Sendable {
  package var version: UInt8
  /// 24 bits.
  package var flags: UInt32

  package init(version: UInt8 = 0, flags: UInt32 = 0) {
    self.version = version
    self.flags = flags
  }

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(ImageError) {
    let word: UInt32 = try reader.readBigEndian()
    version = UInt8(word >> 24)
    flags = word & 0xFF_FFFF
  }

  func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(UInt32(version) << 24 | flags & 0xFF_FFFF)
  }

  /// Fails unless the version is one that the caller knows.
  func require(version known: ClosedRange<UInt8>, _ reader: borrowing ByteReader)
    throws(ImageError)
  {
    guard known.contains(version) else {
      throw reader.error(.unsupportedValue, ["field": "box version", "value": version])
    }
  }
}

extension ByteWriter {
  /// Writes a box around what `content` writes.
  mutating func writeBox(_ type: FourCC, _ content: (inout ByteWriter) -> Void) {
    let start = count
    writeBigEndian(UInt32(0))
    writeBigEndian(type.rawValue)
    content(&self)
    overwriteBigEndian(UInt32(clamping: count - start), at: start)
  }

  /// Writes a `FullBox` around what `content` writes.
  mutating func writeFullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    writeBox(type) { writer in
      FullBoxHeader(version: version, flags: flags).write(to: &writer)
      content(&writer)
    }
  }
}
