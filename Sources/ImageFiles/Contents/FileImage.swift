public import HDRCore

/// One of the pictures of a file: its layout, its coding and its color.
public struct FileImage: Sendable {
  /// What a picture is there for.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// What the file shows; for a file with a gain map, the base.
    case primary
    /// The rendition that base and gain map make together (`tmap`).
    case alternate
    case gainMap = "gain map"
    case alpha
    case depth
    /// A mask of what belongs to the subject, to skin, to the sky.
    case matte
    /// Auxiliary, as its URN says.
    case auxiliary
    case thumbnail
    /// A reduced or processed copy beside the main picture.
    case preview
    /// Anything else: another page, another picture of a burst.
    case other
  }

  /// Where the file has it: `item 49`, `image 2`, `IFD 0`, `part 0`.
  public var name: String
  /// Role of the image in the file.
  public var role: Role
  /// URN of an auxiliary picture.
  public var auxiliaryType: String?
  /// Layout of the samples as they are stored, before cropping and turning.
  public var format: ImageLayout
  /// Bits that a floating-point sample takes; `nil` for integers.
  public var floatBits: Int?
  /// Size when it is shown upright.
  public var shownSize: (width: Int, height: Int)
  /// Relation of the stored rows and columns to the upright image.
  public var orientation: Orientation
  /// Coding of the samples.
  public var coding: CodecConfiguration
  /// What TIFF's PhotometricInterpretation says the samples are: `Linear Raw`, `RGB`; of other files
  /// only `CMYK`.
  public var interpretation: String?
  /// Tiles that make up the picture: across and down.
  public var tiles: (columns: Int, rows: Int)?
  /// `nil` for what is no color: depth, mattes, raw samples of a sensor.
  public var color: ColorInspection?
  /// Light metadata of the image.
  public var hdr: LightMetadata
  /// Whether integer samples use all code values.
  public var isFullRange: Bool

  package init(
    name: String, role: Role, auxiliaryType: String? = nil, format: ImageLayout,
    floatBits: Int? = nil, shownSize: (width: Int, height: Int)? = nil,
    orientation: Orientation = .upright, coding: CodecConfiguration,
    interpretation: String? = nil, tiles: (columns: Int, rows: Int)? = nil,
    color: ColorInspection? = nil, hdr: LightMetadata = LightMetadata(),
    isFullRange: Bool = true
  ) {
    self.name = name
    self.role = role
    self.auxiliaryType = auxiliaryType
    self.format = format
    self.floatBits = floatBits
    let size = (format.width, format.height)
    self.shownSize = shownSize ?? (orientation.swapsSides ? (size.1, size.0) : size)
    self.orientation = orientation
    self.coding = coding
    self.interpretation = interpretation
    self.tiles = tiles
    // Inks have no color that the toolkit knows of.
    self.color = interpretation == Self.inks ? nil : color
    self.hdr = hdr
    self.isFullRange = isFullRange
    self.hdr.imageState = hdr.imageState ?? color?.imageState
  }

  /// Whether the samples are those of a sensor, which somebody has to develop.
  ///
  /// Source: DNG 1.7.1, PhotometricInterpretation.
  public var isRaw: Bool {
    interpretation == "Color Filter Array" || interpretation == "Linear Raw"
  }

  /// Whether the samples are amounts of ink, which nothing here decodes.
  public var isCMYK: Bool { interpretation == Self.inks }

  static let inks = "CMYK"

  /// Whether the picture's own encoding reaches above reference white.
  public var isHighDynamicRange: Bool {
    color?.encoding.isHighDynamicRange(of: format) ?? false
  }
}

extension ImageError {
  /// The error for pictures of inks.
  package static let cmyk = ImageError(.colorCMYK)
}

extension ColorEncoding {
  /// Whether samples of this encoding reach above reference white.
  package func isHighDynamicRange(of format: ImageLayout) -> Bool {
    switch transfer {
    case .pq, .hlg: true
    case .linear: format.isFloatingPoint
    default: false
    }
  }
}

/// How the samples of a picture are coded, from the container's record of it.
public struct CodecConfiguration: Hashable, Sendable {
  /// `HEVC`, `AV1`, `JPEG`, `Deflate`.
  public var codec: String
  /// Profile of the codec.
  public var profile: String?
  /// Level and tier.
  public var level: String?
  /// Chroma subsampling.
  public var chroma: ChromaSubsampling?
  /// Bits per luma sample.
  public var lumaDepth: Int?
  /// Bits per chroma sample.
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
