public import GainMap
public import HDRCore
internal import ImageContainers
public import ImageFiles

/// What one file holds: its picture and everything said about it.
///
/// Opening parses structure only; samples are decoded when a reader asks for them.
public struct PictureDocument: Sendable {
  public var format: FileFormat
  /// The file; `nil` for a document that was made in memory.
  package var file: ImageFile?
  /// The primary picture; for a file with a gain map, the base.
  public var base: Picture
  public var hdr: LightMetadata
  /// The file's SMPTE ST 2094-50 metadata: what displays of any headroom shall show.
  public var adaptation: HeadroomAdaptation?
  /// The gain maps of the file, those that can be applied to the base first; not decoded.
  public var gainMaps: [FoundGainMap]
  /// Depth and mattes of raw files, HEIF and AVIF; `ImageFile.auxiliaryPictures` names those of JPEG.
  public var auxiliaries: [AuxiliaryPicture] = []
  /// Whether the light was made of raw samples, so that its exposure can be chosen.
  public var isDeveloped = false
  /// How the stored rows relate to the upright picture, from the container's own carrier
  /// (`irot`/`imir`, else Exif).
  public var orientation: Orientation
  /// Exif from its TIFF header on, without any `Exif\0\0` prefix.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// What else the file says about its picture.
  public var furtherMetadata = FurtherMetadata()
  /// What a reader had to assume, to repair or to decide between contradictory carriers.
  public var notices: [Notice]
  /// Messages of ITU-T T.35 in the bitstream, from the country code on.
  var registeredMessages: [[UInt8]] = []
  /// Decodes one of the gain maps.
  var gainMapSamples: (@Sendable (FoundGainMap.Place) throws(ImageError) -> GainMapSamples)?

  public init(
    format: FileFormat, base: Picture, hdr: LightMetadata = LightMetadata(),
    gainMaps: [FoundGainMap] = [], orientation: Orientation = .upright, exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    notices: [Notice] = []
  ) {
    self.format = format
    self.base = base
    self.hdr = hdr
    self.gainMaps = gainMaps
    self.orientation = orientation
    self.exif = exif
    self.xmp = xmp
    self.notices = notices
  }

  /// The map that leads from the base to the alternate rendition.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }
}

/// A coded picture: what it is, what it means, and how to get its samples.
public struct Picture: Sendable {
  /// Layout of the samples that a reader yields, after cropping to the clean aperture.
  public var format: ImageLayout
  /// The file's own words about color.
  public var color: ColorDescription
  /// What the samples mean, with nothing left to guess.
  public var encoding: ColorEncoding

  private let open: @Sendable () throws(ImageError) -> any RowReader

  /// Describes a picture; `open` starts a decoder for it.
  public init(
    format: ImageLayout, color: ColorDescription, encoding: ColorEncoding,
    open: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    self.format = format
    self.color = color
    self.encoding = encoding
    self.open = open
  }

  /// Starts to decode the samples.
  ///
  /// Each call starts a decoder of its own.
  public func makeReader() throws(ImageError) -> any RowReader { try open() }
}

extension PictureDocument {
  /// Whether the picture's own encoding reaches above reference white.
  public var isHighDynamicRange: Bool { base.encoding.isHighDynamicRange(of: base.format) }
}

extension PictureDocument {
  /// Takes SMPTE ST 2094-50 metadata out of the ICC profile, else out of the bitstream.
  ///
  /// What cannot be read, or makes no sense, costs a notice and nothing else.
  package mutating func readAdaptation() {
    let found = FoundAdaptations(
      icc: base.color.icc, messages: registeredMessages, transfer: base.encoding.transfer)
    adaptation = found.all.first?.adaptation
    notices += found.notices
  }
}
