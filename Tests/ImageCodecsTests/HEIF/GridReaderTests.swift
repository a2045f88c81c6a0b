// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Grids decoded one row of tiles at a time, compared with the encoded image.
@Suite("Grid reader") struct GridReaderTests {
  private static let limit = CodedItemLimit(pixels: 128 * 128, width: 128, height: 128)

  private func reader(of image: ImagePlanes, codec: ItemCodec) throws -> any RowReader {
    let matrix: CICP.Matrix =
      image.layout.components == .rgb ? .identity : .bt2020NonConstant
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq, matrix: matrix)))
    let bytes = try RoundTripTests.written(output, codec, limit: Self.limit)
    return try RoundTripTests.opened(bytes).image.makeReader()
  }

  /// Strips across tile edges, overlapping strips, and a restart at the top.
  private static let strips: [[Range<Int>]] = [
    [0..<300],
    stride(from: 0, to: 300, by: 100).map { $0..<$0 + 100 },
    [0..<68, 64..<132, 128..<196, 192..<260, 254..<300],
    [0..<300, 0..<20, 120..<136, 100..<300, 126..<128, 128..<140],
  ]

  @Test(arguments: [ItemCodec.hevc, .av1], [1, 5])
  func anyRowsInAnyOrder(codec: ItemCodec, threads: Int) throws {
    for (components, hasAlpha) in [
      (ImageLayout.Components.rgb, false), (.ycbcr(.yuv444), true), (.ycbcr(.yuv420), true),
    ] {
      let image = TestImage.make(
        components, bits: 10, width: 200, height: 300, hasAlpha: hasAlpha)
      try Execution(threads: threads).perform {
        let reader = try reader(of: image, codec: codec)
        #expect((reader as? FileReader)?.decoder is GridReader)
        for rows in Self.strips.joined() {
          let strip = try reader.read(rows: rows)
          #expect(strip.checksum == image.strip(rows: rows).checksum, "\(components) \(rows)")
        }
      }
    }
  }

  /// Subsampled chroma without alpha is decoded once to a canvas, also for repeated reads.
  @Test(arguments: [ItemCodec.hevc, .av1]) func smallCanvas(codec: ItemCodec) throws {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 200, height: 300)
    let reader = try reader(of: image, codec: codec)
    #expect((reader as? FileReader)?.decoder is CanvasReader)
    #expect(try reader.read(rows: 0..<300).checksum == image.checksum)
  }

  /// Parts of a grid, then all of it.
  @Test(arguments: [ItemCodec.hevc, .av1], [1, 5])
  func parts(codec: ItemCodec, threads: Int) throws {
    for (components, hasAlpha) in [
      (ImageLayout.Components.rgb, false), (.ycbcr(.yuv420), true), (.ycbcr(.yuv420), false),
    ] {
      let image = TestImage.make(
        components, bits: 10, width: 300, height: 300, hasAlpha: hasAlpha)
      try Execution(threads: threads).perform {
        let reader = try reader(of: image, codec: codec)
        for part in [
          PixelRectangle(x: 140, y: 140, width: 30, height: 100),
          PixelRectangle(x: 260, y: 100, width: 40, height: 100),
          PixelRectangle(x: 0, y: 0, width: 20, height: 300),
        ] {
          reader.limitIfPossible(to: part)
          for start in stride(from: part.y, to: part.y + part.height, by: 50) {
            let rows = start..<min(start + 60, part.y + part.height)
            let (read, expected) = (try reader.read(rows: rows), image.strip(rows: rows))
            func inPart(_ strip: ImagePlanes) -> ImagePlanes {
              strip.part(x: part.x, y: 0, width: part.width, height: rows.count)
            }
            #expect(inPart(read).checksum == inPart(expected).checksum, "\(components) \(part)")
          }
        }
        reader.limitIfPossible(to: nil)
        #expect(try reader.read(rows: 0..<300).checksum == image.checksum)
      }
    }
  }

  /// A damaged tile is reported when its rows are read; the rows before it are decoded.
  @Test func damagedTile() throws {
    let image = TestImage.make(.rgb, bits: 10, width: 100, height: 300)
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let bytes = try RoundTripTests.written(output, .hevc, limit: Self.limit)
    var file = try HEIFFile(parsing: ByteSource(bytes))
    let last = try #require(file.items.lastIndex { $0.type == "hvc1" })
    let id = file.items[last].id
    file.items[last].data = .file(Array(try file.data(of: id).prefix(40)))
    let reader = try RoundTripTests.opened(try file.serialized()).image.makeReader()
    reader.limitIfPossible(to: PixelRectangle(x: 0, y: 200, width: 100, height: 50))
    #expect(try reader.read(rows: 200..<250).checksum == image.strip(rows: 200..<250).checksum)
    reader.limitIfPossible(to: nil)
    #expect(
      try reader.read(rows: 0..<100).checksum == image.strip(rows: 0..<100).checksum)
    let error = #expect(throws: ImageError.self) { try reader.read(rows: 200..<300) }
    #expect(error?.location.path.contains("item \(id)") == true)
  }
}
#endif
