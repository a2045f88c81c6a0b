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
  static let colorMatrixWithoutLuminance = ErrorCode(
    "color/matrix-without-luminance", .unsupported,
    "{matrix} requires primaries with luminance weights")
  package static let dataTruncated = ErrorCode(
    "data-truncated", .truncated, "truncated: needs {needed byte}, {available byte} available")
  static let depthInvalid = ErrorCode(
    "depth-invalid", .invalidArgument, "invalid sample depth: {bits bit}")
  static let displayUnknown = ErrorCode(
    "display-unknown", .invalidArgument, "unknown display: {name}")
  package static let duplicateElement = ErrorCode(
    "duplicate-element", .malformed, "duplicate {element}")
  package static let emptyImage = ErrorCode(
    "empty-image", .malformed, "empty image: {width}x{height} pixels")
  static let geometryCropOutside = ErrorCode(
    "geometry/crop-outside", .invalidArgument,
    "crop {crop} is not inside the image of {size pixel}; the nearest part inside is {inside}")
  static let geometryResultTooLarge = ErrorCode(
    "geometry/result-too-large", .limitExceeded,
    "result of {size pixel}; the limit is {limit pixel}, {side} per side")
  static let imageSizeInvalid = ErrorCode(
    "image-size-invalid", .invalidArgument, "invalid image size: {size pixel}")
  static let imageSizesDiffer = ErrorCode(
    "image-sizes-differ", .invalidArgument,
    "images of different sizes: {first pixel} and {second pixel}")
  package static let invalidValue = ErrorCode(
    "invalid-value", .malformed, "invalid {field}: {value}")
  package static let libraryFailed = ErrorCode(
    "library-failed", .codecFailure, "{library}: {detail}")
  package static let missingElement = ErrorCode(
    "missing-element", .malformed, "{element} is missing")
  package static let nestedTooDeeply = ErrorCode(
    "nested-too-deeply", .limitExceeded, "{elements} nested too deeply: more than {limit level}")
  package static let notOfFormat = ErrorCode("not-of-format", .malformed, "not a {format} file")
  static let packingLayoutDiffers = ErrorCode(
    "packing/layout-differs", .invalidArgument,
    "an image of {image} does not fit the layout {layout}")
  /// The image has more pixels, or longer sides, than `ImageLimits` allows.
  public static let pixelLimitExceeded = ErrorCode(
    "pixel-limit-exceeded", .limitExceeded,
    "image of {size pixel}; the limit is {limit pixel}, {side} per side")
  static let referenceWhiteInvalid = ErrorCode(
    "reference-white-invalid", .invalidArgument, "invalid reference white: {white cd/m²}")
  static let rowsOutside = ErrorCode(
    "rows-outside", .invalidArgument, "rows {first} to {end} are outside the image of {height row}")
  static let rowsLayoutDiffers = ErrorCode(
    "rows/layout-differs", .invalidArgument, "the layout of the rows is {rows}, not {layout}")
  package static let sampleMemoryExceeded = ErrorCode(
    "sample-memory-exceeded", .limitExceeded,
    "samples of {size pixel} take {memory byte}; the limit is {limit byte}")
  package static let sizeLimitExceeded = ErrorCode(
    "size-limit-exceeded", .limitExceeded, "{element} of {size byte}; the limit is {limit byte}")
  package static let tooManyElements = ErrorCode(
    "too-many-elements", .limitExceeded, "more than {limit} {elements}")
  package static let unsupportedValue = ErrorCode(
    "unsupported-value", .unsupported, "unsupported {field}: {value}")
}
