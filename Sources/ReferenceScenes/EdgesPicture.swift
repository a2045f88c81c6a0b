// SPDX-License-Identifier: Apache-2.0

/// A test image of PQ code values that are difficult for codecs and filters.
///
/// It has odd dimensions, one-pixel lines, steps at the borders, noise, and a letter that shows the
/// orientation.
enum EdgesImage {
  static let width = 61
  static let height = 43

  /// Red, green, blue and alpha of a pixel, 16 bits each.
  static func codes(_ x: Int, _ y: Int) -> SIMD4<UInt16> {
    let color = rgb(x, y)
    return SIMD4(color.x, color.y, color.z, coverage(x, y))
  }

  private static func rgb(_ x: Int, _ y: Int) -> SIMD3<UInt16> {
    // Maximum values in the last column and row, which a filter must not omit.
    if x == width - 1 { return SIMD3(peak, 0, 0) }
    if y == height - 1 { return SIMD3(0, 0, peak) }
    switch (x / 20, y / 14) {
    case (0, 0):
      return letter(x, y) ? SIMD3(white, white, white) : SIMD3(9000, 9000, 20_000)
    case (1, 0): return x % 2 == 0 ? SIMD3(white, 0, 0) : SIMD3(0, white, white)
    case (2, 0): return y % 2 == 0 ? SIMD3(0, white, 0) : SIMD3(white, 0, white)
    case (0, 1): return (x + y) % 2 == 0 ? SIMD3(peak, peak, peak) : SIMD3(0, 0, 0)
    case (1, 1): return x < 30 ? SIMD3(highlight, 3000, 3000) : SIMD3(3000, 3000, highlight)
    case (2, 1): return noise(x, y)
    case (0, 2): return SIMD3(UInt16(x) * 3449, UInt16(y - 28) * 5041, 32_768)
    case (1, 2): return SIMD3(repeating: UInt16(x - 20) * 3449)
    default: return SIMD3(0, 0, 0)
    }
  }

  private static func letter(_ x: Int, _ y: Int) -> Bool {
    Glyphs.isInk((x - 5) / 2, y / 2, lines: [["F"]])
  }

  private static func noise(_ x: Int, _ y: Int) -> SIMD3<UInt16> {
    func code(_ seed: UInt32) -> UInt16 { UInt16(Noise.hash(x, y, seed: seed) * 65_536) }
    return SIMD3(code(101), code(102), code(103))
  }

  private static func coverage(_ x: Int, _ y: Int) -> UInt16 {
    switch y / 14 {
    case 0: x % 3 == 0 ? 0 : 65_535
    case 1: UInt16(x * 1092)
    default: UInt16(Noise.hash(x, y, seed: 104) * 65_536)
    }
  }

  // PQ code values of 10 000, 1000 and 203 cd/m².
  private static let peak: UInt16 = 65_535
  private static let highlight: UInt16 = 49_271
  private static let white: UInt16 = 38_055
}

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
