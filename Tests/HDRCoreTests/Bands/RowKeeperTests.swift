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

  /// Rows of an image that is freed as it is read, and those that are kept.
  @Test func rowsOfConsumedImage() throws {
    // Large enough that memory is returned to the system.
    let layout = ImageLayout(
      width: 4096, height: 1536, components: .gray, samples: .integer(bits: 16))
    let bands = [32..<64, 500..<530]
    let image = ImagePlanes(
      layout: layout,
      planes: .integer([
        Plane(width: 4096, height: 1536) { output in
          for index in 0..<4096 * 1536 { output.append(code(index)) }
        }
      ]))
    let keeper = RowKeeper(once: ConsumedPlanesReader(consume image), keeping: bands)
    func check(_ found: ImagePlanes, from row: Int) {
      guard case .integer(let planes) = found.planes else {
        Issue.record("not integers")
        return
      }
      let plane = planes[0]
      let samples = plane.span
      var isEqual = true
      for index in samples.indices where samples[index] != code(row * 4096 + index) {
        isEqual = false
      }
      #expect(isEqual)
    }
    let first = try keeper.read(rows: 0..<514)
    check(try keeper.read(rows: 512..<1024), from: 512)
    // The memory of rows that are still in use is not freed.
    check(first, from: 0)
    check(try keeper.read(rows: 1024..<1536), from: 1024)
    #expect(throws: ImageError.self) { try keeper.read(rows: 64..<96) }
    try keeper.freeImage()
    for band in bands { check(try keeper.read(rows: band), from: band.lowerBound) }
  }

  private func code(_ index: Int) -> UInt16 { UInt16(truncatingIfNeeded: index &* 40503 >> 7) }
}
