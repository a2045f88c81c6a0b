// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore

/// The contents of a file: images with their color and HDR metadata, gain maps and other metadata.
///
/// Derived from the structure and the headers of bitstreams only, so it is available even for
/// formats whose codec is not in the build.
public struct FileContents: Sendable {
  /// Format of the file.
  public var format: FileFormat
  /// Variant within the format: the major brand, the DNG version; `nil` if the format does not have
  /// variants.
  public var variant: String?
  /// Size of the file, in bytes.
  public var byteCount: Int
  /// The images of the file, the primary one first; never empty.
  public internal(set) var images: [FileImage]
  /// The gain maps of the file; those applicable to the baseline image first.
  public internal(set) var gainMaps: [FoundGainMap] = []
  /// Summary of the Exif metadata; `nil` if they are missing or cannot be read.
  public var exif: ExifSummary?
  /// Summary of the XMP packet; `nil` if it is missing or cannot be read.
  public var xmp: XMPSummary?
  /// Whether Exif, XMP or the video of a motion photo contains a location.
  public internal(set) var hasLocation = false
  /// Size of the video of a motion photo, in bytes; `nil` without a video.
  public internal(set) var videoByteCount: Int?
  /// Notices about irregular, contradictory and assumed properties.
  public package(set) var notices: [Notice]

  /// The primary image.
  public var primary: FileImage { images[0] }

  package init(format: FileFormat, source: ByteSource, images: [FileImage], notices: [Notice]) {
    self.format = format
    byteCount = source.count
    self.images = images
    self.notices = notices
  }

  /// The gain map of the primary image that can be applied; `nil` if none can.
  public var gainMap: FoundGainMap? { gainMaps.first { $0.isApplicable } }

  /// Whether the primary image, or its gain map, can exceed reference white on an HDR display.
  public var isHighDynamicRange: Bool {
    let headroom = gainMap?.metadata?.fullHeadroom.stops ?? 0
    return primary.isHighDynamicRange || headroom > 0
  }
}

extension FileContents {
  /// Interprets the structure of a file.
  ///
  /// - Throws: As `ImageFile.contents()`.
  init(of file: ImageFile) throws(ImageError) {
    self = try file.container.structure.contents(of: file)
    videoByteCount = try file.videoByteCount
    hasLocation = hasLocation || exif?.hasLocation ?? false
    if !hasLocation, let video = try ifReadable(try file.video(removing: nil)) {
      hasLocation = video.hasLocation
    }
    guard primary.isCMYK else { return }
    notices.append(Notice(.colorCMYKNotDecodable))
  }
}

extension FileContents {
  /// Adds gain maps and the notices about them.
  mutating func take(_ inventory: GainMapInventory) {
    gainMaps = inventory.maps
    notices += inventory.notices
  }

  /// Adds metadata summaries and the notices about them.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func take(_ metadata: FileMetadata) throws(ImageError) {
    exif = try metadata.exif.map { block throws(ImageError) in
      try ExifSummary(block.structure, byteCount: block.bytes.count)
    }
    xmp = metadata.xmp.map { XMPSummary($0) }
    hasLocation = try metadata.exif?.hasLocation ?? false
    if try metadata.xmp?.hasLocation == true { hasLocation = true }
    notices += metadata.notices
  }
}

/// The layout, coding and color of one image in a file.
public struct FileImage: Sendable {
  /// Role of an image in its file.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// The primary image; in a file with a gain map, the baseline image.
    case primary
    /// The alternate image derived from the baseline image and the gain map (`tmap`).
    case alternate
    case gainMap = "gain map"
    case alpha
    case depth
    /// A segmentation mask, such as of a person, skin or sky.
    case matte
    /// An auxiliary image of another type.
    case auxiliary
    case thumbnail
    /// A reduced or processed copy of the primary image.
    case preview
    /// Any other image, such as a further page or burst image.
    case other
  }

  /// Name of the image in the file: `item 49`, `IFD 0`, `part 0`.
  public var name: String
  /// Number that selects the image among those of its file; `nil` if it cannot be read on its own.
  ///
  /// The ID of an item in HEIF and AVIF; in other files, images are counted from 1.
  public var number: Int?
  /// Role of the image in the file.
  public var role: Role
  /// Type URN of an auxiliary image; `nil` for other images.
  public var auxiliaryType: String?
  /// Layout of the stored samples, before cropping and rotation.
  public var layout: ImageLayout
  /// Bits per floating-point sample; `nil` for integer samples.
  public var floatBits: Int?
  /// Size in pixels when displayed upright.
  public var uprightSize: (width: Int, height: Int)
  /// Orientation of the stored rows and columns relative to the upright image.
  public var orientation: Orientation
  /// Coding of the samples.
  public var coding: CodecConfiguration
  /// Name of the TIFF PhotometricInterpretation, such as `Linear Raw` or `RGB`.
  ///
  /// In other formats the model of samples that are neither gray nor RGB, such as `CMYK`, or
  /// `Color Filter Array` and `Linear Raw` of raw samples, else `nil`.
  public var interpretation: String?
  /// Number of tile columns and rows of a grid; `nil` for other images.
  public var tiles: (columns: Int, rows: Int)?
  /// Color of the image; `nil` for images without color (depth maps, mattes), raw sensor data and
  /// CMYK.
  public var color: ColorInspection?
  /// HDR metadata of the image.
  public var light: LightMetadata
  /// Whether integer samples have full range.
  public var isFullRange: Bool

  package init(
    name: String, role: Role, auxiliaryType: String? = nil, layout: ImageLayout,
    floatBits: Int? = nil, uprightSize: (width: Int, height: Int)? = nil,
    orientation: Orientation = .upright, coding: CodecConfiguration,
    interpretation: String? = nil, tiles: (columns: Int, rows: Int)? = nil,
    color: ColorInspection? = nil, light: LightMetadata = LightMetadata(),
    isFullRange: Bool = true
  ) {
    self.name = name
    self.role = role
    self.auxiliaryType = auxiliaryType
    self.layout = layout
    self.floatBits = floatBits
    let size = (layout.width, layout.height)
    self.uprightSize = uprightSize ?? (orientation.swapsSides ? (size.1, size.0) : size)
    self.orientation = orientation
    self.coding = coding
    self.interpretation = interpretation
    self.tiles = tiles
    // The color of CMYK images is not supported.
    self.color = interpretation == Self.inks ? nil : color
    self.light = light
    self.isFullRange = isFullRange
  }

  /// Whether the samples are raw sensor data, which must be developed.
  ///
  /// Source: DNG 1.7.1, PhotometricInterpretation.
  public var isRaw: Bool {
    interpretation == "Color Filter Array" || interpretation == "Linear Raw"
  }

  /// Whether the samples are CMYK, which is not supported.
  public var isCMYK: Bool { interpretation == Self.inks }

  static let inks = "CMYK"

  /// Whether the samples of the image can represent values above reference white.
  ///
  /// Floating-point samples can, whatever their transfer function; images without `color` cannot.
  public var isHighDynamicRange: Bool {
    guard let color else { return false }
    return layout.isFloatingPoint || color.encoding.isHighDynamicRange(of: layout)
  }
}

extension ImageError {
  /// The error for CMYK images.
  package static let cmyk = ImageError(.colorCMYK)
}

extension ColorEncoding {
  /// Whether samples of this encoding can represent values above reference white.
  package func isHighDynamicRange(of format: ImageLayout) -> Bool {
    switch transfer {
    case .pq, .hlg: true
    case .linear: format.isFloatingPoint
    default: false
    }
  }
}

/// The codec configuration of an image, as stored in the container.
public struct CodecConfiguration: Hashable, Sendable {
  /// Name of the codec, such as `HEVC`, `AV1`, `JPEG` or `Deflate`.
  public var codec: String
  /// Profile of the codec; `nil` if the container does not store it.
  public var profile: String?
  /// Level and tier; `nil` if the container does not store them.
  public var level: String?
  /// Chroma subsampling; `nil` if the container does not store it.
  public var chroma: ChromaSubsampling?
  /// Bits per luma sample; `nil` if the container does not store them.
  public var lumaDepth: Int?
  /// Bits per chroma sample; `nil` if the container does not store them.
  public var chromaDepth: Int?

  package init(
    _ codec: String, profile: String? = nil, level: String? = nil,
    chroma: ChromaSubsampling? = nil, lumaDepth: Int? = nil, chromaDepth: Int? = nil
  ) {
    self.codec = codec
    self.profile = profile
    self.level = level
    self.chroma = chroma
    self.lumaDepth = lumaDepth
    self.chromaDepth = chromaDepth
  }
}
