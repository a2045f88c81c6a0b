// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore

/// Capabilities of a file format, and how its files declare color and orientation.
///
/// Code that depends on a capability uses these properties instead of comparing formats. Properties
/// of written files are without a meaning for formats that are only read: Radiance HDR, CR3 and
/// other camera raw files.
public struct FormatTraits: Sendable {
  /// Bytes near the beginning of each file of a format that identify it.
  struct Signature: Sendable {
    let offset: Int
    let bytes: [UInt8]

    init(_ bytes: [UInt8], at offset: Int = 0) {
      self.offset = offset
      self.bytes = bytes
    }

    init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

    func matches(_ prefix: [UInt8]) -> Bool { prefix.dropFirst(offset).starts(with: bytes) }
  }

  /// Sample depths, in bits.
  public struct Depths: Hashable, Sendable {
    /// All depths that can be written, in ascending order; empty if the format cannot store such
    /// images.
    public let all: [Int]
    /// The default depth, in bits; 0 if `all` is empty.
    public let usual: Int

    init(_ all: [Int], usual: Int) {
      self.all = all
      self.usual = usual
    }

    static let none = Depths([], usual: 0)
  }

  /// Times of encoding with two threads, as measured on the machine of `Documentation/Speed.md`.
  package struct EncodingTimes: Sendable {
    /// Seconds per megapixel for each speed, 0...10; one for all of them.
    package let lossy: [Double]
    /// As `lossy`, without loss.
    package let lossless: [Double]

    init(_ lossy: [Double], lossless: [Double]? = nil) {
      self.lossy = lossy
      self.lossless = lossless ?? lossy
    }

    /// Those of formats whose rows are encoded as they are converted.
    static let rows = EncodingTimes([0.02])
  }

  /// The time to encode an image.
  ///
  /// - Parameters:
  ///   - layout: Its layout.
  ///   - options: Options of the encoder.
  /// - Returns: Seconds with two threads.
  package func encodingTime(of layout: ImageLayout, _ options: EncoderOptions) -> Double {
    let isLossless = options.isLossless || options.quality >= EncoderOptions.bestQuality
    let rates = isLossless ? encodingTimes.lossless : encodingTimes.lossy
    let rate = rates[min(max(options.speed, 0), rates.count - 1)]
    // Chroma of full resolution takes as long as luma again.
    let isSubsampled = isVideoCoded && layout.chroma.horizontal > 1
    return layout.megapixels * rate * (isSubsampled ? 0.6 : 1)
  }

  /// The color declaration that takes precedence if several contradict each other.
  ///
  /// The rules are in `Documentation/ColorPrecedence.md`.
  package enum ColorPrecedence: Sendable {
    /// Samples are linear values; chromaticities specify the primaries.
    case light
    /// CICP code points take precedence over an ICC profile.
    case codePoints
    /// An ICC profile takes precedence, unless the code points declare PQ or HLG, which only they
    /// can.
    case profileUnlessHighDynamicRange
    /// An ICC profile takes precedence over all other declarations.
    case profile
  }

  /// Carrier of the image orientation in a file.
  package enum OrientationCarrier: Sendable {
    /// Item properties in HEIF and AVIF, fields of the image header in JPEG XL and JPEG XR, which
    /// all readers apply.
    case properties
    /// Exif, which not all readers apply.
    case exif
    case none
  }

  /// Storage of depth maps and mattes in a file.
  public enum AuxiliaryStorage: Sendable {
    case none
    /// Images of any size, with XMP.
    case images
    /// Channels of the same size as the image, without XMP.
    case channels
  }

  /// The display name.
  public let title: String
  /// File name suffixes without a dot, the most common first.
  public let suffixes: [String]
  /// The media type; `nil` if it does not have one.
  public let mediaType: String?
  var signatures: [Signature] = []
  package internal(set) var colorPrecedence: ColorPrecedence = .profile

  /// Sample depths with an SDR transfer function.
  public internal(set) var standardDepths: Depths = .none
  /// Sample depths with PQ or HLG, or of floating-point samples if the format stores linear values.
  public internal(set) var highDynamicRangeDepths: Depths = .none
  /// Depths of linear floating-point samples of a format that also stores PQ and HLG.
  public internal(set) var linearDepths: Depths = .none
  /// Whether written samples are always linear floating-point values.
  public internal(set) var storesLinearValues = false
  /// Whether linear values are scRGB: of BT.709 primaries, with 1.0 at 80 cd/m² (IEC 61966-2-2).
  package internal(set) var storesScRGB = false
  /// Whether samples can be coded with loss, which a quality controls.
  public internal(set) var hasQuality = false
  /// Y'CbCr chroma subsamplings that can be written; empty if written samples are RGB or gray.
  public internal(set) var subsamplings: [ChromaSubsampling] = []
  /// Default chroma subsampling of PQ and HLG images, if `subsamplings` is not empty.
  public internal(set) var usualHighDynamicRangeSubsampling: ChromaSubsampling = .yuv444
  /// Default quality of the encoder for PQ, HLG and linear images, 0...100; see Decision 22.
  ///
  /// 60 for HEIF, 86 for AVIF, 90 for JPEG, JPEG XL and JPEG XR.
  public internal(set) var usualQuality = 90
  /// Default quality of the encoder for SDR images, 0...100, with the same visible difference.
  ///
  /// 50 for HEIF, 80 for AVIF, 90 for JPEG, JPEG XL and JPEG XR.
  public internal(set) var usualStandardQuality = 90
  /// Default speed of the encoder, 0...10, of which 10 is fastest; see Decision 22.
  public internal(set) var usualSpeed = 6
  /// Times of encoding, in Y'CbCr of full resolution if it can be written.
  package internal(set) var encodingTimes: EncodingTimes = .rows
  /// Whether narrow-range Y'CbCr and RGB with matrix coefficients 0 can be encoded.
  package internal(set) var isVideoCoded = false
  /// Chroma sample location in written files.
  public internal(set) var chromaLocation: ChromaLocation = .left
  /// Whether files can store alpha.
  public internal(set) var holdsAlpha = true
  /// Whether alpha is premultiplied in files, as in OpenEXR.
  public internal(set) var isAlphaPremultiplied = false

  /// Whether files can declare color with CICP code points.
  public internal(set) var carriesCICP = false
  /// Whether files can declare color with an ICC profile.
  public internal(set) var carriesICC = true
  /// Whether files declare color either with code points or with an ICC profile, never with both.
  package internal(set) var declaresColorOnce = false
  /// Whether the bitstream can contain SMPTE ST 2094-50 metadata.
  package internal(set) var carriesBitstreamMetadata = false
  /// Carrier of the image orientation.
  package internal(set) var orientationCarrier: OrientationCarrier = .exif
  /// HDR metadata, diffuse white and code points that files can store.
  package internal(set) var metadataFields: Set<MetadataField> = []
  /// Whether Exif must contain the size and color space of the image.
  package internal(set) var exifDescribesSamples = false
  /// Whether the directories of the file are its Exif, so that Exif cannot contain a thumbnail.
  package internal(set) var exifIsOfTheFile = false
  /// Storage of auxiliary images such as depth maps and mattes.
  public internal(set) var auxiliaryStorage: AuxiliaryStorage = .none
  /// Whether files can store comments (ISO/IEC 10918-1, B.2.4.5), in PNG as text.
  package internal(set) var carriesComments = false
  /// Whether files can store Photoshop image resources: APP13 in JPEG, tags 34377 and 33723 in
  /// TIFF, text in PNG.
  package internal(set) var carriesImageResources = false
  /// Whether files can store the text chunks of PNG.
  package internal(set) var carriesTexts = false

  /// Codec of the images in a gain map file; `nil` if gain maps are not written.
  package internal(set) var gainMapCodec: StillCodec? = nil
  /// Whether readers apply Apple gain maps in files of this format.
  package internal(set) var holdsAppleGainMaps = false
  /// Gain map flavors that can be written.
  package internal(set) var gainMapFlavors: Set<GainMapFlavor> = Set(GainMapFlavor.allCases)
  /// Gain map flavors that are written by default, if the format stores gain maps.
  public internal(set) var usualGainMapFlavors: Set<GainMapFlavor> = [.iso]

  /// Whether color is stored as Y'CbCr; as RGB otherwise.
  package var storesYCbCr: Bool { !subsamplings.isEmpty }

  /// Whether an ICC profile is the only color declaration.
  package var declaresColorByProfileAlone: Bool { carriesICC && !carriesCICP }

  /// Whether written samples always have 8 bits, which are not sufficient for PQ and HLG.
  package var isLimitedTo8Bits: Bool {
    standardDepths.all == [8] && highDynamicRangeDepths.all.isEmpty
  }

  /// Whether metadata of the files are edited without re-encoding.
  public internal(set) var isEditable = false

  /// Whether the files are camera raw files, which must be developed.
  ///
  /// DNG and other raw files based on TIFF have the format TIFF; see `FileImage.isRaw`.
  public internal(set) var isCameraRaw = false
  /// Whether only LibRaw reads the headers of the files.
  package internal(set) var hasOpaqueHeaders = false

  /// Whether the decoder uses one thread.
  package internal(set) var isDecodedSequentially = false
  /// The format that files can be transcoded to without loss, and back to the same bytes.
  ///
  /// JPEG XL for JPEG; JPEG for JPEG XL, of files that were transcoded from JPEG; `nil` for others.
  public internal(set) var losslessCounterpart: FileFormat? = nil
}

extension FileFormat {
  /// The properties of the format.
  public var traits: FormatTraits {
    switch self {
    case .heif: .heif
    case .avif: .avif
    case .png: .png
    case .jpeg: .jpeg
    case .tiff: .tiff
    case .exr: .exr
    case .radiance: .radiance
    case .jxl: .jpegXL
    case .jpegXR: .jpegXR
    case .cr3: .cr3
    case .raw: .cameraRaw
    }
  }

  /// The display name of the format.
  public var title: String { traits.title }

  /// The format of files with this suffix, without a dot; case-insensitive.
  public init?(suffix: String) {
    let suffix = suffix.lowercased()
    guard let format = Self.allCases.first(where: { $0.traits.suffixes.contains(suffix) }) else {
      return nil
    }
    self = format
  }
}

// Properties of each format.

extension FormatTraits {
  fileprivate static let heif = FormatTraits(
    title: "HEIF", suffixes: ["heic", "heif", "hif", "heix"], mediaType: "image/heic",
    colorPrecedence: .profileUnlessHighDynamicRange,
    standardDepths: Depths([8, 10, 12], usual: 8),
    highDynamicRangeDepths: Depths([10, 12], usual: 10),
    hasQuality: true, subsamplings: [.yuv420, .yuv422, .yuv444],
    usualHighDynamicRangeSubsampling: .yuv420, usualQuality: 60, usualStandardQuality: 50,
    usualSpeed: 9,
    // The presets of x265, 10-bit 4:4:4.
    encodingTimes: EncodingTimes([4, 2.5, 1.5, 1.5, 1, 0.6, 0.6, 0.6, 0.6, 0.55, 0.22]),
    isVideoCoded: true, chromaLocation: .center, carriesCICP: true,
    carriesBitstreamMetadata: true, orientationCarrier: .properties,
    metadataFields: Set(MetadataField.allCases), auxiliaryStorage: .images,
    gainMapCodec: .hevc, holdsAppleGainMaps: true, isEditable: true)

  fileprivate static let avif = FormatTraits(
    title: "AVIF", suffixes: ["avif"], mediaType: "image/avif",
    colorPrecedence: .profileUnlessHighDynamicRange,
    standardDepths: Depths([8, 10, 12], usual: 8),
    highDynamicRangeDepths: Depths([10, 12], usual: 10),
    hasQuality: true, subsamplings: [.yuv420, .yuv422, .yuv444], usualQuality: 86,
    usualStandardQuality: 80, usualSpeed: 7,
    // 10-bit 4:4:4.
    encodingTimes: EncodingTimes([22, 9.5, 6, 4.5, 2.6, 1.6, 0.4, 0.27, 0.15, 0.12, 0.12]),
    isVideoCoded: true, chromaLocation: .center, carriesCICP: true,
    carriesBitstreamMetadata: true, orientationCarrier: .properties,
    metadataFields: Set(MetadataField.allCases), auxiliaryStorage: .images,
    gainMapCodec: .av1, isEditable: true)

  fileprivate static let png = FormatTraits(
    title: "PNG", suffixes: ["png"], mediaType: "image/png",
    signatures: [Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])],
    colorPrecedence: .codePoints, standardDepths: Depths([8, 10, 12, 16], usual: 8),
    highDynamicRangeDepths: Depths([10, 12, 16], usual: 16), encodingTimes: .deflate,
    carriesCICP: true,
    metadataFields: [.clli, .mdcv, .ndwt, .cicp], carriesComments: true,
    carriesImageResources: true,
    carriesTexts: true, gainMapCodec: .png, gainMapFlavors: [.iso],
    isEditable: true, isDecodedSequentially: true)

  fileprivate static let jpeg = FormatTraits(
    title: "JPEG", suffixes: ["jpg", "jpeg"], mediaType: "image/jpeg",
    signatures: [Signature([0xFF, 0xD8, 0xFF])], standardDepths: Depths([8], usual: 8),
    hasQuality: true, subsamplings: [.yuv420, .yuv444], chromaLocation: .center, holdsAlpha: false,
    metadataFields: [.ndwt], exifDescribesSamples: true,
    carriesComments: true, carriesImageResources: true, gainMapCodec: .jpeg,
    holdsAppleGainMaps: true, usualGainMapFlavors: [.iso, .xmp], isEditable: true,
    isDecodedSequentially: true, losslessCounterpart: .jxl)

  fileprivate static let tiff = FormatTraits(
    title: "TIFF", suffixes: ["tif", "tiff"], mediaType: "image/tiff",
    signatures: [
      Signature([0x49, 0x49, 0x2A, 0]), Signature([0x4D, 0x4D, 0, 0x2A]),
      Signature([0x49, 0x49, 0x2B, 0]), Signature([0x4D, 0x4D, 0, 0x2B]),
    ], standardDepths: Depths([8, 10, 12, 16], usual: 8),
    highDynamicRangeDepths: Depths([10, 12, 16], usual: 16), encodingTimes: .deflate,
    metadataFields: [.ndwt], exifIsOfTheFile: true, carriesImageResources: true,
    isDecodedSequentially: true)

  fileprivate static let exr = FormatTraits(
    title: "OpenEXR", suffixes: ["exr"], mediaType: nil,
    signatures: [Signature([0x76, 0x2F, 0x31, 0x01])], colorPrecedence: .light,
    highDynamicRangeDepths: Depths([16, 32], usual: 16), storesLinearValues: true,
    isAlphaPremultiplied: true, carriesICC: false, orientationCarrier: .none)

  fileprivate static let radiance = FormatTraits(
    title: "Radiance HDR", suffixes: ["hdr", "pic"], mediaType: "image/vnd.radiance",
    signatures: [Signature("#?")], colorPrecedence: .light, storesLinearValues: true,
    holdsAlpha: false, carriesICC: false, isDecodedSequentially: true)

  fileprivate static let jpegXL = FormatTraits(
    title: "JPEG XL", suffixes: ["jxl"], mediaType: "image/jxl",
    signatures: [Signature([0xFF, 0x0A]), Signature("JXL ", at: 4)],
    colorPrecedence: .codePoints, standardDepths: Depths([8, 10, 12, 16], usual: 8),
    highDynamicRangeDepths: Depths([10, 12, 16], usual: 12),
    linearDepths: Depths([16, 32], usual: 16), hasQuality: true, usualSpeed: 5,
    // The efforts of libjxl.
    encodingTimes: EncodingTimes(
      [2.5, 2.5, 1.3, 1.3, 0.3, 0.3, 0.22, 0.2, 0.1, 0.08, 0.05],
      lossless: [30, 30, 6.5, 6.5, 3.5, 3.5, 2.5, 2.1, 1.7, 0.15, 0.07]),
    carriesCICP: true, declaresColorOnce: true, orientationCarrier: .properties,
    metadataFields: [.clli, .ndwt, .cicp], auxiliaryStorage: .channels,
    gainMapCodec: .jpegXL, gainMapFlavors: [.iso], isEditable: true, losslessCounterpart: .jpeg)

  fileprivate static let jpegXR = FormatTraits(
    title: "JPEG XR", suffixes: ["jxr", "wdp", "hdp"], mediaType: "image/jxr",
    signatures: [Signature([0x49, 0x49, 0xBC])],
    colorPrecedence: .codePoints, highDynamicRangeDepths: Depths([16], usual: 16),
    storesLinearValues: true, storesScRGB: true, hasQuality: true,
    encodingTimes: EncodingTimes([0.09], lossless: [0.16]), carriesICC: false,
    orientationCarrier: .properties, exifIsOfTheFile: true, carriesImageResources: true,
    isEditable: true, isDecodedSequentially: true)

  fileprivate static let cr3 = FormatTraits(
    title: "Canon raw (CR3)", suffixes: ["cr3"], mediaType: nil,
    isCameraRaw: true)

  /// Fujifilm, Olympus, Panasonic, Canon CRW, Sigma and Minolta raw files.
  ///
  /// Source: ExifTool's table of file types.
  fileprivate static let cameraRaw = FormatTraits(
    title: "camera raw", suffixes: [], mediaType: nil,
    signatures: [
      Signature("FUJIFILMCCD-RAW "), Signature("IIRO"), Signature("IIRS"), Signature("MMOR"),
      Signature("IIU\0"), Signature("HEAPCCDR", at: 6), Signature("FOVb"), Signature("\0MRM"),
    ], isCameraRaw: true, hasOpaqueHeaders: true)
}

extension FormatTraits.EncodingTimes {
  /// Those of 16-bit RGB, by the levels of libdeflate, and by ISA-L.
  fileprivate static let deflate = Self(
    [0.6, 0.5, 0.4, 0.22, 0.18, 0.09, 0.04, 0.04, 0.03, 0.03, 0.03])
}
