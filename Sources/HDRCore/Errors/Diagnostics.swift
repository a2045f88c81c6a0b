// SPDX-License-Identifier: Apache-2.0
// The diagnostics of this module: codes and English text.

extension ErrorCode {
  /// The job takes more memory than `Execution.budget` allows.
  public static let memoryBudgetExceeded = ErrorCode(
    "budget/memory-exceeded", .limitExceeded,
    "{element} of {size byte}; the limit for the whole job is {limit byte}")
  /// The file takes more steps than `Execution.budget` allows.
  public static let workBudgetExceeded = ErrorCode(
    "budget/work-exceeded", .limitExceeded,
    "{element}: the limit for the whole job is {limit step}")
  /// The job takes longer than the time limit of `Execution.budget`.
  public static let timeLimitExceeded = ErrorCode(
    "budget/time-exceeded", .limitExceeded, "it takes longer than {limit second}")
  /// The program or the task cancelled the operation.
  public static let cancelled = ErrorCode("cancelled", .cancelled, "the operation was cancelled")
  package static let codedDataTooShort = ErrorCode(
    "coded-data-too-short", .truncated,
    "{size pixel} need at least {needed byte} of coded data; the file has {available byte}")
  static let colorMatrixBitsUnsupported = ErrorCode(
    "color/matrix-bits-unsupported", .unsupported,
    "{matrix} with {bits bit} is not supported")
  static let colorMatrixRequiresHDR = ErrorCode(
    "color/matrix-requires-hdr", .unsupported,
    "{matrix} requires PQ or HLG")
  static let colorMatrixRequiresIntegers = ErrorCode(
    "color/matrix-requires-integers", .unsupported,
    "{matrix} requires integer samples")
  static let colorMatrixRequiresRGB = ErrorCode(
    "color/matrix-requires-rgb", .unsupported,
    "{matrix} requires RGB samples")
  static let colorMatrixUnsupported = ErrorCode(
    "color/matrix-unsupported", .unsupported,
    "{matrix} cannot be decoded")
  static let colorMatrixWithoutLuminance = ErrorCode(
    "color/matrix-without-luminance", .unsupported,
    "{matrix} requires primaries with luminance weights")
  package static let dataTruncated = ErrorCode(
    "data-truncated", .truncated,
    "truncated: needs {needed byte}, {available byte} available")
  static let depthInvalid = ErrorCode(
    "depth-invalid", .invalidArgument,
    "invalid sample depth: {bits bit}")
  static let displayInvalid = ErrorCode(
    "display-invalid", .invalidArgument,
    "not possible: a display with white at {white}, a peak of {peak}, black at {black} and a surround of {surround} cd/m²"
  )
  static let displayUnknown = ErrorCode(
    "display-unknown", .invalidArgument,
    "unknown display: {name}")
  package static let duplicateElement = ErrorCode(
    "duplicate-element", .malformed,
    "duplicate {element}")
  static let dynamicRangeMixInvalid = ErrorCode(
    "dynamic-range/mix-invalid", .invalidArgument,
    "invalid mix of dynamic ranges: standard {standard}, constrained high {constrainedHigh}, "
      + "high {high}")
  package static let emptyImage = ErrorCode(
    "empty-image", .malformed,
    "empty image: {width}x{height} pixels")
  static let exposureInvalid = ErrorCode(
    "exposure-invalid", .invalidArgument,
    "invalid exposure: {stops stop}")
  static let floatingPointYCbCr = ErrorCode(
    "floating-point-ycbcr", .invalidArgument,
    "Y'CbCr requires integer samples; floating-point samples must be RGB or gray")
  static let geometryCropOutside = ErrorCode(
    "geometry/crop-outside", .invalidArgument,
    "crop {crop} is not inside the image of {size pixel}; the nearest part inside is {inside}")
  static let geometryResultTooLarge = ErrorCode(
    "geometry/result-too-large", .limitExceeded,
    "result of {size pixel}; the limit is {limit pixel}, {side} per side")
  static let geometrySideInvalid = ErrorCode(
    "geometry/side-invalid", .invalidArgument,
    "invalid side length: {length pixel}")
  static let geometrySubsampledNotRotatable = ErrorCode(
    "geometry/subsampled-not-rotatable", .invalidArgument,
    "images with subsampled chroma cannot be rotated")
  static let hlgDisplayInvalid = ErrorCode(
    "hlg-display-invalid", .invalidArgument,
    "invalid HLG display: peak {peak cd/m²}, gamma {gamma}, reference white {white cd/m²}")
  static let imageSizeInvalid = ErrorCode(
    "image-size-invalid", .invalidArgument,
    "invalid image size: {size pixel}")
  static let imageSizesDiffer = ErrorCode(
    "image-sizes-differ", .invalidArgument,
    "images of different sizes: {first pixel} and {second pixel}")
  package static let invalidValue = ErrorCode(
    "invalid-value", .malformed,
    "invalid {field}: {value}")
  static let kneeInvalid = ErrorCode(
    "knee-invalid", .invalidArgument,
    "invalid knee: {knee} of the peak luminance of the display")
  package static let libraryFailed = ErrorCode(
    "library-failed", .codecFailure,
    "{library}: {detail}")
  static let matrixNotWritten = ErrorCode(
    "matrix-not-written", .invalidArgument,
    "Y'CbCr with matrix {matrix} cannot be encoded")
  package static let missingElement = ErrorCode(
    "missing-element", .malformed,
    "{element} is missing")
  package static let nestedTooDeeply = ErrorCode(
    "nested-too-deeply", .limitExceeded,
    "{elements} nested too deeply: more than {limit level}")
  package static let notOfFormat = ErrorCode("not-of-format", .malformed, "not a {format} file")
  static let packingBufferCount = ErrorCode(
    "packing/buffer-count", .invalidArgument,
    "{buffers buffer} for {planes plane}")
  static let packingBufferTooSmall = ErrorCode(
    "packing/buffer-too-small", .invalidArgument,
    "buffer of {size byte} for pixels of {needed byte}")
  static let packingLayoutDiffers = ErrorCode(
    "packing/layout-differs", .invalidArgument,
    "an image of {image} does not fit the layout {layout}")
  static let packingPlaneCount = ErrorCode(
    "packing/plane-count", .invalidArgument,
    "row layouts of {count plane} for an image of {planes plane}")
  static let packingRowOffsetInvalid = ErrorCode(
    "packing/row-offset-invalid", .invalidArgument,
    "plane {plane} starts at byte {offset}")
  static let packingRowStrideInvalid = ErrorCode(
    "packing/row-stride-invalid", .invalidArgument,
    "rows of {size byte} are {stride byte} apart in plane {plane}")
  /// The image has more pixels, or longer sides, than `ImageLimits` allows.
  public static let pixelLimitExceeded = ErrorCode(
    "pixel-limit-exceeded", .limitExceeded,
    "image of {size pixel}; the limit is {limit pixel}, {side} per side")
  static let planeSizeInvalid = ErrorCode(
    "plane-size-invalid", .invalidArgument,
    "{count sample} for a plane of {size}")
  static let planesCountDiffers = ErrorCode(
    "planes/count-differs", .invalidArgument,
    "{count plane} for a layout of {expected}")
  static let planesSampleTypeDiffers = ErrorCode(
    "planes/sample-type-differs", .invalidArgument,
    "the sample type of the planes differs from that of the layout")
  static let planesSizeDiffers = ErrorCode(
    "planes/size-differs", .invalidArgument,
    "plane {plane} has {size sample}; the layout specifies {expected}")
  static let primariesInvalid = ErrorCode(
    "primaries-invalid", .invalidArgument,
    "invalid primaries: they do not span a color space")
  static let rowsSplitChroma = ErrorCode(
    "rows-split-chroma", .invalidArgument,
    "rows from {first} on begin within a row of subsampled chroma")
  static let programFailed = ErrorCode("program-failed", .inputOutput, "{detail}")
  static let referenceWhiteInvalid = ErrorCode(
    "reference-white-invalid", .invalidArgument,
    "invalid reference white: {white cd/m²}")
  static let resamplingOutside = ErrorCode(
    "resampling-outside", .invalidArgument,
    "part {part} is not inside the image of {size pixel}")
  static let rowsOutside = ErrorCode(
    "rows-outside", .invalidArgument,
    "rows {first} to {end} are outside the image of {height row}")
  static let rowsLayoutDiffers = ErrorCode(
    "rows/layout-differs", .invalidArgument,
    "the layout of the rows is {rows}, not {layout}")
  package static let sampleMemoryExceeded = ErrorCode(
    "sample-memory-exceeded", .limitExceeded,
    "samples of {size pixel} take {memory byte}; the limit is {limit byte}")
  package static let sizeLimitExceeded = ErrorCode(
    "size-limit-exceeded", .limitExceeded,
    "{element} of {size byte}; the limit is {limit byte}")
  static let st2094CurveNotStorable = ErrorCode(
    "st2094/curve-not-storable", .invalidArgument,
    "ST 2094-50 stores headrooms of 0 to 6 stops and 1 to 4 alternates, not {stops stop} and "
      + "{alternates}")
  package static let tooManyElements = ErrorCode(
    "too-many-elements", .limitExceeded,
    "more than {limit} {elements}")
  package static let unsupportedValue = ErrorCode(
    "unsupported-value", .unsupported,
    "unsupported {field}: {value}")
}

extension NoticeCode {
  static let geometryStretched = NoticeCode(
    "geometry/stretched", .irregular,
    "aspect ratio changed: {from pixel} to {to}")
  static let headroomDeclaredTooHigh = NoticeCode(
    "headroom/declared-too-high", .conflict,
    "{source} declares headroom {declared}x, the samples have {measured}x; using the measured "
      + "value")
  static let st2094GainEndDiffers = NoticeCode(
    "st2094/gain-end-differs", .irregular,
    "ST 2094-50: the curve for {headroom stop} ends at a gain of {gain stop}, not {expected}")
  static let bt2446aOnHDRDisplay = NoticeCode(
    "tone-map/bt2446a-on-hdr-display", .irregular,
    "bt2446a is defined for displays without headroom: with more, middle tones become brighter, "
      + "and drop abruptly at the {content}x of the content; other operators are continuous")
}
