// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Codes of the diagnostics of reading bytes, with their English text.

extension ErrorCode {
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
  /// The file does not exist.
  public static let inputNotFound = ErrorCode(
    "input-not-found", .missingInput, "cannot open: {detail}")
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
