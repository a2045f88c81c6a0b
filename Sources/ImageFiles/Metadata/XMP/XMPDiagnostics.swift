// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the XMP diagnostics, with their English text.

extension ErrorCode {
  static let xmlExpected = ErrorCode("xml/expected", .malformed, "\"{literal}\" is missing")
  static let xmlLimitExceeded = ErrorCode(
    "xml/limit-exceeded", .limitExceeded,
    "{count element}, nested {depth} deep, {attributes attribute}")
  static let xmlNotTerminated = ErrorCode(
    "xml/not-terminated", .malformed, "{element} is not terminated")
  static let xmlSyntax = ErrorCode("xml/syntax", .malformed, "syntax error: {detail}")
  static let xmpExtendedMissing = ErrorCode(
    "xmp/extended-missing", .malformed, "extended XMP {identifier} is missing")
  static let xmpExtendedTruncated = ErrorCode(
    "xmp/extended-truncated", .malformed, "{size} of {needed byte}")
}

extension NoticeCode {
  static let xmpExtendedDigestMismatch = NoticeCode(
    "xmp/extended-digest-mismatch", .irregular, "the digest of the extended XMP does not match")
  static let xmpExtendedDropped = NoticeCode(
    "xmp/extended-dropped", .dropped,
    "dropped: extended XMP that cannot be assembled (it may contain a location)")
  static let xmpExtendedUnreadable = NoticeCode(
    "xmp/extended-unreadable", .dropped, "not readable: extended XMP: {cause}")
  package static let xmpOfOthersKept = NoticeCode(
    "xmp/of-others-kept", .irregular,
    "kept: XMP of the gain map, mattes or other images of the file")
  package static let xmpPropertiesKept = NoticeCode(
    "xmp/properties-kept", .irregular, "kept: {names property} (readers require them)")
  static let xmpUTF16 = NoticeCode("xmp/utf-16", .irregular, "UTF-16 read as UTF-8")
}
