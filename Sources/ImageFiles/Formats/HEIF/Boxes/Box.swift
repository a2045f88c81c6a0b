// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The header of a box.
///
/// Source: ISO/IEC 14496-12, 4.2.2.
package struct BoxHeader: Hashable, Sendable {
  /// Encoding of the size of a box.
  package enum SizeForm: Hashable, Sendable {
    /// A 32-bit size.
    case compact
    /// A 64-bit size after the type.
    case large
    /// Size 0: the box extends to the end of the file.
    case toEnd
  }

  package var type: FourCC
  /// Extended type of a `uuid` box, 16 bytes; `nil` for other boxes.
  package var userType: [UInt8]?
  package var sizeForm: SizeForm
  /// Size of the header in bytes.
  package var headerSize: Int
  /// Number of content bytes that are available.
  package var contentSize: Int
  /// Number of bytes of the box after the end of the file.
  package private(set) var missing = 0

  /// Maximum size of a header in bytes.
  static let maximumSize = 32

  /// Parses a header.
  ///
  /// - Parameters:
  ///   - reader: Reader at the first byte of the box; afterwards at its content.
  ///   - available: Number of bytes to the end of the enclosing box or file.
  ///   - mayBeCut: Whether the box may be truncated; its content is then the available bytes.
  /// - Throws: `.truncated` if the box exceeds `available`, `.malformed` if it is smaller than its
  ///   header.
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
      throw ImageError(
        .malformed, "box of {size byte} is smaller than its header", ["size": total], at: place)
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
  /// Flags, 24 bits.
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

  /// Throws `.unsupported` unless the version is in the given range.
  func require(version known: ClosedRange<UInt8>, _ reader: borrowing ByteReader)
    throws(ImageError)
  {
    guard known.contains(version) else {
      throw reader.error(.unsupportedValue, ["field": "box version", "value": version])
    }
  }
}

extension ByteWriter {
  /// Writes a box with the content that `content` writes.
  mutating func writeBox(_ type: FourCC, _ content: (inout ByteWriter) -> Void) {
    let start = count
    writeBigEndian(UInt32(0))
    writeBigEndian(type.rawValue)
    content(&self)
    overwriteBigEndian(UInt32(clamping: count - start), at: start)
  }

  /// Writes a `FullBox` with the content that `content` writes.
  mutating func writeFullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ content: (inout ByteWriter) -> Void
  ) {
    writeBox(type) { writer in
      FullBoxHeader(version: version, flags: flags).write(to: &writer)
      content(&writer)
    }
  }
}

/// A four-character code of a box, an item type, a brand or a reference.
///
/// Source: ISO/IEC 14496-12, 4.2.
package struct FourCC: RawRepresentable, Hashable, Sendable {
  /// The four characters as a big-endian number, the first one in the most significant byte.
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Whether all characters are printable ASCII, as in every registered code.
  package var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

  private var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Creates a code from at most four ASCII characters.
  ///
  /// Further characters are ignored; missing ones are spaces, so that `"uri"` is `'uri '`.
  package init(stringLiteral text: StaticString) {
    rawValue = text.withUTF8Buffer { characters in
      (0..<4).reduce(0) { value, index in
        // SAFETY: the index is within the buffer.
        let character = unsafe index < characters.count ? characters[index] : UInt8(ascii: " ")
        return value << 8 | UInt32(character)
      }
    }
  }
}

extension FourCC: CustomStringConvertible {
  /// The characters, or the value in hexadecimal if a character is not printable.
  package var description: String {
    guard isPrintable else { return "0x" + String(rawValue, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Content of a box type: the bytes after size and type.
package protocol BoxContent: Hashable, Sendable {
  /// Type of the box.
  static var boxType: FourCC { get }

  /// Parses the fields in the order of the standard's syntax.
  ///
  /// - Parameter reader: Reader of exactly the content of the box.
  /// - Throws: An error with the offset of the invalid field.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(ImageError)

  /// Writes the fields in the order of the standard's syntax.
  func write(to writer: inout ByteWriter)
}

extension BoxContent {
  /// The complete box, including its header.
  package var boxBytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeBox(Self.boxType) { write(to: &$0) }
    return writer.bytes
  }

  /// The content without the box header.
  var contentBytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// Content of a box whose number of entries is limited.
package protocol LimitedBoxContent: BoxContent {
  /// Parses the fields in the order of the standard's syntax.
  ///
  /// - Parameters:
  ///   - reader: Reader of exactly the content of the box.
  ///   - limits: Limits of the number of entries.
  /// - Throws: An error with the offset of the invalid field; `.limitExceeded`.
  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError)
}

extension LimitedBoxContent {
  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try self.init(parsing: &reader, limits: ImageLimits())
  }
}

/// A box that is kept verbatim.
package struct OpaqueBox: Sendable {
  package let header: BoxHeader
  package let content: SourceBytes

  init(header: BoxHeader, content: SourceBytes) {
    self.header = header
    self.content = content
  }

  package var type: FourCC { header.type }
}

extension OpaqueBox: Equatable {
  /// Compares type and content; the encoding of the size is not significant.
  package static func == (a: OpaqueBox, b: OpaqueBox) -> Bool {
    a.type == b.type && a.header.userType == b.header.userType && a.content == b.content
  }
}
