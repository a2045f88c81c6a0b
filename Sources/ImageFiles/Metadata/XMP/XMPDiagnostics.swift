// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the XMP diagnostics, with their English text.

extension ErrorCode {
  static let xmlDocumentType = ErrorCode(
    "xml/document-type", .malformed,
    "a document type declaration is not allowed in XMP")
  static let xmlEndTagUnexpected = ErrorCode(
    "xml/end-tag-unexpected", .malformed,
    "end tag without a start tag")
  static let xmlExpected = ErrorCode("xml/expected", .malformed, "\"{literal}\" is missing")
  static let xmlLimitExceeded = ErrorCode(
    "xml/limit-exceeded", .limitExceeded,
    "{count element}, nested {depth} deep, {attributes attribute}")
  static let xmlNameInvalid = ErrorCode("xml/name-invalid", .malformed, "\"{name}\" is not a name")
  static let xmlNotTerminated = ErrorCode(
    "xml/not-terminated", .malformed,
    "{element} is not terminated")
  static let xmlPrefixUndeclared = ErrorCode(
    "xml/prefix-undeclared", .malformed,
    "prefix \"{prefix}\" is not declared")
  static let xmlReferenceUnknown = ErrorCode(
    "xml/reference-unknown", .malformed,
    "unknown reference")
  static let xmlSyntax = ErrorCode("xml/syntax", .malformed, "syntax error: {detail}")
  static let xmlTextOutsideRoot = ErrorCode(
    "xml/text-outside-root", .malformed,
    "text outside of the root element")
  static let xmpExtendedMissing = ErrorCode(
    "xmp/extended-missing", .malformed,
    "extended XMP {identifier} is missing")
  static let xmpExtendedTruncated = ErrorCode(
    "xmp/extended-truncated", .malformed,
    "{size} of {needed byte}")
  static let xmpRDFWithoutPrefix = ErrorCode(
    "xmp/rdf-without-prefix", .unsupported,
    "RDF without a prefix")
  static let xmpTooLarge = ErrorCode(
    "xmp/too-large", .invalidArgument,
    "an XMP packet of {size byte} does not fit JPEG segments")
}

extension NoticeCode {
  static let xmpCompressed = NoticeCode("xmp/compressed", .irregular, "compressed XMP is not read")
  static let xmpDiffuseWhiteInvalid = NoticeCode(
    "xmp/diffuse-white-invalid", .irregular,
    "ignored: DiffuseWhite {value} is not a luminance")
  static let xmpExtendedDigestMismatch = NoticeCode(
    "xmp/extended-digest-mismatch", .irregular,
    "the digest of the extended XMP does not match")
  static let xmpExtendedDropped = NoticeCode(
    "xmp/extended-dropped", .dropped,
    "dropped: extended XMP that cannot be assembled (it may contain a location)")
  static let xmpExtendedUnreadable = NoticeCode(
    "xmp/extended-unreadable", .dropped,
    "not readable: extended XMP: {cause}")
  static let xmpIgnored = NoticeCode("xmp/ignored", .irregular, "ignored: XMP: {cause}")
  static let xmpLightLevelInvalid = NoticeCode(
    "xmp/light-level-invalid", .irregular,
    "ignored: {name} {value} is not a luminance")
  static let xmpPropertiesKept = NoticeCode(
    "xmp/properties-kept", .irregular,
    "kept: {names property} (readers require them)")
  static let xmpSeveralPackets = NoticeCode(
    "xmp/several-packets", .irregular,
    "{count XMP packet}; the first is used")
  static let xmpUTF16 = NoticeCode("xmp/utf-16", .irregular, "UTF-16 read as UTF-8")
}
