// SPDX-License-Identifier: Apache-2.0
#if AVIF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("AV1 encoder") struct AV1EncoderTests {
  @Test func quantizersCoverTheScale() {
    #expect(AV1Encoder.quantizer(quality: 0) == 63)
    #expect(AV1Encoder.quantizer(quality: 90) == 1)
    #expect(AV1Encoder.quantizer(quality: 99) == 1)
    #expect(AV1Encoder.quantizer(quality: 100) == 0)
    let all = (0...100).map { AV1Encoder.quantizer(quality: $0) }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(AV1Encoder.quantizer(quality: -5) == 63)
    #expect(AV1Encoder.quantizer(quality: 300) == 0)
  }

  @Test func tilesHaveAMegapixelOrMore() {
    #expect(AV1Encoder.tiles(width: 1000, height: 1000) == (0, 0))
    #expect(AV1Encoder.tiles(width: 4000, height: 3000) == (2, 1))
    #expect(AV1Encoder.tiles(width: 3000, height: 4000) == (1, 2))
    #expect(AV1Encoder.tiles(width: 8000, height: 4000) == (2, 2))
  }
}
#endif
