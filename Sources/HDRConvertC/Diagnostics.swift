// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and English text.

extension ErrorCode {
  static let argumentMissing = ErrorCode(
    "api/argument-missing", .invalidArgument,
    "{argument} is NULL")
  static let codePointUnknown = ErrorCode(
    "api/code-point-unknown", .invalidArgument,
    "{field}: code point {value} is not supported")
  static let imageWithoutFile = ErrorCode(
    "api/image-without-file", .invalidArgument,
    "the image was not opened from a file")
  static let matrixOfRGB = ErrorCode(
    "api/matrix-of-rgb", .invalidArgument,
    "matrix {matrix} is for Y'CbCr; RGB has 0")
  static let optionInvalid = ErrorCode(
    "api/option-invalid", .invalidArgument,
    "invalid option {option}: {value}")
  static let processForked = ErrorCode(
    "api/forked", .invalidArgument,
    "the library was used before this process was forked")
  static let metadataOfRaw = ErrorCode(
    "api/metadata-of-raw", .unsuitable,
    "metadata cannot be copied from {format} files")
  static let pixelsMissing = ErrorCode(
    "api/pixels-missing", .invalidArgument,
    "the address of plane {plane} is NULL")
  static let readerFailed = ErrorCode(
    "api/reader-failed", .inputOutput,
    "the function that reads the file returned {result} for {size byte}")
  static let writerFailed = ErrorCode(
    "api/writer-failed", .inputOutput,
    "the function that writes the file returned false")
}
