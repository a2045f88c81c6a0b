// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The `mini` box of a low-overhead file: a header, then chunks of data.
///
/// Floating-point samples and alpha inside the main bitstream are not supported.
///
/// Source: ISO/IEC 23008-12:2025, amendment 2, annex O; fields as parsed and written by libheif and
/// libavif.
struct MinimizedImageBox {
  static let boxType: FourCC = "mini"
  /// Maximum number of bytes before the chunks.
  static let longestHeader = 512

  /// Header fields of a coded image.
  struct StoredImage: Equatable {
    var width: UInt32
    var height: UInt32
    /// Chroma subsampling: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    var chromaSubsampling: UInt32
    var bitDepth: UInt8
    var cicp: CICP

    var channels: Int { chromaSubsampling == 0 ? 1 : 3 }
  }

  /// A gain map, and the color of the tone-mapped image.
  struct GainMap: Equatable {
    var image: StoredImage
    /// Code points of the tone-mapped image; `nil` if only an ICC profile is stored.
    var toneMapped: CICP?
    var toneMappedLight: [ItemProperty.Box] = []
  }

  /// Chunks, in file order.
  enum Chunk: String, CaseIterable {
    case configuration
    case alphaConfiguration = "alpha configuration"
    case gainMapConfiguration = "gain map configuration"
    case profile
    case toneMappedProfile = "tone-mapped profile"
    case gainMapMetadata = "gain map metadata"
    case alpha
    case gainMap = "gain map"
    case image
    case exif
    case xmp
  }

  /// Types of the items and of their configuration; `nil` if the brand specifies them.
  var codecTypes: (item: FourCC, configuration: FourCC)?
  var image: StoredImage
  var orientation: Orientation
  var hasAlpha: Bool
  var isPremultiplied: Bool
  var light: [ItemProperty.Box]
  var gainMap: GainMap?
  /// Whether Exif and XMP are compressed with deflate.
  var isMetadataCompressed: Bool
  /// Ranges of the existing chunks, relative to the content of the box.
  var chunks: [Chunk: Range<Int>]

  /// Parses the header.
  ///
  /// - Parameters:
  ///   - header: First bytes of the content, at most `longestHeader`.
  ///   - size: Size of the content in bytes.
  /// - Throws: `.truncated` if the chunks exceed the box, `.unsupported` for another version or an
  ///   unsupported feature, `.malformed` for reserved values.
  init(parsing header: [UInt8], size: Int) throws(ImageError) {
    var bits = BitReader(header)
    let version = try bits.read(2)
    guard version == 0 else {
      throw ImageError(.unsupportedValue, ["field": "version of 'mini'", "value": version])
    }
    let hasCodecTypes = try bits.readFlag()
    let isFloat = try bits.readFlag()
    let isFullRange = try bits.readFlag()
    hasAlpha = try bits.readFlag()
    let hasCICP = try bits.readFlag()
    let hasHDR = try bits.readFlag()
    let hasProfile = try bits.readFlag()
    let hasExif = try bits.readFlag()
    let hasXMP = try bits.readFlag()
    let chroma = try bits.read(2)
    orientation = Orientation(rawValue: Int(try bits.read(3)) + 1) ?? .upright
    let sideBits = try bits.readFlag() ? 15 : 7
    let width = try bits.read(sideBits) + 1
    let height = try bits.read(sideBits) + 1
    try bits.skipChromaPosition(chroma)
    let bitDepth = try bits.readBitDepth(isFloat: isFloat)
    isPremultiplied = hasAlpha ? try bits.readFlag() : false
    var cicp = CICP(
      primaries: hasProfile ? .unspecified : .bt709, transfer: hasProfile ? .unspecified : .srgb,
      matrix: chroma == 0 ? .unspecified : .bt601)
    if hasCICP { cicp = try bits.readCodePoints() }
    cicp.isFullRange = isFullRange
    image = StoredImage(
      width: width, height: height, chromaSubsampling: chroma, bitDepth: bitDepth, cicp: cicp)
    if hasCodecTypes {
      codecTypes = (FourCC(rawValue: try bits.read(32)), FourCC(rawValue: try bits.read(32)))
    }
    light = []
    var hasToneMappedProfile = false
    if hasHDR {
      if try bits.readFlag() {
        (gainMap, hasToneMappedProfile) = try bits.readGainMap(of: image, sideBits: sideBits)
      }
      light = try bits.readLight()
      if gainMap != nil { gainMap?.toneMappedLight = try bits.readLight() }
    }
    let hasMetadata = hasProfile || hasExif || hasXMP || gainMap != nil
    let metadataBits = hasMetadata ? try bits.readFlag() ? 20 : 10 : 0
    let configurationBits = try bits.readFlag() ? 12 : 3
    let dataBits = try bits.readFlag() ? 28 : 15
    var sizes: [Chunk: Int] = [:]
    if hasProfile { sizes[.profile] = try bits.readSize(metadataBits) + 1 }
    if hasToneMappedProfile { sizes[.toneMappedProfile] = try bits.readSize(metadataBits) + 1 }
    if gainMap != nil {
      sizes[.gainMapMetadata] = try bits.readSize(metadataBits)
      let count = try bits.readSize(dataBits)
      guard count > 0 else {
        throw ImageError(.missingElement, ["element": "the data of the gain map"])
      }
      sizes[.gainMap] = count
      sizes[.gainMapConfiguration] = try bits.readSize(configurationBits)
    }
    sizes[.configuration] = try bits.readSize(configurationBits)
    sizes[.image] = try bits.readSize(dataBits) + 1
    if hasAlpha {
      let count = try bits.readSize(dataBits)
      guard count > 0 else {
        throw ImageError(
          .unsupported, "alpha in the coded image of a minimized file is not supported")
      }
      sizes[.alpha] = count
      sizes[.alphaConfiguration] = try bits.readSize(configurationBits)
    }
    isMetadataCompressed = hasExif || hasXMP ? try bits.readFlag() : false
    if hasExif { sizes[.exif] = try bits.readSize(metadataBits) + 1 }
    if hasXMP { sizes[.xmp] = try bits.readSize(metadataBits) + 1 }
    chunks = [:]
    var position = (bits.position + 7) / 8
    for chunk in Chunk.allCases {
      guard let count = sizes[chunk] else { continue }
      if count > 0 { chunks[chunk] = position..<position + count }
      position += count
    }
    guard position <= size else {
      throw ImageError(
        .truncated, "truncated: the chunks end at {end byte}; the file has {size byte}",
        ["end": position, "size": size])
    }
  }
}

extension BitReader {
  fileprivate mutating func readSize(_ count: Int) throws(ImageError) -> Int {
    Int(try read(count))
  }

  fileprivate mutating func skipChromaPosition(_ subsampling: UInt32) throws(ImageError) {
    if subsampling == 1 { try skip(2) }
    if subsampling == 2 { try skip(1) }
  }

  fileprivate mutating func readBitDepth(isFloat: Bool) throws(ImageError) -> UInt8 {
    guard !isFloat else {
      throw ImageError(.unsupported, "floating-point samples in a minimized file are not supported")
    }
    return try readFlag() ? UInt8(try read(3)) + 9 : 8
  }

  fileprivate mutating func readCodePoints() throws(ImageError) -> CICP {
    CICP(
      primaries: .init(rawValue: UInt16(try read(8))),
      transfer: .init(rawValue: UInt16(try read(8))),
      matrix: .init(rawValue: UInt16(try read(8))))
  }

  fileprivate mutating func readGainMap(
    of main: MinimizedImageBox.StoredImage, sideBits: Int
  ) throws(ImageError) -> (MinimizedImageBox.GainMap, hasToneMappedProfile: Bool) {
    var image = main
    if try !readFlag() {
      image.width = try read(sideBits) + 1
      image.height = try read(sideBits) + 1
    }
    image.cicp = CICP(
      primaries: .unspecified, transfer: .unspecified,
      matrix: .init(rawValue: UInt16(try read(8))), isFullRange: try readFlag())
    image.chromaSubsampling = try read(2)
    try skipChromaPosition(image.chromaSubsampling)
    let isFloat = try readFlag()
    image.bitDepth = try readBitDepth(isFloat: isFloat)
    var map = MinimizedImageBox.GainMap(image: image)
    let hasProfile = try readFlag()
    if try readFlag() {
      map.toneMapped = try readCodePoints()
      map.toneMapped?.isFullRange = try readFlag()
    } else if !hasProfile {
      map.toneMapped = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601)
    }
    return (map, hasProfile)
  }

  /// Reads HDR metadata: six flags, then the fields of the boxes without headers, versions and
  /// flags.
  fileprivate mutating func readLight() throws(ImageError) -> [ItemProperty.Box] {
    let properties: [(type: FourCC, size: Int)] = [
      (ContentLightLevelBox.boxType, 4), (MasteringDisplayColorVolumeBox.boxType, 24),
      (ContentColorVolumeBox.boxType, 1), (AmbientViewingEnvironmentBox.boxType, 8),
      (ReferenceViewingEnvironmentBox.boxType, 16), (NominalDiffuseWhiteBox.boxType, 4),
    ]
    var present: [(type: FourCC, size: Int)] = []
    for property in properties where try readFlag() { present.append(property) }
    var boxes: [ItemProperty.Box] = []
    for (type, size) in present {
      var bytes = try readBytes(size)
      if type == ContentColorVolumeBox.boxType {
        bytes += try readBytes(ContentColorVolumeBox.size(presence: bytes[0]) - 1)
      }
      var reader = ByteReader(bytes.span)
      boxes.append(
        ItemProperty.Box(
          parsing: BoxHeader(type: type), at: ["mini"], bytes: bytes, content: &reader))
    }
    return boxes
  }

  private mutating func readBytes(_ count: Int) throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes.append(UInt8(try read(8))) }
    return bytes
  }
}

extension ContentColorVolumeBox {
  /// Returns the size of a box whose first byte signals the present fields.
  fileprivate static func size(presence: UInt8) -> Int {
    1 + (presence & 0x20 == 0 ? 0 : 24) + 4 * (presence & 0x1C).nonzeroBitCount
  }
}
