// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the diagnostics of camera raw files, with their English text.

extension ErrorCode {
  static let rawHeadersUnsupported = ErrorCode(
    "raw/headers-unsupported", .unsupported,
    "camera raw file whose headers only its decoder reads")
  package static let rawLibRawDamaged = ErrorCode(
    "raw/libraw-damaged", .malformed, "{library}: {detail}")
  package static let rawLibRawLimitExceeded = ErrorCode(
    "raw/libraw-limit-exceeded", .limitExceeded,
    "{library}: {detail}")
  package static let rawLibRawTruncated = ErrorCode(
    "raw/libraw-truncated", .truncated, "the file ends before its raw samples ({library})")
  package static let rawLibRawUnsupported = ErrorCode(
    "raw/libraw-unsupported", .unsupported,
    "{library}, installed here, does not know this camera or file ({detail}); later versions know more"
  )
  package static let rawSamplesMissing = ErrorCode(
    "raw/samples-missing", .truncated,
    "the file does not contain raw samples ({library})")
}
