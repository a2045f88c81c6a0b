// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs

#if AVIF
@Suite("Graphics in a plane") struct PlaneGraphicsTests {
  private func hasGraphics(bits: Int, _ code: (_ x: Int, _ y: Int) -> Int) -> Bool {
    let (width, height) = (330, 340)
    let plane = Plane<UInt16>(width: width, height: height) { samples in
      for y in 0..<height { for x in 0..<width { samples.append(UInt16(code(x, y))) } }
    }
    return plane.hasGraphics(bits: bits)
  }

  @Test(arguments: [8, 10, 12]) func linesAreGraphics(bits: Int) {
    let contrast = 1 << (bits - 4)
    #expect(hasGraphics(bits: bits) { x, _ in x % 7 == 0 ? contrast : 0 })
    #expect(!hasGraphics(bits: bits) { x, _ in x % 7 == 0 ? contrast - 1 : 0 })
    // One of 110 blocks, and four of them.
    #expect(!hasGraphics(bits: bits) { x, y in x / 16 == 4 && y / 16 == 4 ? x % 2 * contrast : 0 })
    #expect(hasGraphics(bits: bits) { x, y in x / 16 == 4 && y / 16 < 8 ? x % 2 * contrast : 0 })
  }

  @Test(arguments: [8, 10, 12]) func photosAreNot(bits: Int) {
    var random = SplitMix(seed: 3)
    // Smooth areas have few codes, and noise has many.
    #expect(!hasGraphics(bits: bits) { x, y in (x + 2 * y) / 40 })
    #expect(!hasGraphics(bits: bits) { _, _ in 9 })
    #expect(!hasGraphics(bits: bits) { _, _ in Int(random.next() >> 40) % (1 << bits) })
  }
}
#endif
