// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// The diagnostics of this module: their codes, and their English, which stands nowhere else.

extension ErrorCode {
  static let adaptationNeedsProfile = ErrorCode(
    "adaptation/needs-profile", .invalidArgument,
    "ST 2094-50 metadata require HEIF or AVIF, or PQ or HLG with an ICC profile")
  static let adaptationProfileGiven = ErrorCode(
    "adaptation/profile-given", .invalidArgument,
    "ST 2094-50 metadata cannot be added to a given ICC profile")
  static let appleSwapNeedsSDRBase = ErrorCode(
    "apple/swap-needs-sdr-base", .invalidArgument,
    "an Apple gain map requires an SDR baseline image")
  static let baseFloatingPoint = ErrorCode(
    "base/floating-point", .invalidArgument,
    "baseline images of floating-point samples cannot be re-encoded as {format}")
  static let baseProfileNotPortable = ErrorCode(
    "base/profile-not-portable", .invalidArgument,
    "the ICC profile of the baseline image cannot be used in {format}")
  static let baseSubsamplingUnsupported = ErrorCode(
    "base/subsampling-unsupported", .invalidArgument,
    "{format} baseline images are written in {supported}")
  static let compareSizesDiffer = ErrorCode(
    "compare/sizes-differ", .invalidArgument,
    "images of different aspect ratios: {first pixel} and {second}")
  static let createAppleNeedsSDRBase = ErrorCode(
    "create/apple-needs-sdr-base", .invalidArgument,
    "an Apple gain map requires an SDR baseline image")
  static let createAppleOneComponent = ErrorCode(
    "create/apple-one-component", .invalidArgument, "an Apple gain map has one component")
  static let createBaseDepthUnsupported = ErrorCode(
    "create/base-depth-unsupported", .invalidArgument,
    "{image} baseline images in {format} have {supported} bits, not {bits}")
  /// The SDR image does not show the content of the raw file.
  public static let companionDiffers = ErrorCode(
    "create/companion-differs", .unsuitable,
    "the SDR image does not match the raw file: its content was found there with a confidence of "
      + "{confidence %}, below {limit %}")
  static let createCompanionWarped = ErrorCode(
    "create/companion-warped", .unsuitable,
    "the SDR image is warped against the raw file by {displacement pixel}, more than {limit}")
  static let createMapDepthUnsupported = ErrorCode(
    "create/map-depth-unsupported", .invalidArgument,
    "{flavor} gain maps have {supported} bits, not {bits}")
  /// The HDR image hardly exceeds reference white, so that a gain map would restore nothing.
  public static let imageWithoutHeadroom = ErrorCode(
    "create/no-headroom", .unsuitable,
    "fewer than 0.01 % of the pixels are brighter than reference white: a gain map would restore "
      + "nothing")
  static let createSDRIsHDR = ErrorCode(
    "create/sdr-is-hdr", .invalidArgument, "the image given as SDR is an HDR image")
  /// The SDR image and the HDR image have different sizes.
  public static let pairSizesDiffer = ErrorCode(
    "create/sizes-differ", .invalidArgument,
    "the SDR image has {sdr pixel}, the HDR image {hdr} (both upright)")
  static let createTargetErrorUnreachable = ErrorCode(
    "create/target-error-unreachable", .invalidArgument,
    "no quality reaches a Delta E ITP of {limit}; quality 100 reaches {reached}")
  static let gainMapExactConflict = ErrorCode(
    "gain-map/exact-conflict", .invalidArgument,
    "the samples of one gain map cannot have exactly the same effect for Apple and for other "
      + "readers")
  static let gainMapFlavorNotPossiblePerComponent = ErrorCode(
    "gain-map/flavor-not-possible-per-component", .invalidArgument,
    "{flavor} cannot describe this gain map: {cause}, and its components differ")
  package static let gainMapSamplesNotDecodable = ErrorCode(
    "gain-map/samples-not-decodable", .unsuitable, "the gain map cannot be decoded: {cause}")
  static let printProfileNotSDR = ErrorCode(
    "print/profile-not-sdr", .invalidArgument,
    "the ICC profile describes PQ or HLG, not an SDR color space")
  static let printProfileUnusable = ErrorCode(
    "print/profile-unusable", .invalidArgument, "the ICC profile is not one of RGB: {cause}")
  static let swapAppleOnly = ErrorCode(
    "swap/apple-only", .invalidArgument,
    "an Apple gain map requires an SDR baseline image, and this gain map has no other metadata")
  static let tagNoCodePoints = ErrorCode(
    "tag/no-code-points", .invalidArgument,
    "an ICC profile is made from code points, which the file does not have")
  static let targetDepthUnsupported = ErrorCode(
    "target/depth-unsupported", .invalidArgument,
    "{bits bit} in {format} is not supported; supported: {supported}")
  static let targetGrayWithProfile = ErrorCode(
    "target/gray-with-profile", .invalidArgument, "an RGB profile cannot describe a gray image")
  static let targetMatrixUnsupported = ErrorCode(
    "target/matrix-unsupported", .invalidArgument, "matrix {matrix} cannot be written")
  static let targetNoCICP = ErrorCode(
    "target/no-cicp", .invalidArgument, "{format} has no code points; it signals color by ICC")
  static let targetNotHDR = ErrorCode(
    "target/not-hdr", .invalidArgument, "{format} cannot store a PQ or HLG image")
  static let targetNotLinear = ErrorCode(
    "target/not-linear", .invalidArgument, "{format} stores linear values, not PQ or HLG")
  static let targetNotScRGB = ErrorCode(
    "target/not-scrgb", .invalidArgument,
    "{format} stores scRGB, which has the primaries of BT.709; colors outside of them are kept "
      + "as negative values"
  )
  static let targetProfileNotStorable = ErrorCode(
    "target/profile-not-storable", .invalidArgument, "{format} cannot store an ICC profile")
  static let targetProfileRequired = ErrorCode(
    "target/profile-required", .invalidArgument,
    "without an ICC profile the {format} file would not specify its color")
  static let targetPremultipliedUnsupported = ErrorCode(
    "target/premultiplied-unsupported", .invalidArgument,
    "premultiplied alpha is not written in {format}")
  static let targetRangeUnsupported = ErrorCode(
    "target/range-unsupported", .invalidArgument, "{format} is full range")
  static let targetSubsampledRGB = ErrorCode(
    "target/subsampled-rgb", .invalidArgument,
    "matrix 0 is RGB, but chroma subsampling requires Y'CbCr")
  static let targetSubsamplingUnsupported = ErrorCode(
    "target/subsampling-unsupported", .invalidArgument,
    "{format} stores RGB; chroma cannot be subsampled")
  static let transcodeDiffers = ErrorCode(
    "transcode/differs", .unsupported,
    "the JPEG file cannot be reconstructed exactly with its gain map")
  static let transcodeFormats = ErrorCode(
    "transcode/formats", .invalidArgument, "{source} cannot be transcoded to {target} without loss")
  package static let convertFlavorsWithoutGainMap = ErrorCode(
    "convert/flavors-without-gain-map", .invalidArgument,
    "the output does not contain a gain map, which the flavors describe")
  package static let convertOptionChangesSamples = ErrorCode(
    "convert/option-changes-samples", .invalidArgument,
    "{field} cannot be used: the output has a gain map, which is {gainMap}")
  /// The request keeps a gain map, but the file does not have one.
  public static let noGainMapToKeep = ErrorCode(
    "convert/keep-without-gain-map", .invalidArgument, "the file does not contain a gain map")
  /// The format of the output cannot store a gain map.
  public static let gainMapNotStorable = ErrorCode(
    "convert/no-gain-map-in-format", .invalidArgument, "{format} files cannot store a gain map")
  package static let createSDRIsRaw = ErrorCode(
    "create/sdr-is-raw", .unsuitable, "a raw file is not an SDR image; it must be developed first")
  package static let createSDRRotated = ErrorCode(
    "create/sdr-rotated", .invalidArgument,
    "the SDR image is rotated by 90 degrees: it has {sdr pixel}, the HDR image {hdr} (both "
      + "upright)")
  package static let joinBaseIsHDR = ErrorCode(
    "join/base-is-hdr", .invalidArgument,
    "according to the metadata, the baseline image is the HDR image; JPEG has 8 bits, too few "
      + "for it"
  )
  package static let joinCodecsDiffer = ErrorCode(
    "join/codecs-differ", .invalidArgument,
    "the gain map is {map}, the baseline image is {base}; one file stores one of them")
  package static let joinOrientationDiffers = ErrorCode(
    "join/orientation-differs", .invalidArgument,
    "the gain map has orientation {map}, the baseline image {base}; its coded image cannot be "
      + "rotated")
  /// The name of the output does not have a suffix.
  public static let outputFormatMissing = ErrorCode(
    "output/format-missing", .invalidArgument, "the output has an unknown suffix, or none")
  /// The suffix of the output is not that of a format.
  public static let outputFormatUnknown = ErrorCode(
    "output/format-unknown", .invalidArgument, "'{suffix}' is not an output format")
  /// Files of the format are read, but not written.
  public static let outputFormatNotWritten = ErrorCode(
    "output/format-not-written", .unsupported, "{format} files can be read, but not written")
  package static let recodeContainerDiffers = ErrorCode(
    "recode/container-differs", .invalidArgument,
    "it is {coded}; {format} files store {held} images only")
  package static let recodeForSwap = ErrorCode(
    "recode/for-swap", .invalidArgument,
    "the alternate image is in the file only as baseline image and gain map")
  package static let renderHDRNotStorable = ErrorCode(
    "render/hdr-not-storable", .invalidArgument,
    "{target} cannot store luminance above reference white")
  package static let rawOptionWithoutRaw = ErrorCode(
    "raw/option-without-raw", .invalidArgument, "{field} is for raw files only")
}

extension NoticeCode {
  static let adaptationNotCopied = NoticeCode(
    "adaptation/not-copied", .dropped,
    "not copied: ST 2094-50 metadata (the baseline image is re-encoded)")
  static let auxiliaryNotCropped = NoticeCode(
    "auxiliary/not-cropped", .dropped,
    "not copied: auxiliary images ({names auxiliary image}; they would not match the cropped "
      + "or resized image)")
  static let auxiliaryNotStorable = NoticeCode(
    "auxiliary/not-storable", .dropped,
    "not copied: auxiliary images ({names auxiliary image}; only HEIF, AVIF and JPEG XL can store "
      + "them)")
  static let baseReEncoded = NoticeCode(
    "base/re-encoded", .reencoded,
    "re-encoded: base image ({codec} to {format}, quality {quality})")
  static let baseReEncodedInFormat = NoticeCode(
    "base/re-encoded-in-format", .reencoded, "re-encoded: base image (quality {quality})")
  static let colorPrimariesNonconforming = NoticeCode(
    "color/primaries-nonconforming", .nonconforming,
    "primaries other than BT.2020 are outside ISO 22028-5 (rule H5-PRI-1)")
  static let colorSceneReferredNotStorable = NoticeCode(
    "color/scene-referred-not-storable", .dropped,
    "not stored: scene-referred image state (an ICC profile can specify it)")
  static let compareNegative = NoticeCode(
    "compare/negative", .clipped,
    "{count pixel} with negative components, out of gamut of BT.2020 ({share %}), compared as 0")
  static let createAlphaDropped = NoticeCode(
    "create/alpha-dropped", .dropped,
    "dropped: alpha channel of {images} ({format} cannot store it); composed on black")
  static let createAuxiliariesOfOne = NoticeCode(
    "create/auxiliaries-of-one", .dropped,
    "not copied: auxiliary images of the other image ({types auxiliary image}; those of one "
      + "image are used)")
  static let createColorsOutsideBase = NoticeCode(
    "create/colors-outside-base", .clipped,
    "clipped: {share %} of the pixels of the HDR image are outside the primaries of the "
      + "baseline image, in which the gain is defined")
  static let createCompanionRegistered = NoticeCode(
    "create/companion-registered", .irregular,
    "registered: SDR image on the raw file (scale {scale}, offset {offset} pixels, "
      + "orientation {orientation}, distortion {distortion pixel}, remaining displacement "
      + "{displacement pixel}, confidence {confidence %})")
  static let createSDRNotKept = NoticeCode(
    "create/sdr-not-kept", .dropped,
    "dropped: {what} of the HDR image (the SDR image is tone mapped from it)")
  static let metadataMakerNotesDropped = NoticeCode(
    "metadata/maker-notes-dropped", .dropped,
    "not copied: {items item} (private data of the camera, which belong to the old file)")
  static let exifThumbnailNotInTIFF = NoticeCode(
    "exif/thumbnail-not-in-tiff", .dropped,
    "not copied: thumbnail in Exif (not written to {format})")
  static let gainMapDropped = NoticeCode(
    "gain-map/dropped", .dropped, "dropped: gain map ({flavor}); this is the baseline image")
  static let gainMapReEncodedInFormat = NoticeCode(
    "gain-map/re-encoded-in-format", .reencoded, "re-encoded: gain map (quality {quality})")
  static let gainMapShapeDiffers = NoticeCode(
    "gain-map/shape-differs", .conflict,
    "gain map of {map pixel} is stretched over the baseline image of {base} (the aspect ratios "
      + "differ)")
  static let gainMapShapeRotated = NoticeCode(
    "gain-map/shape-rotated", .conflict,
    "gain map of {map pixel} is stretched over the baseline image of {base} (the aspect ratios "
      + "differ; it seems to be rotated by 90 degrees)")
  static let metadataEmbeddedNotCopied = NoticeCode(
    "metadata/embedded-not-copied", .dropped,
    "not copied: {items embedded item} (part of the old file)")
  static let metadataThumbnailNotCopied = NoticeCode(
    "metadata/thumbnail-not-copied", .dropped,
    "not copied: embedded {items item} (it would not match the re-encoded image)")
  static let pixelsAboveDisplayPeak = NoticeCode(
    "pixels/above-display-peak", .clipped,
    "clipped: {share %} of the pixels, brighter than the display ({count pixel})")
  static let pixelsAboveHLGMaximum = NoticeCode(
    "pixels/above-hlg-maximum", .clipped,
    "clipped: {share %} of the pixels, brighter than HLG can store ({count pixel})")
  static let pixelsAbovePQMaximum = NoticeCode(
    "pixels/above-pq-maximum", .clipped,
    "clipped: {share %} of the pixels, brighter than PQ can store, 10000 cd/m² ({count pixel})")
  static let pixelsAboveSignalRange = NoticeCode(
    "pixels/above-signal-range", .clipped,
    "clipped: {count pixel} above the largest signal ({share %})")
  static let pixelsEmissive = NoticeCode(
    "pixels/emissive", .dropped,
    "dropped: luminance of {count emissive pixel} (flames, glow; {share %}), which straight "
      + "alpha cannot store; OpenEXR can")
  static let pixelsGamutMapped = NoticeCode(
    "pixels/gamut-mapped", .clipped,
    "changed: {count pixel} out of gamut (moved into it; {share %})")
  static let pixelsInfinite = NoticeCode(
    "pixels/infinite", .clipped,
    "clipped: {count pixel} infinite (set to the largest finite value; {share %})")
  static let pixelsNotANumber = NoticeCode(
    "pixels/not-a-number", .clipped, "clipped: {count pixel} not a number (set to 0; {share %})")
  static let pixelsOutOfGamut = NoticeCode(
    "pixels/out-of-gamut", .clipped,
    "clipped: {count pixel} out of gamut (negative components set to 0), {share %} of the image")
  static let swapPixelsClipped = NoticeCode(
    "swap/pixels-clipped", .clipped,
    "clipped: {count pixel} outside the range of the new baseline image ({share %})")
  package static let convertCompanionAlone = NoticeCode(
    "convert/companion-alone", .irregular,
    "the output is {file} alone: fewer than 0.01 % of the pixels of the raw file are brighter than "
      + "reference white")
  package static let convertGainMapApplied = NoticeCode(
    "convert/gain-map-applied", .assumed,
    "the output is one HDR image, without the SDR image and the gain map")
  package static let convertGainMapDropped = NoticeCode(
    "convert/gain-map-dropped", .dropped, "dropped: gain map; this is the baseline image")
  package static let convertGainMapKept = NoticeCode(
    "convert/gain-map-kept", .assumed, "the gain map is kept together with its baseline image")
  static let convertQualityReduced = NoticeCode(
    "convert/quality-reduced", .reencoded,
    "quality {quality}: with the usual {usual}, the file would be larger than its input")
  static let convertLargerThanInput = NoticeCode(
    "convert/larger-than-input", .irregular,
    "the file is larger than its input ({count byte} instead of {input byte}), and would be with quality {quality} ({least byte})"
  )
  package static let convertWithoutHeadroom = NoticeCode(
    "convert/without-headroom", .irregular,
    "SDR JPEG without a gain map: fewer than 0.01 % of the pixels are brighter than reference white"
  )
  static let convertWhiteNotStored = NoticeCode(
    "convert/white-not-stored", .assumed,
    "assumed: white of SDR content has {white cd/m²} (the file does not contain that of the screen)"
  )
  package static let encodeQualityNotUsed = NoticeCode(
    "encode/quality-not-used", .irregular,
    "the quality is not used: {format} is encoded without loss")
  package static let geometryNotEnlarged = NoticeCode(
    "geometry/not-enlarged", .irregular, "the image has {size pixel} and was not enlarged")
  package static let locationIncluded = NoticeCode(
    "location/included", .irregular, "the output contains location data (GPS)")
  package static let recodeNotNeeded = NoticeCode(
    "recode/not-needed", .assumed, "no image was re-encoded; the quality was not used")
  package static let swapBaseInOtherPrimaries = NoticeCode(
    "swap/base-in-other-primaries", .irregular,
    "the new baseline image has the primaries of the old one, in which the gain map is defined")
}

// Codes of the diagnostics of requests, with their English text.

extension ErrorCode {
  /// Two fields of the request exclude each other.
  public static let requestConflict = ErrorCode(
    "request/conflict", .invalidArgument, "{field} and {other} exclude each other")
  /// A field of the request cannot be read.
  public static let requestInvalid = ErrorCode(
    "request/invalid", .invalidArgument, "{field} cannot be read: {cause}")
  static let requestLevelWithoutHeadroom = ErrorCode(
    "request/level-without-headroom", .invalidArgument,
    "a mixture of levels with 'high' depends on the display, whose headroom is missing ({other})")
  /// A step of the request would lose information, and it requests a lossless output.
  public static let requestLossy = ErrorCode(
    "request/lossy", .invalidArgument,
    "the output would not be lossless because of {step} ({field})")
  /// The value of a field of the request is outside its range.
  public static let requestOutOfRange = ErrorCode(
    "request/out-of-range", .invalidArgument, "{field} takes {values}")
  /// A field of the request requires another one.
  public static let requestRequires = ErrorCode(
    "request/requires", .invalidArgument, "{field} requires {other}")
  static let requestTransferNotSDR = ErrorCode(
    "request/transfer-not-sdr", .invalidArgument,
    "{field} makes an SDR image, but the transfer function {transfer} is for HDR images")
  /// The request has a field of an unknown name.
  public static let requestUnknownField = ErrorCode(
    "request/unknown-field", .invalidArgument, "{field} is not a field of a request")
  /// A field of the request would not have an effect on this file.
  public static let requestWithoutEffect = ErrorCode(
    "request/without-effect", .invalidArgument, "{field} would change nothing: {reason}")
}
