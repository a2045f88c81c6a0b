// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Codes of the diagnostics of requests, with their English text.

extension ErrorCode {
  /// Two fields of the request exclude each other.
  public static let requestConflict = ErrorCode(
    "request/conflict", .invalidArgument, "{field} and {other} exclude each other")
  /// A field of the request cannot be read.
  public static let requestInvalid = ErrorCode(
    "request/invalid", .invalidArgument, "{field} cannot be read: {cause}")
  static let requestLevelWithoutHeadroom = ErrorCode(
    "request/level-without-headroom", .invalidArgument,
    "a mixture of levels with 'high' depends on the display, whose headroom is missing ({other})")
  /// A step of the request would lose information, and it requests a lossless output.
  public static let requestLossy = ErrorCode(
    "request/lossy", .invalidArgument,
    "the output would not be lossless because of {step} ({field})")
  /// The value of a field of the request is outside its range.
  public static let requestOutOfRange = ErrorCode(
    "request/out-of-range", .invalidArgument, "{field} takes {values}")
  /// A field of the request requires another one.
  public static let requestRequires = ErrorCode(
    "request/requires", .invalidArgument, "{field} requires {other}")
  static let requestTransferNotSDR = ErrorCode(
    "request/transfer-not-sdr", .invalidArgument,
    "{field} makes an SDR image, but the transfer function {transfer} is for HDR images")
  /// The request has a field of an unknown name.
  public static let requestUnknownField = ErrorCode(
    "request/unknown-field", .invalidArgument, "{field} is not a field of a request")
  /// A field of the request would not have an effect on this file.
  public static let requestWithoutEffect = ErrorCode(
    "request/without-effect", .invalidArgument, "{field} would change nothing: {reason}")
}
