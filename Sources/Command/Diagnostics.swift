// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and their English.

extension ErrorCode {
  static let argumentsInvalid = ErrorCode("arguments/invalid", .invalidArgument, "{message}")
  static let argumentsNotUTF8 = ErrorCode(
    "arguments/not-utf-8", .invalidArgument, "the argument '{argument}' is not UTF-8")
  static let argumentsUnknownVerb = ErrorCode(
    "arguments/unknown-verb", .invalidArgument, "unknown verb '{word}'")
  static let batchCompanionMissing = ErrorCode(
    "batch/companion-missing", .missingInput,
    "--raw camera-jpeg=auto finds no JPEG or HEIF file {name} in the folder of the raw file")
  static let batchFolderNotReadable = ErrorCode(
    "batch/folder-not-readable", .inputOutput, "cannot list the folder: {detail}")
  static let batchInputChanged = ErrorCode(
    "batch/input-changed", .inputOutput, "the file changed while it was processed")
  static let batchNoInput = ErrorCode(
    "batch/no-input", .missingInput, "the arguments name no image file")
  static let batchSameOutput = ErrorCode(
    "batch/same-output", .invalidArgument,
    "{first} and {second} would have the same output, {output}")
  static let displayListTakesNoImage = ErrorCode(
    "display/list-takes-no-image", .invalidArgument, "--display list renders no image")
  static let extractAuxiliaryUnknown = ErrorCode(
    "extract/auxiliary-unknown", .unsuitable,
    "the file does not contain the auxiliary image '{name}'")
  static let extractGainMapCodec = ErrorCode(
    "extract/gain-map-codec", .invalidArgument, "the gain map is {coded}")
  static let extractNotFromRaw = ErrorCode(
    "extract/not-from-raw", .unsuitable, "only previews and mattes can be extracted from raw files")
  static let extractPartMissing = ErrorCode(
    "extract/part-missing", .unsuitable, "not in the file: {part}")
  static let extractPreviewIsImage = ErrorCode(
    "extract/preview-is-image", .unsuitable,
    "the preview is image {number} of the file, not a file of its own")
  static let inputEmptyStandard = ErrorCode(
    "input/standard-empty", .malformed,
    "standard input is empty: the program before the pipe wrote nothing")
  static let inputLinkBroken = ErrorCode(
    "input/link-broken", .missingInput, "the link leads to {target}, which does not exist")
  static let inputTooLong = ErrorCode(
    "input/too-long", .limitExceeded, "standard input is longer than {limit byte}")
  static let journalInUse = ErrorCode(
    "journal/in-use", .cannotCreate, "another run writes this journal")
  static let journalNotRecognized = ErrorCode(
    "journal/not-recognized", .malformed, "the file is not a journal")
  static let outputCodedDifferently = ErrorCode(
    "output/coded-differently", .invalidArgument,
    "the images of {input} are {coded}; {format} would require re-encoding")
  static let outputExists = ErrorCode("output/exists", .cannotCreate, "the file exists")
  static let outputFolderIsFile = ErrorCode(
    "output/folder-is-file", .cannotCreate, "{folder} is a file, not a folder")
  static let outputFolderMissing = ErrorCode(
    "output/folder-missing", .cannotCreate, "the folder {folder} does not exist")
  static let outputFormatOfInput = ErrorCode(
    "output/format-of-input", .invalidArgument,
    "without a format, outputs have that of the input, which is not written")
  static let outputIsFolder = ErrorCode("output/is-folder", .cannotCreate, "the output is a folder")
  static let outputIsInput = ErrorCode(
    "output/is-input", .invalidArgument, "the output {output} is also the input {input}")
  static let outputsAreOneFile = ErrorCode(
    "output/same", .invalidArgument, "the outputs {first} and {second} are the same file")
  static let outputNotCreated = ErrorCode(
    "output/not-created", .cannotCreate, "cannot create: {detail}")
  static let processMemoryTooSmall = ErrorCode(
    "process/memory-too-small", .limitExceeded,
    "this process may have {limit byte} of memory (ulimit -v); it needs at least 256 MiB")
  static let processStackTooSmall = ErrorCode(
    "process/stack-too-small", .limitExceeded,
    "the stack of this process has {limit byte} (ulimit -s); it needs at least 1 MiB")
  static let isolationUnavailable = ErrorCode(
    "isolation/unavailable", .inputOutput,
    "the system cannot confine the process that reads the file: {detail}")
  static let workerCrashed = ErrorCode(
    "worker/crashed", .codecFailure,
    "the process that reads the file crashed in {place} (signal {signal})")
  static let workerKilled = ErrorCode(
    "worker/killed", .inputOutput,
    "the system ended the process that reads the file (signal {signal})")
  static let workerMissing = ErrorCode(
    "worker/missing", .inputOutput, "{program}, which reads images, is not installed")
  static let workerNotStarted = ErrorCode(
    "worker/not-started", .inputOutput, "{program}, which reads images, cannot be started: {detail}"
  )
  static let workerOutOfMemory = ErrorCode(
    "worker/out-of-memory", .limitExceeded, "the process that reads the file exceeded its memory")
  static let workerReplyInvalid = ErrorCode(
    "worker/reply-invalid", .codecFailure,
    "the process that reads the file asked for something that is not its own")
  static let workerTimedOut = ErrorCode(
    "worker/timed-out", .limitExceeded, "it takes longer than {limit second}")
}

extension NoticeCode {
  static let outputSuffixDiffers = NoticeCode(
    "output/suffix-differs", .irregular, "the name ends in .{suffix}, but the file is {format}")
}
