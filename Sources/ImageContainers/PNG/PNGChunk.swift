/// One chunk of a PNG file.
///
/// Source: PNG Third Edition (W3C, 2025), 5.3.
public struct PNGChunk: Hashable, Sendable {
  /// The four letters that name a chunk.
  ///
  /// Their cases tell how to treat an unknown one.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Source: 5.4: bit 5 of the first letter.
    public var isCritical: Bool { rawValue & 0x2000_0000 == 0 }

    package static let imageHeader = Kind("IHDR")
    package static let palette = Kind("PLTE")
    package static let imageData = Kind("IDAT")
    package static let end = Kind("IEND")
    package static let codePoints = Kind("cICP")
    package static let masteringDisplay = Kind("mDCV")
    package static let contentLightLevel = Kind("cLLI")
    package static let profile = Kind("iCCP")
    package static let standardRGB = Kind("sRGB")
    package static let gamma = Kind("gAMA")
    package static let chromaticities = Kind("cHRM")
    package static let significantBits = Kind("sBIT")
    package static let transparency = Kind("tRNS")
    package static let background = Kind("bKGD")
    package static let histogram = Kind("hIST")
    package static let suggestedPalette = Kind("sPLT")
    package static let pixelSize = Kind("pHYs")
    package static let exif = Kind("eXIf")
    package static let text = Kind("tEXt")
    package static let compressedText = Kind("zTXt")
    package static let internationalText = Kind("iTXt")
    package static let frameData = Kind("fdAT")
    /// Source: C2PA Technical Specification 1.3, annex A.3.
    package static let contentCredentials = Kind("caBX")
  }

  /// Where the data are.
  public enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// The whole chunk in the source, from its length to its CRC; not read yet.
    case stored(Range<Int>)
  }

  /// Type of the chunk.
  public var kind: Kind
  /// Data of the chunk.
  public var content: Content
  /// Whether its checksum is wrong; such a chunk is kept, but nobody reads it.
  public internal(set) var isDamaged = false

  /// A new chunk.
  public init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    content = .bytes(bytes)
  }

  init(_ kind: Kind, stored range: Range<Int>) {
    self.kind = kind
    content = .stored(range)
  }

  /// Number of data bytes.
  public var count: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .stored(let range): range.count - Self.overhead
    }
  }

  /// The chunk as it lies in a file, if its data are in memory.
  func serialized(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(UInt32(clamping: bytes.count))
    writer.writeBigEndian(kind.rawValue)
    writer.write(bytes)
    writer.writeBigEndian(kind.checksum(of: bytes))
    return writer.bytes
  }

  /// Bytes of length, type and CRC.
  static let overhead = 12
  /// Source: 5.3: a length is at most 2^31 - 1.
  static let longest = 0x7FFF_FFFF
}

extension PNGChunk.Kind: CustomStringConvertible {
  /// The type with the given four ASCII letters.
  public init(_ letters: StaticString) {
    self.init(rawValue: "\(letters)".utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  public var description: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Source: 5.3: four ISO 646 letters.
  var isValid: Bool {
    bytes.allSatisfy { ($0 & 0xDF) >= UInt8(ascii: "A") && ($0 & 0xDF) <= UInt8(ascii: "Z") }
  }

  var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
  }

  /// The CRC of type and data.
  func checksum(of data: [UInt8]) -> UInt32 {
    Zlib.crc32(data, from: Zlib.crc32(bytes))
  }

  /// The same chunk in today's spelling.
  ///
  /// Drafts of the third edition said `mDCv` and `cLLi`, and files with these names exist.
  var modernized: PNGChunk.Kind {
    switch rawValue ^ 0x20 {
    case Self.masteringDisplay.rawValue: .masteringDisplay
    case Self.contentLightLevel.rawValue: .contentLightLevel
    default: self
    }
  }
}
