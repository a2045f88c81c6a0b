// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the diagnostics of this module, with their English text, which is defined only here.

extension ErrorCode {
  static let chunksTruncated = ErrorCode(
    "chunks-truncated", .truncated,
    "truncated: the chunks end at {end byte}; the file has {size byte}")
  static let fileShrank = ErrorCode(
    "file-shrank", .inputOutput,
    "the file became shorter while it was read")
  package static let fileTruncated = ErrorCode(
    "file-truncated", .truncated,
    "truncated: needs {end byte}; the file has {size byte}")
  static let inputIsFolder = ErrorCode("input-is-folder", .inputOutput, "the input is a folder")
  static let inputIsNotAFile = ErrorCode(
    "input-is-not-a-file", .inputOutput,
    "the input is a pipe or a device, not a file")
  static let inputNotFound = ErrorCode("input-not-found", .missingInput, "cannot open: {detail}")
  static let inputNotReadable = ErrorCode(
    "input-not-readable", .inputOutput,
    "cannot open: {detail}")
  static let providerFailed = ErrorCode(
    "provider-failed", .inputOutput,
    "{needed byte} requested, {available byte} provided")
  static let sinkRangeInvalid = ErrorCode(
    "sink-range-invalid", .invalidArgument,
    "{size byte} at offset {offset} cannot be overwritten: {available byte} were written")
  package static let readFailed = ErrorCode("read-failed", .inputOutput, "cannot read: {detail}")
  static let st2094AlternateOutOfOrder = ErrorCode(
    "st2094/alternate-out-of-order", .malformed,
    "alternate at {stops stop} is out of order")
  static let st2094ReaderVersion = ErrorCode(
    "st2094/reader-version", .unsupported,
    "requires a reader of version {version}; version 0 is supported")
  static let st2094TooManyAlternates = ErrorCode(
    "st2094/too-many-alternates", .invalidArgument,
    "{count alternate}; ST 2094-50 stores {limit}")
  static let stringNotTerminated = ErrorCode(
    "string-not-terminated", .truncated,
    "a string is not terminated")
  static let valueAboveLimit = ErrorCode(
    "value-above-limit", .malformed,
    "{field} is {value}; the limit is {limit}")
}

extension NoticeCode {
  static let metadataPropertyIgnored = NoticeCode(
    "metadata/property-ignored", .irregular,
    "ignored: {cause}")
}
