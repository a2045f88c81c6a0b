// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of this module: codes and English text.

extension ErrorCode {
  package static let reportNotEncodable = ErrorCode(
    "report/not-encodable", .codecFailure, "the report cannot be written as JSON")
  package static let validateNoRules = ErrorCode(
    "validate/no-rules", .unsuitable, "no rules apply to {format} files")
}
