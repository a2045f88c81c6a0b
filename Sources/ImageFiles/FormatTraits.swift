public import GainMap
public import HDRCore

/// What files of a format can hold, and how they declare it: one row per format.
///
/// Whoever has to know what a format can hold asks its row; nothing compares formats for that.
public struct FormatTraits: Sendable {
  /// Bytes at the beginning of each file of a format.
  struct Signature: Sendable {
    let offset: Int
    let bytes: [UInt8]

    init(_ bytes: [UInt8], at offset: Int = 0) {
      self.offset = offset
      self.bytes = bytes
    }

    init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

    func matches(_ prefix: [UInt8]) -> Bool {
      prefix.dropFirst(offset).starts(with: bytes)
    }
  }

  /// Depths of samples, in bits.
  public struct Depths: Hashable, Sendable {
    /// All that are written, in rising order; none where the format cannot hold such images.
    public let all: [Int]
    /// The usual one.
    public let usual: Int

    init(_ all: [Int], usual: Int) {
      self.all = all
      self.usual = usual
    }

    static let none = Depths([], usual: 0)
  }

  /// Which declaration of color counts where several contradict each other.
  ///
  /// The rules are in `Documentation/ColorPrecedence.md`.
  package enum ColorPrecedence: Sendable {
    /// Samples are linear light; chromaticities tell the primaries.
    case light
    /// Code points before an ICC profile.
    case codePoints
    /// An ICC profile, except where only the code points can declare PQ or HLG.
    case profileUnlessHighDynamicRange
    /// An ICC profile before everything else.
    case profile
  }

  /// How a file declares which way up its image is.
  public enum OrientationCarrier: Sendable {
    /// Properties of the image, which all readers apply.
    case properties
    /// Exif, which few readers of the format look at.
    case exif
    case none
  }

  /// The name that people know.
  public let title: String
  /// Suffixes of file names, the usual one first.
  public let suffixes: [String]
  /// The media type; `nil` where none is registered.
  public let mediaType: String?
  let signatures: [Signature]
  package let colorPrecedence: ColorPrecedence

  /// Depths of samples with an SDR transfer function.
  public let standardDepths: Depths
  /// Depths of samples with PQ or HLG, or of floating point where the format holds light.
  public let highDynamicRangeDepths: Depths
  /// Whether samples are linear light of floating point, and never anything else.
  public let holdsLight: Bool
  /// Subsamplings of Y'CbCr that are written; empty where samples are RGB or gray.
  public let subsamplings: [ChromaSubsampling]
  /// Whether Y'CbCr of narrow range and RGB with matrix 0 can be coded.
  public let isVideoCoded: Bool
  /// Where chroma samples lie in what is written.
  public let chromaLocation: ChromaLocation
  /// Whether files can store alpha.
  public let holdsAlpha: Bool
  /// Whether components are multiplied by alpha.
  public let isAlphaPremultiplied: Bool

  /// Whether CICP code points declare color.
  public let carriesCICP: Bool
  /// Whether an ICC profile declares color.
  public let carriesICC: Bool
  /// Whether SMPTE ST 2094-50 metadata go into the bitstream.
  public let carriesBitstreamMetadata: Bool
  /// Carrier of the orientation.
  public let orientationCarrier: OrientationCarrier
  /// Light metadata, diffuse white and code points that have a place.
  package let metadataPlaces: Set<MetadataPlace>
  /// Whether Exif, where there is some, has to describe the samples, too: their size and color space.
  package let exifDescribesSamples: Bool
  /// Whether Exif lies in the directories of the file itself, which leaves no place for a thumbnail.
  package let exifIsOfTheFile: Bool
  /// Whether depth and mattes are stored beside the image.
  public let carriesAuxiliaryImages: Bool
  /// Whether comments have a place: ISO/IEC 10918-1, B.2.4.5.
  package let carriesComments: Bool
  /// Whether Photoshop's image resources have a place: APP13 in JPEG, tags 34377 and 33723 in TIFF.
  package let carriesImageResources: Bool

  /// How images beside a gain map are coded; `nil` where gain maps are not written.
  package let gainMapCodec: StillCodec?
  /// Flavors of gain maps that are written where nothing else is asked for.
  public let usualGainMapFlavors: Set<GainMapFlavor>

  /// Whether an ICC profile is all that can declare color.
  public var declaresColorByProfileAlone: Bool { carriesICC && !carriesCICP }

  /// Whether samples have 8 bits, too few for PQ and HLG.
  public var isLimitedTo8Bits: Bool {
    standardDepths.all == [8] && highDynamicRangeDepths.all.isEmpty
  }

  /// Whether files of the format are camera raw, whose samples have to be developed.
  public let isCameraRaw: Bool

  /// A row; what most formats have in common is left out.
  init(
    title: String, suffixes: [String], mediaType: String?, signatures: [Signature] = [],
    colorPrecedence: ColorPrecedence = .profile, standardDepths: Depths = .none,
    highDynamicRangeDepths: Depths = .none, holdsLight: Bool = false,
    subsamplings: [ChromaSubsampling] = [], isVideoCoded: Bool = false,
    chromaLocation: ChromaLocation = .left, holdsAlpha: Bool = true,
    isAlphaPremultiplied: Bool = false, carriesCICP: Bool = false, carriesICC: Bool = true,
    carriesBitstreamMetadata: Bool = false, orientationCarrier: OrientationCarrier = .exif,
    metadataPlaces: Set<MetadataPlace> = [], exifDescribesSamples: Bool = false,
    exifIsOfTheFile: Bool = false,
    carriesAuxiliaryImages: Bool = false, carriesComments: Bool = false,
    carriesImageResources: Bool = false, gainMapCodec: StillCodec? = nil,
    usualGainMapFlavors: Set<GainMapFlavor> = [.iso], isCameraRaw: Bool = false
  ) {
    self.title = title
    self.suffixes = suffixes
    self.mediaType = mediaType
    self.signatures = signatures
    self.colorPrecedence = colorPrecedence
    self.standardDepths = standardDepths
    self.highDynamicRangeDepths = highDynamicRangeDepths
    self.holdsLight = holdsLight
    self.subsamplings = subsamplings
    self.isVideoCoded = isVideoCoded
    self.chromaLocation = chromaLocation
    self.holdsAlpha = holdsAlpha
    self.isAlphaPremultiplied = isAlphaPremultiplied
    self.carriesCICP = carriesCICP
    self.carriesICC = carriesICC
    self.carriesBitstreamMetadata = carriesBitstreamMetadata
    self.orientationCarrier = orientationCarrier
    self.metadataPlaces = metadataPlaces
    self.exifDescribesSamples = exifDescribesSamples
    self.exifIsOfTheFile = exifIsOfTheFile
    self.carriesAuxiliaryImages = carriesAuxiliaryImages
    self.carriesComments = carriesComments
    self.carriesImageResources = carriesImageResources
    self.gainMapCodec = gainMapCodec
    self.usualGainMapFlavors = usualGainMapFlavors
    self.isCameraRaw = isCameraRaw
  }
}
