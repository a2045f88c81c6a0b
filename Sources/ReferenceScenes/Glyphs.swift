// SPDX-License-Identifier: Apache-2.0
/// Letters of 5x7 pixels, for fine print.
enum Glyphs {
  /// Horizontal advance of a letter, in glyph pixels.
  static let advance = 6
  static let lineHeight = 10

  /// Whether the pixel (`x`, `y`) of the typeset `lines` is ink.
  static func isInk(_ x: Int, _ y: Int, lines: [[Character]]) -> Bool {
    guard x >= 0, y >= 0, y / lineHeight < lines.count, y % lineHeight < 7 else { return false }
    let line = lines[y / lineHeight]
    guard x / advance < line.count, x % advance < 5, let rows = shapes[line[x / advance]] else {
      return false
    }
    return rows[y % lineHeight] >> (4 - x % advance) & 1 == 1
  }

  /// Rows of each letter, top to bottom; the most significant of five bits is the leftmost pixel.
  private static let shapes: [Character: [UInt8]] = [
    "0": [14, 17, 19, 21, 25, 17, 14],
    "1": [4, 12, 4, 4, 4, 4, 14],
    "2": [14, 17, 1, 6, 8, 16, 31],
    "3": [14, 17, 1, 6, 1, 17, 14],
    "4": [2, 6, 10, 18, 31, 2, 2],
    "5": [31, 16, 30, 1, 1, 17, 14],
    "A": [14, 17, 17, 31, 17, 17, 17],
    "C": [14, 17, 16, 16, 16, 17, 14],
    "D": [30, 17, 17, 17, 17, 17, 30],
    "E": [31, 16, 16, 30, 16, 16, 31],
    "F": [31, 16, 16, 30, 16, 16, 16],
    "G": [14, 17, 16, 23, 17, 17, 14],
    "H": [17, 17, 17, 31, 17, 17, 17],
    "I": [14, 4, 4, 4, 4, 4, 14],
    "K": [17, 18, 20, 24, 20, 18, 17],
    "L": [16, 16, 16, 16, 16, 16, 31],
    "M": [17, 27, 21, 21, 17, 17, 17],
    "N": [17, 25, 21, 19, 17, 17, 17],
    "O": [14, 17, 17, 17, 17, 17, 14],
    "P": [30, 17, 17, 30, 16, 16, 16],
    "Q": [14, 17, 17, 17, 21, 18, 13],
    "R": [30, 17, 17, 30, 20, 18, 17],
    "S": [15, 16, 16, 14, 1, 1, 30],
    "T": [31, 4, 4, 4, 4, 4, 4],
    "U": [17, 17, 17, 17, 17, 17, 14],
    "W": [17, 17, 17, 21, 21, 27, 17],
    "Y": [17, 17, 10, 4, 4, 4, 4],
  ]
}
