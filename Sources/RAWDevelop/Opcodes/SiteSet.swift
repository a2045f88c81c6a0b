// SPDX-License-Identifier: Apache-2.0

/// Photosites of a mosaic, one bit for each.
struct SiteSet: Sendable {
  private let wordsPerRow: Int
  private var words: [UInt64]
  /// Number of photosites in the set.
  private(set) var count = 0

  /// Makes an empty set.
  init(width: Int, height: Int) {
    wordsPerRow = Self.wordsPerRow(width)
    words = [UInt64](repeating: 0, count: wordsPerRow * height)
  }

  /// Bytes of a set.
  static func size(_ width: Int, _ height: Int) -> Int { 8 * wordsPerRow(width) * height }

  private static func wordsPerRow(_ width: Int) -> Int { (width + 63) / 64 }

  func contains(_ x: Int, _ y: Int) -> Bool {
    words[y * wordsPerRow + x / 64] & 1 << UInt64(x % 64) != 0
  }

  func hasSites(inRow y: Int) -> Bool {
    words[y * wordsPerRow..<(y + 1) * wordsPerRow].contains { $0 != 0 }
  }

  mutating func insert(_ x: Int, _ y: Int) {
    let bit: UInt64 = 1 << UInt64(x % 64)
    let index = y * wordsPerRow + x / 64
    if words[index] & bit == 0 { count += 1 }
    words[index] |= bit
  }
}
