// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the ST 2094-50 diagnostics, with their English text.

extension ErrorCode {
  static let st2094AlternateOutOfOrder = ErrorCode(
    "st2094/alternate-out-of-order", .malformed,
    "alternate at {stops stop} is out of order")
  static let st2094ReaderVersion = ErrorCode(
    "st2094/reader-version", .unsupported,
    "requires a reader of version {version}; version 0 is supported")
  static let st2094MixingInvalid = ErrorCode(
    "st2094/mixing-invalid", .invalidArgument,
    "a coefficient of component mixing is {coefficient}, not 0...1")
  static let st2094TooManyAlternates = ErrorCode(
    "st2094/too-many-alternates", .invalidArgument,
    "{count alternate}; ST 2094-50 stores {limit}")
}
