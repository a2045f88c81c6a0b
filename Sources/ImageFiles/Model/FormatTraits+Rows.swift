// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

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
