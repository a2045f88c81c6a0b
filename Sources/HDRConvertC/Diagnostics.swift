// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and English text.

extension ErrorCode {
  static let codePointUnknown = ErrorCode(
    "api/code-point-unknown", .invalidArgument, "{field}: code point {value} is not supported")
  static let optionInvalid = ErrorCode(
    "api/option-invalid", .invalidArgument, "invalid option {option}: {value}")
  static let processForked = ErrorCode(
    "api/forked", .invalidArgument, "the library was used before this process was forked")
}
