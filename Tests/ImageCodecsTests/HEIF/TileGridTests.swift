// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Tile grid") struct TileGridTests {
  @Test func imagesWithinTheLimitStayWhole() {
    for limit in [CodedItemLimit.hevc, .av1] {
      let grid = TileGrid(width: 6000, height: 4001, limit: limit)
      #expect((grid.columns, grid.rows, grid.tileWidth, grid.tileHeight) == (1, 1, 6000, 4001))
    }
  }

  @Test(arguments: [
    (8192, 4353), (20_000, 100), (100, 20_000), (16_384, 16_384), (65_536, 65_536), (8000, 6001),
  ])
  func tilesCoverAndFit(width: Int, height: Int) {
    for limit in [CodedItemLimit.hevc, .av1] {
      let grid = TileGrid(width: width, height: height, limit: limit)
      #expect(grid.tileWidth * grid.tileHeight <= limit.pixels)
      #expect(grid.tileWidth <= limit.width && grid.tileHeight <= limit.height)
      #expect(grid.tileWidth.isMultiple(of: 64) && grid.tileHeight.isMultiple(of: 64))
      #expect(grid.columns * grid.tileWidth >= width && grid.rows * grid.tileHeight >= height)
      // Every tile overlaps the image.
      #expect((grid.columns - 1) * grid.tileWidth < width)
      #expect((grid.rows - 1) * grid.tileHeight < height)
      #expect(grid.columns <= 256 && grid.rows <= 256)
    }
  }

  /// 8192x4352 is the largest image of level 6.2 with this width.
  @Test func levelLimitIsExact() {
    #expect(TileGrid(width: 8192, height: 4352, limit: .hevc).tileCount == 1)
    #expect(TileGrid(width: 8192, height: 4353, limit: .hevc).tileCount == 2)
  }

  @Test func partsRepeatTheLastColumnAndRow() {
    let plane = Plane<UInt16>(width: 3, height: 2) { samples in
      for value in 1...6 as ClosedRange<UInt16> { samples.append(value) }
    }
    let part = plane.part(x: 1, y: 1, width: 4, height: 3)
    #expect(part.values(inRow: 0) == [5, 6, 6, 6])
    #expect(part.values(inRow: 2) == [5, 6, 6, 6])
  }

  /// Some readers cannot crop AVIF grids of subsampled chroma to an odd size.
  @Test func oddImagesOfAV1StayWhole() {
    func count(_ codec: ItemCodec, _ components: ImageLayout.Components, _ width: Int) -> Int {
      let format = ImageLayout(
        width: width, height: 6000, components: components, samples: .integer(bits: 10))
      return TileGrid(width: width, height: 6000, limit: codec.limit(of: format)).tileCount
    }
    #expect(count(.av1, .ycbcr(.yuv420), 6001) == 1)
    #expect(count(.av1, .ycbcr(.yuv422), 6001) == 1)
    #expect(count(.av1, .ycbcr(.yuv444), 6001) > 1)
    #expect(count(.av1, .ycbcr(.yuv420), 6002) > 1)
    #expect(count(.hevc, .ycbcr(.yuv420), 6001) > 1)
  }
}
#endif
