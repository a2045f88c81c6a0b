// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import HDRCore

@Suite("Row keeper") struct RowKeeperTests {
  /// Rows are those of the image, and the kept ones are decoded once.
  @Test(arguments: [ChromaSubsampling.yuv444, .yuv420])
  func keptRows(chroma: ChromaSubsampling) throws {
    let layout = ImageLayout(
      width: 6, height: 201, components: .ycbcr(chroma), samples: .integer(bits: 8))
    var random = SplitMix(seed: 7)
    let planes = ImagePlanes(
      layout: layout,
      planes: .integer(
        (0..<3).map { index in
          let (width, height) = layout.planeSize(index)
          return Plane(width: width, height: height) { output in
            for _ in 0..<width * height {
              output.append(UInt16(truncatingIfNeeded: random.next()) & 255)
            }
          }
        }))
    let decoders = Mutex(0)
    let image = Image(
      ImageDescription(layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb))
    ) { () throws(ImageError) in
      decoders.withLock { $0 += 1 }
      return PlanesReader(planes)
    }
    let bands = [32..<64, 160..<192, 192..<201]
    let keeper = RowKeeper(image, keeping: bands)
    #expect(keeper.layout == layout)
    func check(_ rows: Range<Int>) throws {
      guard case .integer(let found) = try keeper.read(rows: rows).planes,
        case .integer(let expected) = planes.strip(rows: rows).planes
      else {
        Issue.record("not integers")
        return
      }
      #expect(found == expected)
    }
    for start in stride(from: 0, to: 201, by: 64) {
      try check(max(start - 2, 0)..<min(start + 66, 201))
    }
    keeper.endDecoding()
    for band in bands { try check(band.lowerBound - 2..<min(band.upperBound + 2, 201)) }
    #expect(decoders.withLock { $0 } == 1)
    try check(96..<128)
    #expect(decoders.withLock { $0 } == 2)
  }

  /// Rows that were read in parts, or not at all, are still there after the image is freed.
  @Test func rowsOfFreedImage() throws {
    let layout = ImageLayout(
      width: 3, height: 130, components: .gray, samples: .integer(bits: 16))
    let planes = ImagePlanes(
      layout: layout,
      planes: .integer([
        Plane(width: 3, height: 130) { output in
          for index in 0..<3 * 130 { output.append(UInt16(index)) }
        }
      ]))
    let description = ImageDescription(
      layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb))
    let bands = [32..<64, 96..<130]
    let keeper = RowKeeper(Image(description, planes), keeping: bands)
    _ = try keeper.read(rows: 0..<50)
    _ = try keeper.read(rows: 50..<80)
    try keeper.freeImage()
    for band in bands {
      guard case .integer(let found) = try keeper.read(rows: band).planes,
        case .integer(let expected) = planes.strip(rows: band).planes
      else {
        Issue.record("not integers")
        return
      }
      #expect(found == expected)
    }
  }
}
