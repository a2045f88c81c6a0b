// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore

/// The rows of a PNG image that are in memory, in the pieces that were appended.
struct PNGSampleRows: Sendable {
  private var pieces: [(first: Int, planes: [Plane<UInt16>])] = []
  /// Number of rows that were appended.
  private(set) var count = 0

  mutating func append(_ planes: [Plane<UInt16>]) {
    pieces.append((count, planes))
    count += planes[0].height
  }

  /// Frees pieces whose rows are all before row `y`.
  mutating func discard(before y: Int) { pieces.removeAll { $0.first + $0.planes[0].height <= y } }

  /// The plane of a component with row `y`, and the index of the row in it.
  func plane(_ component: Int, withRow y: Int) -> (plane: Plane<UInt16>, row: Int) {
    guard let piece = pieces.last(where: { $0.first <= y }) else {
      preconditionFailure("row \(y) was not appended, or was freed")
    }
    return (piece.planes[component], y - piece.first)
  }
}
#endif
