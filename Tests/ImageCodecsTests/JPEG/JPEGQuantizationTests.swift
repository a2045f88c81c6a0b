// SPDX-License-Identifier: Apache-2.0
#if JPEG
@testable import HDRConversion
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("JPEG quantization") struct JPEGQuantizationTests {
  @Test func bestQualityRoundsOnly() {
    let tables = JPEGQuantization(quality: 100)
    #expect(tables.luma == [UInt16](repeating: 1, count: 64))
    #expect(tables.chroma == tables.luma)
  }

  /// The square root of each step of table K.1 relative to its first step, times 24.
  @Test func qualityFifty() {
    let tables = JPEGQuantization(quality: 50)
    #expect(tables.luma[0] == 24 && tables.luma[1] == 20 && tables.luma[63] == 60)
    #expect(tables.chroma[0] == 19 && tables.chroma[63] == 48)
  }

  @Test func stepsFallWithQuality() {
    let tables = (0...101).map { JPEGQuantization(quality: $0) }
    for (coarse, fine) in zip(tables, tables.dropFirst()) {
      #expect(zip(coarse.luma, fine.luma).allSatisfy { $0 >= $1 })
      #expect(coarse.luma.allSatisfy { (1...255).contains($0) })
    }
  }
}
#endif
