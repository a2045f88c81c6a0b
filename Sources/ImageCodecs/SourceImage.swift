public import GainMap
public import HDRCore
internal import ImageContainers
public import ImageFiles

/// The content of one file: its primary image and the metadata that describes it.
///
/// Opening parses structure only; samples are decoded when a reader asks for them.
public struct SourceImage: Sendable {
  /// Format of the file.
  public var format: FileFormat
  /// The file; `nil` for a document that was made in memory.
  package var file: ImageFile?
  /// The primary image, decoded on demand; of a file with a gain map, the baseline image.
  ///
  /// Its orientation is that of the container's own carrier (`irot`/`imir`, else Exif).
  public var image: Image
  /// The color that the file itself declares.
  public var declaredColor: ColorDescription
  /// The file's SMPTE ST 2094-50 metadata: what displays of any headroom shall show.
  public var adaptation: HeadroomAdaptation?
  /// The gain maps of the file, those that can be applied to the base first; not decoded.
  public var gainMaps: [FoundGainMap]
  /// Depth maps and mattes of raw files, HEIF and AVIF, in the orientation of the image;
  /// `ImageFile.namedAuxiliaries` names those of JPEG.
  public var auxiliaries: [AuxiliaryImage] = []
  /// Whether the light was made of raw samples, so that its exposure can be chosen.
  public var isDeveloped = false
  /// Exif from its TIFF header on, without any `Exif\0\0` prefix.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// IPTC and comments.
  public var auxiliaryMetadata = AuxiliaryMetadata()
  /// Assumptions, repairs, and decisions between contradictory carriers.
  public var notices: [Notice]
  /// Decodes one of the gain maps.
  var gainMapSamples: (@Sendable (FoundGainMap.Place) throws(ImageError) -> Image)?

  /// An image in memory, with the metadata of a file.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - image: The image.
  ///   - declaredColor: The color that the file declares.
  ///   - gainMaps: The gain maps of the file.
  ///   - exif: Exif from its TIFF header on.
  ///   - xmp: The XMP packet, UTF-8.
  ///   - notices: Notices about the file.
  public init(
    format: FileFormat, image: Image, declaredColor: ColorDescription = ColorDescription(),
    gainMaps: [FoundGainMap] = [], exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    notices: [Notice] = []
  ) {
    self.format = format
    self.image = image
    self.declaredColor = declaredColor
    self.gainMaps = gainMaps
    self.exif = exif
    self.xmp = xmp
    self.notices = notices
  }

  /// An image in memory, without a file.
  ///
  /// - Parameter image: The image.
  public init(_ image: Image) {
    // The format that stores such samples as they are.
    self.init(format: image.layout.isFloatingPoint ? .exr : .png, image: image)
  }

  /// The map that leads from the base to the alternate rendition.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }
}

extension SourceImage {
  /// Whether the image's own encoding reaches above reference white.
  public var isHighDynamicRange: Bool { image.color.isHighDynamicRange(of: image.layout) }
}
