internal import HDRCore

// The diagnostics of this module: their codes, and their English, which stands nowhere else.

extension ErrorCode {
  static let convertKeepWithoutGainMap = ErrorCode(
    "convert/keep-without-gain-map", .invalidArgument,
    "the file has no gain map to keep")
  static let convertKeptInItsFormat = ErrorCode(
    "convert/kept-in-its-format", .invalidArgument,
    "a gain map is kept in the format of its file, {format}")
  static let createSDRIsRaw = ErrorCode(
    "create/sdr-is-raw", .unsuitable,
    "a raw file is not an SDR image; it must be developed first")
  static let createSDRRotated = ErrorCode(
    "create/sdr-rotated", .invalidArgument,
    "the SDR image is rotated by 90 degrees: it has {sdr pixel}, the HDR image {hdr} (both "
      + "upright)")
  static let extractAuxiliaryUnknown = ErrorCode(
    "extract/auxiliary-unknown", .unsuitable,
    "the file has no auxiliary image '{name}'")
  static let extractGainMapUndescribed = ErrorCode(
    "extract/gain-map-undescribed", .unsuitable,
    "no metadata describe the samples of the gain map")
  static let extractNotFromRaw = ErrorCode(
    "extract/not-from-raw", .unsuitable,
    "only previews and mattes can be extracted from raw files")
  static let extractPartMissing = ErrorCode(
    "extract/part-missing", .unsuitable,
    "the file has no {part}")
  static let inputTooLong = ErrorCode(
    "input/too-long", .limitExceeded,
    "standard input is longer than {limit byte}")
  static let jsonTooLarge = ErrorCode(
    "json/too-large", .limitExceeded,
    "{size byte} of JSON; the limit is {limit byte}")
  static let outputCodedDifferently = ErrorCode(
    "output/coded-differently", .invalidArgument,
    "the images of {input} are {coded}; {format} would require re-encoding")
  static let outputExists = ErrorCode("output/exists", .cannotCreate, "the file exists")
  static let outputFolderMissing = ErrorCode(
    "output/folder-missing", .cannotCreate,
    "the folder {folder} does not exist")
  static let outputIsFolder = ErrorCode("output/is-folder", .cannotCreate, "the output is a folder")
  static let outputNotCreated = ErrorCode(
    "output/not-created", .cannotCreate,
    "cannot create: {detail}")
  static let outputNotSaved = ErrorCode("output/not-saved", .inputOutput, "cannot save: {detail}")
  static let outputNotWritten = ErrorCode(
    "output/not-written", .inputOutput,
    "cannot write: {detail}")
  static let rawOptionWithoutRaw = ErrorCode(
    "raw/option-without-raw", .invalidArgument,
    "{option} is for raw files, which this is not")
  static let reportNotEncodable = ErrorCode(
    "report/not-encodable", .codecFailure,
    "the report cannot be written as JSON")
  static let tagNoCodePoints = ErrorCode(
    "tag/no-code-points", .invalidArgument,
    "an ICC profile is made from code points, which the file does not have")
  static let validateNoRules = ErrorCode(
    "validate/no-rules", .unsupported,
    "no rules apply to this {format} file")
}

extension NoticeCode {
  static let convertGainMapDropped = NoticeCode(
    "convert/gain-map-dropped", .lost,
    "dropped: gain map; this is the baseline image")
  static let convertGainMapKept = NoticeCode(
    "convert/gain-map-kept", .assumed,
    "the gain map is kept together with its baseline image")
  static let joinExistingMapReplaced = NoticeCode(
    "join/existing-map-replaced", .lost,
    "dropped: gain map of {file} (replaced by the new one)")
  static let joinGainMapOfFileUsed = NoticeCode(
    "join/gain-map-of-file-used", .assumed,
    "the file given as the gain map has a gain map itself, which is used")
  static let outputSuffixDiffers = NoticeCode(
    "output/suffix-differs", .irregular,
    "the name ends in .{suffix}, but the file is {format}")
  static let recodeNotNeeded = NoticeCode(
    "recode/not-needed", .assumed,
    "no image was re-encoded; the quality was not used")
  static let swapBaseInOtherPrimaries = NoticeCode(
    "swap/base-in-other-primaries", .irregular,
    "the baseline image has the primaries of the gain map, which could be kept for that reason")
}
