// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
import Foundation
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// The data that inspection reads from a file, compared with the result of a reader.
@Suite("Reading for inspection") struct FileContentsReadingTests {
  private func written(_ codec: ItemCodec, hdr: LightMetadata = LightMetadata()) throws -> [UInt8] {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 70, height: 50)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    return try RoundTripTests.written(
      OutputImage(Image(image, cicp, light: hdr)), codec,
      options: EncoderOptions(quality: 50, speed: 10))
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func carriersOfOurFiles(codec: ItemCodec) throws {
    let light = LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 200)
    let inspection = try ImageFile(
      parsing: ByteSource(try written(codec, hdr: LightMetadata(contentLightLevel: light)))
    ).contents()
    let color = try #require(inspection.primary.color)
    #expect(color.carriers.map(\.name) == ["nclx", "bitstream"])
    #expect(color.carriers[0].cicp == color.carriers[1].cicp)
    #expect(
      [color.primariesSource, color.transferSource, color.matrixSource] == ["nclx", "nclx", "nclx"])
    #expect(inspection.primary.light.contentLightLevel == light)
    #expect(inspection.primary.coding.lumaDepth == 10)
    #expect(inspection.primary.coding.chroma == .yuv420)
    #expect(inspection.notices.isEmpty)
  }

  /// A file whose `mdat` is truncated is damaged.
  @Test(arguments: [ItemCodec.hevc, .av1])
  func truncation(codec: ItemCodec) throws {
    let bytes = try written(codec)
    #expect {
      try ImageFile(parsing: ByteSource(Array(bytes.dropLast(1)))).contents()
    } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
  }

  /// Data after the headers of a coded image does not affect inspection.
  @Test(arguments: [ItemCodec.hevc, .av1])
  func headersSuffice(codec: ItemCodec) throws {
    var file = try HEIFFile(parsing: ByteSource(try written(codec)))
    let id = try file.primaryItem.id
    let data = try file.data(of: id)
    let position = try #require(file.items.firstIndex { $0.id == id })
    file.items[position].data = .file(data + [UInt8](repeating: 0, count: 1 << 16))
    let bytes = try file.serialized()
    let path = FileManager.default.temporaryDirectory
      .appending(path: "inspection-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    let inspection = try ImageFile(parsing: try ByteSource(path: path)).contents()
    let document = try SourceImage(decoding: try ByteSource(path: path), options: OpeningOptions())
    #expect(inspection.primary.layout == document.image.layout)
    #expect(inspection.primary.color?.encoding == document.image.color)
    #expect(inspection.isHighDynamicRange == document.isHighDynamicRange)
  }
}
#endif
