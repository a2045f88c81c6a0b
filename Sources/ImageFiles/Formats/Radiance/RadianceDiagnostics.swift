// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the Radiance diagnostics, with their English text.

extension NoticeCode {
  static let radianceValueIgnored = NoticeCode(
    "radiance/value-ignored", .irregular,
    "ignored: {field} of {value}")
}
