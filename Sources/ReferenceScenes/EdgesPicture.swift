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
