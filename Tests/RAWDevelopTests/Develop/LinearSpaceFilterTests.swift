// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Synchronization
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Filters of scene-linear values, draft mode and tone-mapped looks")
struct LinearSpaceFilterTests {
  /// A mosaic with a horizontal ramp.
  private static func mosaic(width: Int = 600, height: Int = 6) -> SyntheticDNG {
    var file = SyntheticDNG(width: width, height: height)
    file.main.chunks = [
      (0..<width * height).flatMap { file.number(5000 + 20 * ($0 % width), 2) }
    ]
    return file
  }

  private static func open(
    _ file: SyntheticDNG, _ development: RawDevelopment, _ filter: LinearSpaceFilter? = nil
  ) throws -> [[[Float]]] {
    try SourceImage.open(
      ByteSource(file.bytes), options: OpeningOptions(), developing: development,
      linearSpaceFilter: filter
    ).light()
  }

  @Test("a filter gets each pixel once, in the values of the output")
  func filter() throws {
    let file = Self.mosaic()
    let plain = try Self.open(file, .sceneLinear)
    let visits = Mutex<[SIMD2<Int>: Int]>([:])
    let filtered = try Self.open(file, .sceneLinear) { pixels in
      for (index, x) in pixels.columns.enumerated() {
        visits.withLock { $0[SIMD2(x, pixels.row), default: 0] += 1 }
        pixels.green[index] *= 0.5
      }
    }
    let counts = visits.withLock { $0 }
    #expect(counts.count == 3600 && counts.values.allSatisfy { $0 == 1 })
    for (y, x) in [(0, 0), (3, 300), (5, 599)] {
      #expect(abs(filtered[1][y][x] - plain[1][y][x] / 2) < 1e-5)
      #expect(abs(filtered[0][y][x] - plain[0][y][x]) < 1e-5)
      #expect(abs(filtered[2][y][x] - plain[2][y][x]) < 1e-5)
    }
  }

  @Test("the look applies to what the filter returns")
  func look() throws {
    let file = Self.mosaic()
    let dark = try Self.open(file, RawDevelopment()) { pixels in
      for index in pixels.red.indices {
        (pixels.red[index], pixels.green[index], pixels.blue[index]) = (0, 0, 0)
      }
    }
    #expect(dark.joined().joined().allSatisfy { abs($0) < 1e-6 })
  }

  @Test("a filter that changes the number of pixels ends the development")
  func resizes() throws {
    let error = #expect(throws: ImageError.self) {
      try Self.open(Self.mosaic(), .sceneLinear) { pixels in
        if pixels.row == 3 { pixels.green.removeLast() }
      }
    }
    #expect(error?.code.english == "the filter of scene-linear values changes the number of pixels")
  }

  @Test("a draft has half the size and the same colors", arguments: [600, 7])
  func draft(width: Int) throws {
    let file = Self.mosaic(width: width)
    var development = RawDevelopment.sceneLinear
    let fine = try Self.open(file, development)
    development.isDraftModeEnabled = true
    let draft = try Self.open(file, development)
    for plane in 0..<3 {
      #expect(draft[plane].count == 3 && draft[plane][0].count == (width + 1) / 2)
      // The ramp ends at the last columns.
      for (y, x) in (0..<3).flatMap({ y in (1..<width / 2 - 1).map { (y, $0) } }) {
        let mean = fine[plane][2 * y][2 * x...2 * x + 1].reduce(0, +) / 2
        #expect(abs(draft[plane][y][x] - mean) < 3e-3)
      }
    }
  }

  @Test("a crop means the same part of a draft")
  func cropOfDraft() throws {
    let file = try ImageFile(parsing: ByteSource(Self.mosaic(height: 200).bytes))
    var request = ConversionRequest(format: .exr)
    request.raw.isSceneLinear = true
    request.geometry.crop = PixelRectangle(x: 200, y: 2, width: 101, height: 40)
    func light(_ request: ConversionRequest) throws -> [[[Float]]] {
      try SourceImage.open(ByteSource(file.converted(request).bytes)).light()
    }
    let fine = try light(request)
    request.raw.isDraft = true
    let draft = try light(request)
    #expect(draft[0].count == 20 && draft[0][0].count == 51)
    for x in 0..<50 {
      let mean = (fine[0][8][2 * x] + fine[0][8][2 * x + 1]) / 2
      #expect(abs(draft[0][4][x] - mean) < 3e-3)
    }
    request.geometry.crop?.x = 550
    let outside = #expect(throws: ImageError.self) { try file.converted(request) }
    #expect(outside?.code.id == "geometry/crop-outside")
    #expect(outside?.message.contains("600x200") == true)
    // A computed gain map.
    var both = ConversionRequest(format: .jpeg)
    (both.content, both.raw.isDraft, both.rendition.exposure) = (.gainMap, true, 4)
    both.geometry.crop = PixelRectangle(x: 100, y: 40, width: 400, height: 120)
    let layout = try ImageFile(parsing: ByteSource(file.converted(both).bytes)).contents().primary
    #expect(layout.uprightSize == (200, 60))
  }

  @Test("looks without a tone curve of their own are developed with headroom for tone mapping")
  func toneMapped() throws {
    var development = RawDevelopment()
    development.extendedDynamicRangeAmount = 0
    var file = Self.mosaic()
    #expect(try file.document(development).image.color.transfer == .srgb)
    development.isStandardLookToneMapped = true
    #expect(try file.document(development).image.color.transfer == .linear)
    let extended = try file.document(RawDevelopment()).light()
    #expect(try file.document(development).light() == extended)
    file.main.entries[50_940] = .floats([0, 0, 0.5, 0.25, 1, 1])
    #expect(try file.document(development).image.color.transfer == .srgb)
  }
}
