// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Diagnostics of this module: their codes and their only English text.

extension ErrorCode {
  static let bitsChangedByProfile = ErrorCode(
    "bits/changed-by-profile", .unsupported,
    "an ICC profile changes the samples")
  static let bitstreamItemsOverlap = ErrorCode(
    "bitstream/items-overlap", .limitExceeded,
    "the data of items overlap too often")
  static let gainMapBoxVersion = ErrorCode(
    "gain-map/box-version", .unsupported,
    "version {version} of the gain map box is not supported")
  static let itemCodingUnknown = ErrorCode("item/coding-unknown", .unsupported, "unknown coding")
}
