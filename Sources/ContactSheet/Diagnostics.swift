// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Diagnostics of this module: their codes and their only English text.

extension NoticeCode {
  static let sheetClippedInPQ = NoticeCode(
    "sheet/clipped-in-pq", .clipped,
    "clipped: {count pixel} above 10000 cd/m², the maximum of PQ ({share %})")
}
