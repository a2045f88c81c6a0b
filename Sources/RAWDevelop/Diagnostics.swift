// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Diagnostics of this module: their codes and their only English text.

extension ErrorCode {
  static let missingCodec = ErrorCode(
    "missing-codec", .missingCodec,
    "{format} requires {codec}, which this build does not have")
  static let rawActiveAreaEmpty = ErrorCode(
    "raw/active-area-empty", .malformed,
    "the active area is outside of {size}")
  static let rawActiveAreaInvalid = ErrorCode(
    "raw/active-area-invalid", .malformed,
    "active area {area} in an image of {size}")
  static let rawBadPixelCount = ErrorCode(
    "raw/bad-pixel-count", .malformed,
    "{points point} and {rectangles rectangle}")
  static let rawBadPixelValue = ErrorCode(
    "raw/bad-pixel-value", .malformed,
    "{value} marks bad pixels of 16 bits")
  static let rawCameraUnknown = ErrorCode(
    "raw/camera-unknown", .unsupported,
    "{library} does not have a color matrix for the camera {camera}")
  static let rawCfaLayoutUnsupported = ErrorCode(
    "raw/cfa-layout-unsupported", .unsupported,
    "photosites not in a rectangular grid (layout {layout})")
  static let rawCfaPatternSize = ErrorCode(
    "raw/cfa-pattern-size", .malformed,
    "{filters filter} for {rows} x {columns} photosites")
  static let rawChunkCount = ErrorCode(
    "raw/chunk-count", .malformed,
    "{offsets offset} and {sizes size} for {chunks strip or tile}")
  static let rawChunkFrame = ErrorCode(
    "raw/chunk-frame", .malformed,
    "frame of {size pixel} with {components component}, for {samples sample}")
  static let rawChunkImageSize = ErrorCode(
    "raw/chunk-image-size", .malformed,
    "image of {found}, not {expected}")
  static let rawChunkInflatedSize = ErrorCode(
    "raw/chunk-inflated-size", .truncated,
    "inflates to {size byte}; its samples require {needed}")
  static let rawChunkMissing = ErrorCode(
    "raw/chunk-missing", .truncated, "truncated: the samples are not in the file")
  static let rawChunkOutOfRange = ErrorCode(
    "raw/chunk-out-of-range", .truncated,
    "truncated: needs {size byte}; the file has {available byte}")
  static let rawChunkTruncated = ErrorCode(
    "raw/chunk-truncated", .truncated,
    "{size byte}; its samples require {needed}")
  static let rawCodeInvalid = ErrorCode(
    "raw/code-invalid", .malformed,
    "invalid Huffman code in row {row}")
  /// Raw samples of this compression are not supported.
  public static let rawCompressionUnsupported = ErrorCode(
    "raw/compression-unsupported", .unsupported,
    "raw samples of compression {compression} are not supported")
  static let rawCropOutsideArea = ErrorCode(
    "raw/crop-outside-area", .malformed,
    "crop of {size} at {origin} in an area of {area}")
  static let rawDNGVersionUnsupported = ErrorCode(
    "raw/dng-version-unsupported", .unsupported,
    "requires a reader of DNG {version}; {supported} is supported")
  static let rawFilterResizes = ErrorCode(
    "raw/filter-resizes", .invalidArgument,
    "the filter of scene-linear values changes the number of pixels")
  static let rawFloatInJPEG = ErrorCode(
    "raw/float-in-jpeg", .malformed,
    "floating-point samples in JPEG")
  static let rawForwardMatrixInvalid = ErrorCode(
    "raw/forward-matrix-invalid", .malformed,
    "ForwardMatrix does not map to white")
  static let rawFrameInvalid = ErrorCode(
    "raw/frame-invalid", .malformed,
    "frame of {width}x{height}, {components component} of {bits bit}")
  static let rawGainsTruncated = ErrorCode(
    "raw/gains-truncated", .malformed,
    "truncated: {count gain} of {size byte} in {available byte}")
  static let rawJPEGProcessUnsupported = ErrorCode(
    "raw/jpeg-process-unsupported", .unsupported,
    "JPEG process {process}; lossless JPEG is 3")
  static let rawLevelCount = ErrorCode(
    "raw/level-count", .malformed,
    "{count level} for {samples sample}")
  static let rawLibRawSampleType = ErrorCode(
    "raw/libraw-sample-type", .unsupported,
    "LibRaw decodes the file to an unsupported type of samples")
  static let rawLightSize = ErrorCode(
    "raw/light-size", .malformed,
    "light source data of {size byte}")
  static let rawLinearizationOfFloats = ErrorCode(
    "raw/linearization-of-floats", .malformed,
    "linearization table for floating-point samples")
  static let rawLossyJPEGDepth = ErrorCode(
    "raw/lossy-jpeg-depth", .malformed,
    "samples of {bits bit} in lossy JPEG, which has 8")
  static let rawMarkerUnexpected = ErrorCode(
    "raw/marker-unexpected", .malformed,
    "marker {marker} before the encoded samples")
  static let rawMaskAreaInvalid = ErrorCode(
    "raw/mask-area-invalid", .malformed,
    "{area} with a part of {size}")
  static let rawMatrixSingular = ErrorCode(
    "raw/matrix-singular", .malformed,
    "{matrix} has no inverse")
  static let rawMatrixSize = ErrorCode(
    "raw/matrix-size", .unsupported,
    "color matrix of {count element}, not 9")
  static let rawMatteComponents = ErrorCode(
    "raw/matte-components", .unsupported,
    "mask of {count sample} per pixel")
  static let rawMatteUnknown = ErrorCode(
    "raw/matte-unknown", .unsuitable,
    "the file does not contain the matte '{name}'")
  static let rawMosaicSizeUnsupported = ErrorCode(
    "raw/mosaic-size-unsupported", .unsupported,
    "mosaic of {rows}x{columns} filters is not supported")
  static let rawMosaicUnsupported = ErrorCode(
    "raw/mosaic-unsupported", .unsupported,
    "mosaic of {filters}, not of red, green and blue in two by two (Bayer)")
  static let rawNeutralOutside = ErrorCode(
    "raw/neutral-outside", .invalidArgument,
    "the neutral location {x}, {y} is outside the image of {size}")
  static let rawNeutralUnusable = ErrorCode(
    "raw/neutral-unusable", .unsuitable,
    "the image around {x}, {y} is black or saturated, so that its color is unknown")
  static let rawNoColorMatrix = ErrorCode(
    "raw/no-color-matrix", .unsupported,
    "no color matrix in the file; camera colors cannot be interpreted")
  static let rawNoPreview = ErrorCode(
    "raw/no-preview", .unsuitable,
    "the file does not contain a preview as JPEG")
  static let rawNoRawImage = ErrorCode(
    "raw/no-raw-image", .malformed,
    "the file does not contain a raw image")
  static let rawNumbersTruncated = ErrorCode(
    "raw/numbers-truncated", .malformed,
    "truncated: {count number} in {available byte}")
  static let rawOpcodeUnsupported = ErrorCode(
    "raw/opcode-unsupported", .unsupported,
    "opcode {opcode} in list {list} is required and not supported")
  static let rawOptionOutOfRange = ErrorCode(
    "raw/option-out-of-range", .invalidArgument,
    "{option} of {value}, not of {range}")
  static let rawPredictorInvalid = ErrorCode(
    "raw/predictor-invalid", .malformed,
    "predictor {predictor} with a shift of {shift bit}")
  static let rawPredictorUnsupported = ErrorCode(
    "raw/predictor-unsupported", .unsupported,
    "this predictor with samples of {bits bit} is not supported")
  static let rawProfileOutOfRange = ErrorCode(
    "raw/profile-out-of-range", .truncated,
    "truncated: the profile begins at {offset byte}; the file has {size byte}")
  static let rawProfileUnknown = ErrorCode(
    "raw/profile-unknown", .invalidArgument,
    "the file does not contain the camera profile '{name}'")
  static let rawProfilesUnnamed = ErrorCode(
    "raw/profiles-unnamed", .invalidArgument,
    "the file does not contain the camera profile '{name}'")
  static let rawRectangleInvalid = ErrorCode(
    "raw/rectangle-invalid", .malformed,
    "rectangle from {top}, {left} to {bottom}, {right}")
  static let rawRestartWithinRow = ErrorCode(
    "raw/restart-within-row", .malformed,
    "restart markers within rows")
  static let rawSampleFormatUnsupported = ErrorCode(
    "raw/sample-format-unsupported", .unsupported,
    "raw samples of {bits bit} in format {format} are not supported")
  static let rawSamplesLimitExceeded = ErrorCode(
    "raw/samples-limit-exceeded", .limitExceeded,
    "raw samples of more than {limit byte}")
  static let rawSamplesTruncated = ErrorCode(
    "raw/samples-truncated", .truncated,
    "truncated: {samples sample} in {size byte}")
  static let rawScanComponentsUnsupported = ErrorCode(
    "raw/scan-components-unsupported", .unsupported,
    "scan of {scan component} in a frame of {frame}")
  static let rawScanOrder = ErrorCode(
    "raw/scan-order", .malformed,
    "wrong order in the scan: component {component} instead of {expected}")
  static let rawScanTruncated = ErrorCode(
    "raw/scan-truncated", .truncated,
    "the encoded samples end at row {row}")
  static let rawSubsamplingUnsupported = ErrorCode(
    "raw/subsampling-unsupported", .unsupported,
    "subsampled components of a lossless JPEG are not supported")
  static let rawTableSizeDiffers = ErrorCode(
    "raw/table-size-differs", .malformed,
    "{count number} for a table of {sizes}")
  static let rawTableTrailingBytes = ErrorCode(
    "raw/table-trailing-bytes", .malformed,
    "{size byte} after {count color table}")
  static let rawTrimBoundsInvalid = ErrorCode(
    "raw/trim-bounds-invalid", .malformed,
    "TrimBounds to rows {rows} and columns {columns} of an image of {size}")
  static let rawWhiteBelowBlack = ErrorCode(
    "raw/white-below-black", .malformed,
    "white level {white} is not above black level {black}")
  static let rawSelectionNotRaw = ErrorCode(
    "raw/selection-not-raw", .invalidArgument,
    "the selected image is not a raw image")
  static let rawWhiteInvalid = ErrorCode(
    "raw/white-invalid", .invalidArgument,
    "white balance at x {x}, y {y}")
  static let rawXTransTooSmall = ErrorCode(
    "raw/x-trans-too-small", .unsupported,
    "{library} interpolates X-Trans of {limit} photosites or more, not of {size}")
  static let tagValueCount = ErrorCode(
    "tag-value-count", .malformed, "{field} has {count value}; 1 to {limit} are possible")
  static let valueNotFinite = ErrorCode(
    "value-not-finite", .malformed,
    "{field} is {value} (undefined)")
}

extension NoticeCode {
  package static let rawAssumedColorNotUsed = NoticeCode(
    "raw/assumed-color-not-used", .conflict,
    "not used: assumed color and white (raw files specify them)")
  static let rawChunkLeftBlack = NoticeCode("raw/chunk-left-black", .dropped, "left black: {cause}")
  static let rawColorTableWithoutMask = NoticeCode(
    "raw/color-table-without-mask", .irregular,
    "color table for '{mask}', but no semantic mask has this name")
  static let rawChunkUnpadded = NoticeCode(
    "raw/chunk-unpadded", .conflict,
    "not padded to {size pixel}; the image is complete")
  static let rawCropExceedsImage = NoticeCode(
    "raw/crop-exceeds-image", .irregular,
    "the crop ends at column {column} and row {row}, outside of the image (limited to the image)")
  static let rawDirectoryCyclic = NoticeCode(
    "raw/directory-cyclic", .irregular,
    "ignored: cyclic directory")
  static let rawDirectoryUnreadable = NoticeCode(
    "raw/directory-unreadable", .irregular,
    "not readable: {cause}")
  static let rawExifMissing = NoticeCode("raw/exif-missing", .dropped, "no Exif in the file")
  static let rawLookUnreadable = NoticeCode("raw/look-unreadable", .irregular, "not used: {cause}")
  static let rawLookUnsupported = NoticeCode("raw/look-unsupported", .dropped, "not used: {cause}")
  static let rawMaskWithTableDropped = NoticeCode(
    "raw/mask-with-table-dropped", .dropped,
    "dropped: mask with its color table: {cause}")
  static let rawMatteNotCopied = NoticeCode(
    "raw/matte-not-copied", .dropped,
    "not copied: mask '{matte}' (other formats have no type for it)")
  static let rawMatteUnreadable = NoticeCode(
    "raw/matte-unreadable", .dropped,
    "not readable: mask: {cause}")
  static let rawNoLocalToneMap = NoticeCode(
    "raw/no-local-tone-map", .dropped,
    "not used: amount of local tone mapping (the file does not have a map for it)")
  static let rawNotDevelopable = NoticeCode(
    "raw/not-developable", .dropped,
    "cannot be developed: {cause}")
  static let rawOpcodeSkipped = NoticeCode(
    "raw/opcode-skipped", .dropped,
    "not applied: opcode {opcode} (unknown, marked as optional)")
  static let rawOpcodeUnbounded = NoticeCode(
    "raw/opcode-unbounded", .irregular,
    "not applied: opcode {opcode} (its coefficients are far beyond those of a lens)")
  static let rawOpcodesNotApplied = NoticeCode(
    "raw/opcodes-not-applied", .dropped,
    "not applied: corrections (opcodes) of a mosaic that LibRaw interpolates")
  static let rawPixelScaleIgnored = NoticeCode(
    "raw/pixel-scale-ignored", .irregular,
    "not used: pixel aspect ratio {scale}")
  static let rawWarpImpossible = NoticeCode(
    "raw/warp-impossible", .irregular,
    "not used: lens correction that would shrink a part of the image to less than a quarter")
  static let rawWhiteAssumed = NoticeCode(
    "raw/white-assumed", .assumed,
    "assumed: daylight of {kelvin kelvin} as white (not specified)")
  static let rawMatrixOfLibrary = NoticeCode(
    "raw/matrix-of-library", .assumed,
    "assumed: the color matrix of the library for this camera (the file does not have one)")
  static let rawMatrixAssumed = NoticeCode(
    "raw/matrix-assumed", .assumed,
    "assumed: camera colors with the primaries of BT.709 (no color matrix in the file, and none is "
      + "known for the camera); colors are approximate")
  static let rawWhiteAssumedDaylight = NoticeCode(
    "raw/white-assumed-daylight", .assumed,
    "assumed: daylight as white (not specified)")
}
