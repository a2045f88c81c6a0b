// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the bitstream diagnostics, with their English text.

extension ErrorCode {
  static let bitsTruncated = ErrorCode(
    "bits-truncated", .truncated,
    "truncated: needs {needed bit}, {available bit} available")
  package static let bitstreamNoImage = ErrorCode(
    "bitstream/no-image", .truncated,
    "no complete {codec} image")
  static let emptyCodedImage = ErrorCode(
    "empty-coded-image", .malformed,
    "coded image of {width}x{height} samples")
  static let hevcConfigurationNotStorable = ErrorCode(
    "hevc/configuration-not-storable", .unsupported,
    "'hvcC' cannot store {bits bit} with {layers temporal layer}")
  static let hevcConformanceWindowEmpty = ErrorCode(
    "hevc/conformance-window-empty", .malformed,
    "the conformance window removes all of {width}x{height} samples")
  static let hevcNALUnitMissing = ErrorCode(
    "hevc/nal-unit-missing", .malformed,
    "HEVC NAL unit of type {type} is missing")
  static let hevcNALUnitWithoutProfile = ErrorCode(
    "hevc/nal-unit-without-profile", .invalidArgument,
    "HEVC NAL units of type {type} do not contain a profile")
  static let hevcParameterSetTruncated = ErrorCode(
    "hevc/parameter-set-truncated", .truncated,
    "HEVC parameter set of {size byte}")
  static let hevcTooManyParameterSets = ErrorCode(
    "hevc/too-many-parameter-sets", .malformed,
    "more parameter sets than 'hvcC' can store")
}
