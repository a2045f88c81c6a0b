// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Diagnostics of this module: their codes and their only English text.

extension ErrorCode {
  static let bitstreamItemsOverlap = ErrorCode(
    "bitstream/items-overlap", .limitExceeded, "the data of items overlap too often")
}
