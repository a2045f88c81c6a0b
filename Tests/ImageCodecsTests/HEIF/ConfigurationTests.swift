// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
import HDRConversion
import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Configuration records and `pixi` that contradict the bitstream, which counts.
@Suite("Contradicting configuration") struct ConfigurationTests {
  private func decoded(
    _ bytes: [UInt8]
  ) throws -> (codes: [[UInt16]], notices: [String]) {
    let document = try SourceImage(decoding: ByteSource(bytes))
    let planes = try document.image.makeReader().read(rows: 0..<document.image.layout.height)
    return (planes.codes, document.notices.map(\.code.id))
  }

  @Test(arguments: [ItemCodec.av1, .hevc], [ChromaSubsampling.yuv420, .yuv422, .yuv444])
  func recordsDiffer(codec: ItemCodec, chroma: ChromaSubsampling) throws {
    let bits = chroma == .yuv420 ? 10 : 8
    let image = TestImage.make(.ycbcr(chroma), bits: bits, width: 70, height: 50)
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt709)
    let right = try RoundTripTests.written(OutputImage(Image(image, cicp)), codec)
    var file = try HEIFFile(parsing: ByteSource(right))
    file.updateItem(try file.primaryItem.id) { item in
      for index in item.properties.indices {
        switch item.properties[index].box {
        case .av1Configuration(var record):
          record.isSubsampledHorizontally.toggle()
          record.isSubsampledVertically = record.isSubsampledHorizontally
          record.isHighBitDepth.toggle()
          item.properties[index] = ItemProperty(.av1Configuration(record))
        case .hevcConfiguration(var record):
          record.chromaFormat = record.chromaFormat == 3 ? 1 : 3
          record.lumaBitDepth = bits == 8 ? 10 : 8
          record.chromaBitDepth = record.lumaBitDepth
          item.properties[index] = ItemProperty(.hevcConfiguration(record))
        case .pixelInformation:
          item.properties[index] = ItemProperty(
            .pixelInformation(PixelInformationBox(bitsPerChannel: [12, 12, 12])))
        default: break
        }
      }
    }
    let expected = try decoded(right)
    let found = try decoded(try file.serialized())
    #expect(found.codes == expected.codes)
    let added = found.notices.filter { $0 == "bitstream/configuration-differs" }
    #expect(added.count == 2)
    #expect(!expected.notices.contains("bitstream/configuration-differs"))
  }
}
#endif
