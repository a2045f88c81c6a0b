// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
import HDRConversion
import HDRCore
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

  /// An image of 8 bits, with changed properties.
  private func file(
    _ codec: ItemCodec, _ components: ImageLayout.Components,
    change: (inout HEIFItem) -> Void
  ) throws -> [UInt8] {
    let image = TestImage.make(components, bits: 8, width: 70, height: 50)
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt709)
    var file = try HEIFFile(
      parsing: ByteSource(RoundTripTests.written(OutputImage(Image(image, cicp)), codec)))
    file.updateItem(try file.primaryItem.id, change)
    return try file.serialized()
  }

  @Test(
    "channel counts of pixi", arguments: [ItemCodec.av1, .hevc],
    [ImageLayout.Components.ycbcr(.yuv420), .gray])
  func channelCount(codec: ItemCodec, components: ImageLayout.Components) throws {
    let count = components == .gray ? 3 : 1
    let bytes = try file(codec, components) { item in
      item.setProperty(
        "pixi",
        to: .pixelInformation(
          PixelInformationBox(bitsPerChannel: [UInt8](repeating: 8, count: count))))
    }
    #expect(try decoded(bytes).notices.contains("bitstream/channel-count-differs"))
  }

  /// libavif scales the image.
  @Test(arguments: [(64, 48), (96, 64)] as [(UInt32, UInt32)])
  func sizeOfAVIF(width: UInt32, height: UInt32) throws {
    let bytes = try file(.av1, .ycbcr(.yuv420)) { item in
      item.setProperty(
        "ispe", to: .imageSpatialExtents(ImageSpatialExtentsBox(width: width, height: height)))
    }
    #expect(try decoded(bytes).notices.contains("item/size-scaled"))
  }

  /// Reserved code points in `nclx` are replaced by those of the bitstream, with a notice.
  @Test(arguments: [
    CICP(primaries: .init(rawValue: 3), transfer: .init(rawValue: 3), matrix: .init(rawValue: 3)),
    CICP(primaries: .displayP3, transfer: .init(rawValue: 0), matrix: .bt709),
    CICP(primaries: .bt709, transfer: .srgb, matrix: .init(rawValue: 255)),
  ])
  func reservedCodePoints(cicp: CICP) throws {
    let bytes = try file(.av1, .ycbcr(.yuv420)) { $0.setColor(cicp: cicp, icc: nil) }
    let document = try SourceImage(decoding: ByteSource(bytes))
    #expect(document.image.color.cicp == CICP(primaries: .bt709, transfer: .srgb, matrix: .bt709))
    let reserved = document.notices.filter { $0.code.id == "color/code-points-reserved" }
    #expect(reserved.map(\.location.path.last) == ["nclx"])
  }

  /// Matrix 0 is RGB also with subsampled chroma, unless the caller declares another one.
  @Test(arguments: [ItemCodec.av1, .hevc], [ChromaSubsampling.yuv420, .yuv422])
  func subsampledRGB(codec: ItemCodec, chroma: ChromaSubsampling) throws {
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .identity)
    let bytes = try file(codec, .ycbcr(chroma)) { $0.setColor(cicp: cicp, icc: nil) }
    let document = try SourceImage(decoding: ByteSource(bytes))
    #expect(document.image.layout.components == .rgb)
    #expect(document.notices.contains { $0.code.id == "color/rgb-subsampled" })
    var options = OpeningOptions()
    options.declared = OpeningOptions.DeclaredColor(matrix: .bt709)
    let declared = try SourceImage(decoding: ByteSource(bytes), options: options)
    #expect(declared.image.layout.components == .ycbcr(chroma))
    #expect(declared.image.color.matrix == .bt709)
    #expect(!declared.notices.contains { $0.code.id == "color/rgb-subsampled" })
    // Green is luma; the planes of RGB have the same size.
    let rows = 0..<document.image.layout.height
    let rgb = try document.image.makeReader().read(rows: rows).codes
    let ycbcr = try declared.image.makeReader().read(rows: rows).codes
    #expect(rgb[1] == ycbcr[0])
    #expect(rgb.allSatisfy { $0.count == rgb[1].count })
  }
}
#endif
