// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
internal import ImageContainers
public import ImageFiles

/// The content of one file: its primary image and the metadata that describes it.
///
/// Opening parses structure only; samples are decoded when a reader asks for them.
public struct SourceImage: Sendable {
  /// Format of the file; `nil` for an image that was created in memory.
  public var format: FileFormat?
  /// The parsed file; `nil` for an image that was created in memory.
  package var file: ImageFile?
  /// The primary image, decoded on demand; in a file with a gain map, the baseline image.
  ///
  /// Its orientation is the one that the container specifies (`irot` and `imir`, else Exif).
  public var image: Image
  /// The color that the file declares, or its caller in its place.
  public var declaredColor: ColorDescription
  /// SMPTE ST 2094-50 metadata of the file: the rendering for displays of any headroom.
  public var headroomAdaptation: HeadroomAdaptation?
  /// The gain maps of the file, not decoded; those that apply to the baseline image come first.
  public var gainMaps: [FoundGainMap]
  /// Depth maps and mattes of raw, HEIF and AVIF files, in the orientation of the image.
  ///
  /// `ImageFile.namedAuxiliaries` lists those of JPEG files.
  public var auxiliaries: [AuxiliaryImage] = []
  /// Whether the linear values were developed from raw samples, so that exposure can be set.
  public var isDeveloped = false
  /// Exif, starting at the TIFF header, without an `Exif\0\0` prefix.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// IPTC and comments.
  public var auxiliaryMetadata = AuxiliaryMetadata()
  /// Assumptions, repairs, and choices between contradictory metadata.
  public var notices: [Notice]
  /// The samples of a gain map from another file.
  var attachedGainMap: Image?

  /// An image in memory, with the metadata of a file.
  ///
  /// - Parameters:
  ///   - format: The format of the file; `nil` without a file.
  ///   - image: The image.
  ///   - declaredColor: The color that the file declares.
  ///   - gainMaps: The gain maps of the file.
  ///   - exif: Exif, starting at the TIFF header.
  ///   - xmp: The XMP packet, UTF-8.
  ///   - notices: Notices about the file.
  public init(
    format: FileFormat? = nil, image: Image, declaredColor: ColorDescription = ColorDescription(),
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
  public init(_ image: Image) { self.init(image: image) }

  /// The gain map between the baseline and the alternate image.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }
}

extension SourceImage {
  /// The same image with its samples and its gain map in memory, for several renditions.
  ///
  /// A gain map that cannot be decoded stays in the file, so that each rendition reports it.
  ///
  /// - Throws: Errors of the decoder.
  package func loaded() throws(ImageError) -> SourceImage {
    var loaded = self
    loaded.image = try image.loaded()
    if let gainMap, let file, attachedGainMap == nil {
      loaded.attachedGainMap = try? file.format.decoder()
        .decodeGainMap(gainMap.place, in: file).loaded()
    }
    return loaded
  }

  /// Whether the encoding of the image extends above reference white.
  public var isHighDynamicRange: Bool { image.color.isHighDynamicRange(of: image.layout) }
}
