// SPDX-License-Identifier: Apache-2.0
#if AVIF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("AV1 encoder") struct AV1EncoderTests {
  @Test func quantizersCoverTheScale() {
    // Source: avifenc 1.1, --qcolor.
    for (quality, quantizer) in [(0, 63), (50, 32), (60, 25), (80, 13), (90, 6), (94, 4), (100, 0)]
    {
      #expect(AV1Encoder.quantizer(quality: quality) == Int32(quantizer))
    }
    #expect(AV1Encoder.quantizer(quality: 98) == 1 && AV1Encoder.quantizer(quality: 99) == 1)
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

  /// A large image without graphics, which is encoded without some tools.
  @Test(arguments: [6, 10]) func largePhoto(speed: Int) throws {
    let layout = ImageLayout(
      width: 2048, height: 1024, components: .gray, samples: .integer(bits: 10))
    let plane = Plane<UInt16>(width: layout.width, height: layout.height) { samples in
      for y in 0..<layout.height {
        for x in 0..<layout.width { samples.append(UInt16((x + y) / 4)) }
      }
    }
    let item = try AV1Encoder(options: EncoderOptions(quality: 90, speed: speed)).encode(
      ImagePlanes(layout: layout, planes: .integer([plane])),
      cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant),
      chromaLocation: .center)
    #expect(item.bytes.count > 100)
  }
}
#endif
