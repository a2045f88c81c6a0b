// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Semantic masks") struct RawMatteTests {
  static let skin = "urn:com:apple:photo:2019:aux:semanticskinmatte"

  /// A gray image of 8x4 with a crop of 6x4, with masks.
  static func file(_ masks: [SyntheticDNG.Directory]) -> SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 4)
    file.main.entries[262] = .shorts([34_892])
    file.main.chunks = [[UInt8](repeating: 40, count: 64)]
    file.main.entries[50_719] = .rationals([2, 0])
    file.main.entries[50_720] = .rationals([6, 4])
    file.main.entries[274] = .shorts([6])
    file.main.subdirectories = masks
    return file
  }

  /// A mask of 4x2 (half the size of the image) whose samples are 10, 20, ..., 80.
  static func mask(name: String? = skin, area: [Int]? = nil) -> SyntheticDNG.Directory {
    var mask = SyntheticDNG(width: 4, height: 2, bits: 8).main
    mask.entries = mask.entries.filter { $0.key < 50_000 && $0.key != 33_421 && $0.key != 33_422 }
    mask.entries[254] = .longs([65_540])
    mask.entries[262] = .shorts([52_527])
    mask.entries[52_526] = name.map { .text($0) }
    mask.entries[52_536] = area.map { .longs($0) }
    mask.chunks = [(1...8).map { UInt8(10 * $0) }]
    return mask
  }

  private static func codes(_ values: [Int], width: Int) -> [[UInt16]] {
    stride(from: 0, to: values.count, by: width).map { start in
      values[start..<start + width].map { UInt16($0 * 257) }
    }
  }

  private static func rows(_ plane: Plane<UInt16>) -> [[UInt16]] {
    (0..<plane.height).map { Array(plane.row($0)) }
  }

  @Test("masks are listed by name and decoded over the active area")
  func decoding() throws {
    let dng = try SyntheticDNG.parsed(
      Self.file([Self.mask(), Self.mask(name: "Sky", area: [1, 2, 8, 4])]))
    let mattes = try dng.mattes().found
    #expect(mattes.map(\.shortName) == ["skin", "sky"])
    #expect(mattes[0].isNamed("skin") && mattes[0].isNamed("semanticskinmatte"))
    #expect(!mattes[0].isNamed("sky") && mattes[1].isNamed("SKY"))
    let skin = try dng.decode(mattes[0])
    #expect(Self.rows(skin) == Self.codes([10, 20, 30, 40, 50, 60, 70, 80], width: 4))
    // A part of a larger mask, with nothing around it.
    #expect(mattes[1].width == 8 && mattes[1].height == 4)
    let sky = try dng.decode(mattes[1])
    let none = [Int](repeating: 0, count: 10)
    let whole = none + [10, 20, 30, 40, 0, 0, 0, 0, 50, 60, 70, 80] + none
    #expect(Self.rows(sky) == Self.codes(whole, width: 8))
  }

  @Test("a mask is cropped as the developed image")
  func cropping() throws {
    let dng = try SyntheticDNG.parsed(Self.file([Self.mask()]))
    let plane = try dng.croppedMatte(dng.mattes().found[0], limits: ImageLimits())
    #expect(Self.rows(plane) == Self.codes([20, 30, 40, 60, 70, 80], width: 3))
  }

  /// Source: Exif 3.0, Orientation: where row 0 and column 0 are.
  @Test(
    "rotated as the image",
    arguments: [
      (1, [20, 30, 40, 60, 70, 80], 3), (2, [40, 30, 20, 80, 70, 60], 3),
      (3, [80, 70, 60, 40, 30, 20], 3), (4, [60, 70, 80, 20, 30, 40], 3),
      (5, [20, 60, 30, 70, 40, 80], 2), (6, [60, 20, 70, 30, 80, 40], 2),
      (7, [80, 40, 70, 30, 60, 20], 2), (8, [40, 80, 30, 70, 20, 60], 2),
    ])
  func rotated(orientation: Int, expected: [Int], width: Int) throws {
    let dng = try SyntheticDNG.parsed(Self.file([Self.mask()]))
    let plane = try dng.croppedMatte(dng.mattes().found[0], limits: ImageLimits())
    let rotated = plane.upright(from: try #require(Orientation(rawValue: orientation)))
    #expect(Self.rows(rotated) == Self.codes(expected, width: width))
  }

  #if PNG
  @Test("as an upright PNG")
  func png() throws {
    let attachments = try #require(
      try EmbeddedRawImages(ImageFile(parsing: ByteSource(Self.file([Self.mask()]).bytes))))
    #expect(try attachments.matteNames == ["skin"])
    let png = try attachments.matte(named: "skin")
    let document = try SourceImage.open(ByteSource(png), options: OpeningOptions())
    let image = try document.image.makeReader().read(rows: 0..<3)
    guard case .integer(let planes) = image.planes else {
      Issue.record("no integers")
      return
    }
    #expect(Self.rows(planes[0]) == Self.codes([60, 20, 70, 30, 80, 40], width: 2))
    let error = #expect(throws: ImageError.self) { try attachments.matte(named: "hair") }
    #expect(error?.code.id == "raw/matte-unknown")
    #expect(error?.parameters["mattes"] == ["skin"].diagnosticValue)
  }
  #endif

  @Test("a mask without a name or with invalid parts is dropped with a notice")
  func refusals() throws {
    var huge = Self.mask()
    for side in [256, 257] { huge.entries[UInt16(side)] = .longs([0xFFFF_FFFF]) }
    for mask in [
      huge, Self.mask(name: nil), Self.mask(area: [1, 2, 5, 4]), Self.mask(area: [1, 2, 3]),
      Self.mask(area: [0, 0, 1 << 20, 1 << 20]),
    ] {
      let mattes = try SyntheticDNG.parsed(Self.file([mask])).mattes()
      #expect(mattes.found.isEmpty && mattes.notices.count == 1)
    }
    var cut = Self.mask()
    cut.chunks[0].removeLast(3)
    let dng = try SyntheticDNG.parsed(Self.file([cut]))
    let matte = try #require(dng.mattes().found.first)
    let error = #expect(throws: ImageError.self) { try dng.decode(matte) }
    #expect(error?.category == .truncated && error?.location.path.first == "IFD0")
  }
}
