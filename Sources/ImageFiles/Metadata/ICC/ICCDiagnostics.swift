// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the ICC diagnostics, with their English text.

extension ErrorCode {
  static let iccCurveTruncated = ErrorCode(
    "icc/curve-truncated", .truncated,
    "curve of {count sample} exceeds its tag")
  static let iccNotDescribable = ErrorCode(
    "icc/not-describable", .unsupported,
    "an ICC profile cannot describe {cicp}")
  static let iccProfileTruncated = ErrorCode(
    "icc/profile-truncated", .truncated,
    "truncated: profile of {size byte}, {available byte} available")
  static let iccTagsTruncated = ErrorCode(
    "icc/tags-truncated", .truncated,
    "truncated: {count tag} in {available byte}")
}

extension NoticeCode {
  static let iccChunkMissing = NoticeCode(
    "icc/chunk-missing", .irregular,
    "ICC profile ignored: chunk {number} of {count} is missing")
  static let iccCICPMatrixInvalid = NoticeCode(
    "icc/cicp-matrix-invalid", .irregular,
    "tag ignored: matrix {matrix} for RGB")
  static let iccCICPPadded = NoticeCode(
    "icc/cicp-padded", .irregular,
    "16-byte form of Little CMS 2.14")
  static let iccCICPSizeInvalid = NoticeCode(
    "icc/cicp-size-invalid", .irregular,
    "tag ignored: {size byte}")
  package static let iccEmpty = NoticeCode("icc/empty", .irregular, "ignored: empty ICC profile")
  static let iccSizeDiffers = NoticeCode(
    "icc/size-differs", .irregular,
    "profile of {size byte}; its header specifies {declared}")
  static let iccTagDuplicate = NoticeCode("icc/tag-duplicate", .irregular, "duplicate tag ignored")
  static let iccTagOutOfRange = NoticeCode(
    "icc/tag-out-of-range", .irregular,
    "tag ignored: {length byte} at {offset} of {size}")
  static let iccTagsOverlap = NoticeCode("icc/tags-overlap", .irregular, "overlaps '{other}'")
}
