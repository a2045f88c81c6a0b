package import HDRCore

/// What an auxiliary picture is for.
///
/// Source: ISO/IEC 23008-12, 6.5.8.
public struct AuxiliaryTypeBox: BoxContent {
  package static let boxType: FourCC = "auxC"

  /// Alpha, as AVIF and newer HEIF files say it.
  public static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
  /// Alpha, as HEVC-coded HEIF files say it.
  public static let hevcAlpha = "urn:mpeg:hevc:2015:auxid:1"

  /// Depth, as AVIF and newer HEIF files say it.
  public static let depth = "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
  /// Depth, as HEVC-coded HEIF files say it.
  public static let hevcDepth = "urn:mpeg:hevc:2015:auxid:2"

  /// A name (URN) of the purpose.
  public var auxiliaryType: String
  /// Subtype bytes that follow the URN.
  public var subtype: [UInt8]

  public init(_ auxiliaryType: String, subtype: [UInt8] = []) {
    self.auxiliaryType = auxiliaryType
    self.subtype = subtype
  }

  /// Whether the picture is coverage.
  public var isAlpha: Bool { auxiliaryType == Self.alpha || auxiliaryType == Self.hevcAlpha }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    auxiliaryType = try reader.readCString(isTerminated: false)
    subtype = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.write(auxiliaryType, isTerminated: true)
    writer.write(subtype)
  }
}
