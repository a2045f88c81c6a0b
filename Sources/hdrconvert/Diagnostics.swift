// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and their English.

extension ErrorCode {
  static let argumentsInvalid = ErrorCode("arguments/invalid", .invalidArgument, "{message}")
  static let argumentsNotUTF8 = ErrorCode(
    "arguments/not-utf-8", .invalidArgument, "the argument '{argument}' is not UTF-8")
  static let argumentsUnknownOption = ErrorCode(
    "arguments/unknown-option", .invalidArgument, "unknown option '{option}'")
  static let argumentsUnknownVerb = ErrorCode(
    "arguments/unknown-verb", .invalidArgument, "unknown verb '{word}'")
  static let batchFolderNotReadable = ErrorCode(
    "batch/folder-not-readable", .inputOutput, "cannot list the folder: {detail}")
  static let batchInputChanged = ErrorCode(
    "batch/input-changed", .inputOutput, "the file changed while it was processed")
  static let batchNoInput = ErrorCode(
    "batch/no-input", .missingInput, "the arguments name no image file")
  static let batchOutputMissing = ErrorCode(
    "batch/output-missing", .invalidArgument, "several inputs require --out-dir or --name")
  static let batchSameOutput = ErrorCode(
    "batch/same-output", .invalidArgument,
    "{first} and {second} would have the same output, {output}")
  static let convertFlavorsWithoutGainMap = ErrorCode(
    "convert/flavors-without-gain-map", .invalidArgument,
    "the output does not contain a gain map, which --flavors describes")
  static let convertOptionChangesSamples = ErrorCode(
    "convert/option-changes-samples", .invalidArgument,
    "{option} cannot be combined with a gain map or a baseline image that is kept")
  static let convertKeepWithoutGainMap = ErrorCode(
    "convert/keep-without-gain-map", .invalidArgument,
    "the file does not contain a gain map")
  static let convertNoGainMapInFormat = ErrorCode(
    "convert/no-gain-map-in-format", .invalidArgument,
    "{format} files cannot store a gain map")
  static let createSDRIsRaw = ErrorCode(
    "create/sdr-is-raw", .unsuitable,
    "a raw file is not an SDR image; it must be developed first")
  static let createSDRRotated = ErrorCode(
    "create/sdr-rotated", .invalidArgument,
    "the SDR image is rotated by 90 degrees: it has {sdr pixel}, the HDR image {hdr} (both "
      + "upright)")
  static let displayListTakesNoImage = ErrorCode(
    "display/list-takes-no-image", .invalidArgument,
    "--display list renders no image")
  static let extractAuxiliaryUnknown = ErrorCode(
    "extract/auxiliary-unknown", .unsuitable,
    "the file does not contain the auxiliary image '{name}'")
  static let extractGainMapCodec = ErrorCode(
    "extract/gain-map-codec", .invalidArgument, "the gain map is {coded}")
  static let extractGainMapUndescribed = ErrorCode(
    "extract/gain-map-undescribed", .unsuitable,
    "no metadata describe the samples of the gain map")
  static let extractNotFromRaw = ErrorCode(
    "extract/not-from-raw", .unsuitable,
    "only previews and mattes can be extracted from raw files")
  static let extractPartMissing = ErrorCode(
    "extract/part-missing", .unsuitable,
    "not in the file: {part}")
  static let inputEmpty = ErrorCode("input/empty", .malformed, "the file is empty")
  static let inputTooLong = ErrorCode(
    "input/too-long", .limitExceeded,
    "standard input is longer than {limit byte}")
  static let joinBaseCodec = ErrorCode(
    "join/base-codec", .invalidArgument, "the baseline image is {coded}")
  static let joinBaseIsHDR = ErrorCode(
    "join/base-is-hdr", .invalidArgument,
    "according to the metadata, the baseline image is the HDR image; JPEG has 8 bits, too few for it"
  )
  static let joinCodecsDiffer = ErrorCode(
    "join/codecs-differ", .invalidArgument,
    "the gain map is {map}, the baseline image is {base}; one file stores one of them")
  static let journalInUse = ErrorCode(
    "journal/in-use", .cannotCreate, "another run writes this journal")
  static let journalNotRecognized = ErrorCode(
    "journal/not-recognized", .malformed, "the file is not a journal")
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
  static let outputFormatNotWritten = ErrorCode(
    "output/format-not-written", .unsupported, "{format} files can be read, but not written")
  static let outputFormatUnknown = ErrorCode(
    "output/format-unknown", .invalidArgument, "'{suffix}' is not an output format")
  static let outputFormatMissing = ErrorCode(
    "output/format-missing", .invalidArgument, "the output has an unknown suffix, or none")
  static let outputIsFolder = ErrorCode("output/is-folder", .cannotCreate, "the output is a folder")
  static let outputIsInput = ErrorCode(
    "output/is-input", .invalidArgument, "the output {output} is also the input {input}")
  static let outputsAreOneFile = ErrorCode(
    "output/same", .invalidArgument, "the outputs {first} and {second} are the same file")
  static let outputNotCreated = ErrorCode(
    "output/not-created", .cannotCreate,
    "cannot create: {detail}")
  static let outputNotSaved = ErrorCode("output/not-saved", .inputOutput, "cannot save: {detail}")
  static let outputNotWritten = ErrorCode(
    "output/not-written", .inputOutput,
    "cannot write: {detail}")
  static let processMemoryTooSmall = ErrorCode(
    "process/memory-too-small", .limitExceeded,
    "this process may have {limit byte} of memory (ulimit -v); it needs at least 256 MiB")
  static let processStackTooSmall = ErrorCode(
    "process/stack-too-small", .limitExceeded,
    "the stack of this process has {limit byte} (ulimit -s); it needs at least 1 MiB")
  static let recodeContainerDiffers = ErrorCode(
    "recode/container-differs", .invalidArgument,
    "it is {coded}; {format} files store {held} images only")
  static let recodeForSwap = ErrorCode(
    "recode/for-swap", .invalidArgument,
    "the file contains it only as baseline image and gain map")
  static let renderInputMissing = ErrorCode(
    "render/input-missing", .invalidArgument, "no input image is given")
  static let renderOutputMissing = ErrorCode(
    "render/output-missing", .invalidArgument, "no output is given")
  static let renderHDRNotStorable = ErrorCode(
    "render/hdr-not-storable", .invalidArgument,
    "{target} cannot store luminance above reference white")
  static let rawOptionWithoutRaw = ErrorCode(
    "raw/option-without-raw", .invalidArgument,
    "{option} is for raw files only")
  static let tagNoCodePoints = ErrorCode(
    "tag/no-code-points", .invalidArgument,
    "an ICC profile is made from code points, which the file does not have")
  static let validateNotConcerned = ErrorCode(
    "validate/not-concerned", .invalidArgument,
    "no rule of {standards} applies to {file}, a {format} file")
  static let validateNoRules = ErrorCode(
    "validate/no-rules", .unsuitable,
    "no rules apply to {format} files")
}

extension NoticeCode {
  static let convertAssumptionNotUsed = NoticeCode(
    "convert/assumption-not-used", .irregular,
    "not used: assumed color and white (the image keeps its color and its gain map)")
  static let convertCompanionAlone = NoticeCode(
    "convert/companion-alone", .irregular,
    "the output is {file} alone: fewer than 0.01 % of the pixels of the raw file are brighter than "
      + "reference white")
  static let convertGainMapApplied = NoticeCode(
    "convert/gain-map-applied", .assumed,
    "the gain map is applied: the output is one HDR image without the SDR image")
  static let convertGainMapDropped = NoticeCode(
    "convert/gain-map-dropped", .dropped,
    "dropped: gain map; this is the baseline image")
  static let convertGainMapKept = NoticeCode(
    "convert/gain-map-kept", .assumed,
    "the gain map is kept together with its baseline image")
  static let convertXMPNotWritten = NoticeCode(
    "convert/xmp-not-written", .irregular,
    "gain map metadata are written as ISO 21496-1 only: {cause}")
  static let convertWithoutHeadroom = NoticeCode(
    "convert/without-headroom", .irregular,
    "SDR JPEG without a gain map: fewer than 0.01 % of the pixels are brighter than reference white"
  )
  static let encodeQualityNotUsed = NoticeCode(
    "encode/quality-not-used", .irregular,
    "--quality is not used: {format} is encoded without loss")
  static let geometryNotEnlarged = NoticeCode(
    "geometry/not-enlarged", .irregular,
    "the image has {size pixel} and was not enlarged")
  static let joinExistingMapReplaced = NoticeCode(
    "join/existing-map-replaced", .dropped,
    "dropped: gain map of {file} (replaced by the new one)")
  static let joinGainMapOfFileUsed = NoticeCode(
    "join/gain-map-of-file-used", .assumed,
    "the file given as the gain map has a gain map itself, which is used")
  static let locationIncluded = NoticeCode(
    "location/included", .irregular, "the output contains location data (GPS)")
  static let outputSuffixDiffers = NoticeCode(
    "output/suffix-differs", .irregular,
    "the name ends in .{suffix}, but the file is {format}")
  static let recodeNotNeeded = NoticeCode(
    "recode/not-needed", .assumed,
    "no image was re-encoded; the quality was not used")
  static let swapBaseInOtherPrimaries = NoticeCode(
    "swap/base-in-other-primaries", .irregular,
    "the new baseline image has the primaries of the old one, in which the gain map is defined")
  static let tagNothingChanged = NoticeCode(
    "tag/nothing-changed", .irregular,
    "not changed: nothing to be removed was found, and the values to be set are there")
}
