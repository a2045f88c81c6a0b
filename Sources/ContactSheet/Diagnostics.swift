internal import HDRCore

// The diagnostics of this module: their codes, and their English, which stands nowhere else.

extension NoticeCode {
  static let sheetClippedInPQ = NoticeCode(
    "sheet/clipped-in-pq", .clipped,
    "clipped: {count pixel} above 10000 cd/m², the maximum of PQ ({share %})")
}
