// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("TrimBounds") struct TrimBoundsTests {
  /// An image with different values in all pixels and components.
  private static func image() -> SyntheticDNG {
    var file = SyntheticDNG(width: 12, height: 10, planes: 3)
    var bytes: [UInt8] = []
    for place in 0..<120 {
      for plane in 0..<3 { bytes += file.number(1000 + 37 * place + 5000 * plane, 2) }
    }
    file.main.chunks = [bytes]
    return file
  }

  private static func trim(_ sides: [Int]) -> OpcodeBytes.Opcode {
    .init(identifier: 6, payload: sides.map { .int($0) })
  }

  private static let tags: [UInt16] = [51_008, 51_009, 51_022]

  @Test("the same values in fewer pixels, in any list", arguments: [0, 1, 2])
  func light(list: Int) throws {
    var file = Self.image()
    let whole = try file.document().light()
    file.main.entries[Self.tags[list]] = OpcodeBytes.list(Self.trim([2, 3, 9, 11]))
    let document = try file.document()
    #expect(document.notices.isEmpty)
    #expect((document.image.layout.width, document.image.layout.height) == (8, 7))
    let part = Self.part(whole, rows: 2..<9, columns: 3..<11)
    #expect(try document.light() == part)
  }

  @Test("nested bounds and a crop")
  func nested() throws {
    var file = Self.image()
    let whole = try file.document().light()
    for list in 0..<3 {
      file.main.entries[Self.tags[list]] = OpcodeBytes.list(
        list == 1
          ? [Self.trim([1, 0, 8, 11]), Self.trim([0, 1, 7, 10])]
          : [Self.trim([0, 1, 9, 12 - list])]
      )
      if list == 2 {
        file.main.entries[Self.tags[2]] = OpcodeBytes.list(Self.trim([1, 0, 7, 9]))
      }
    }
    file.main.entries[50_719] = .longs([2, 1])
    file.main.entries[50_720] = .longs([4, 3])
    // Rows 0 + 1 + 0 + 1 + 1, columns 1 + 0 + 1 + 0 + 2.
    let part = Self.part(whole, rows: 3..<6, columns: 4..<8)
    #expect(try file.document().light() == part)
  }

  @Test("trimmed photosites keep their filters and black levels")
  func mosaic() throws {
    var file = SyntheticDNG(width: 20, height: 16)
    // Red 3000, green 2000 and blue 1000 above the black levels of their places.
    let levels = [100, 200, 300, 400]
    let light = [3000, 2000, 2000, 1000]
    file.main.entries[50_713] = .shorts([2, 2])
    file.main.entries[50_714] = .shorts(levels)
    file.main.chunks = [
      (0..<320).flatMap { place in
        let phase = place / 20 % 2 * 2 + place % 2
        return file.number(levels[phase] + light[phase], 2)
      }
    ]
    let whole = try file.document().light()
    // What an opcode before the bounds does to a row is done there.
    let row = OpcodeBytes.Opcode(
      identifier: 12, payload: OpcodeBytes.area([0, 0, 1, 20]) + [.int(1), .float(0)])
    file.main.entries[51_009] = OpcodeBytes.list(row, Self.trim([3, 5, 15, 18]))
    let found = try file.document().light()
    #expect((found[0].count, found[0][0].count) == (12, 13))
    for plane in 0..<3 {
      for line in found[plane] {
        for value in line { #expect(abs(value - whole[plane][8][8]) < 1e-6) }
      }
    }
  }

  /// A mask of 6x5 samples over the image, and a color table for it.
  private static func masked() -> SyntheticDNG {
    var file = image()
    var mask = RawMatteTests.mask(name: "skin")
    mask.entries[256] = .longs([6])
    mask.entries[257] = .longs([5])
    mask.entries[278] = .longs([5])
    mask.chunks = [(0..<30).map { UInt8($0 * 97 % 251) }]
    file.main.subdirectories = [mask]
    // Colors change places.
    file.main.entries[52_543] = .undefined(
      RGBTablesTests.bytes(file, names: ["skin"]) { _, index in
        let (entry, component) = (index / 3, index % 3)
        return Double(entry >> ((component + 1) % 3) & 1)
      })
    return file
  }

  @Test(
    "masks of local exposure and color tables keep their position",
    arguments: [[1], [2], [1, 2]], [false, true])
  func masks(lists: [Int], isSceneLinear: Bool) throws {
    var development = isSceneLinear ? RawDevelopment.sceneLinear : RawDevelopment()
    development.extendedDynamicRangeAmount = 0
    if isSceneLinear { development.localExposures = [.init(matte: "skin", stops: 1.5)] }
    var file = Self.masked()
    let whole = try file.document(development).light()
    var bare = file
    bare.main.subdirectories = []
    var plain = development
    plain.localExposures = []
    let unmasked = try bare.document(plain).light()
    // The rest begins in row 2 and column 3, whichever list specifies it.
    let sides = lists.count == 2 ? [[1, 2, 10, 12], [1, 1, 8, 9]] : [[2, 3, 9, 11]]
    for (list, sides) in zip(lists, sides) {
      file.main.entries[Self.tags[list]] = OpcodeBytes.list(Self.trim(sides))
    }
    let part = Self.part(whole, rows: 2..<9, columns: 3..<11)
    #expect(try file.document(development).light() == part)
    let isMasked = part != Self.part(unmasked, rows: 2..<9, columns: 3..<11)
    #expect(isMasked, "the mask has no effect")
  }

  @Test("masks keep their position at half size")
  func smallerMasks() throws {
    var file = Self.masked()
    file.main.chunks = [(0..<360).flatMap { _ in file.number(4000, 2) }]
    var development = RawDevelopment.sceneLinear
    development.scaleFactor = 0.5
    development.localExposures = [.init(matte: "skin", stops: 1.5)]
    let whole = try file.document(development).light()
    file.main.entries[Self.tags[2]] = OpcodeBytes.list(Self.trim([2, 4, 8, 10]))
    let part = Self.part(whole, rows: 1..<4, columns: 2..<5)
    #expect(try file.document(development).light() == part)
  }

  /// A part of `[plane][y][x]`.
  private static func part(
    _ light: [[[Float]]], rows: Range<Int>, columns: Range<Int>
  ) -> [[[Float]]] {
    light.map { $0[rows].map { Array($0[columns]) } }
  }

  @Test("bounds outside of the image and empty bounds are errors", arguments: [0, 1, 2])
  func refusals(list: Int) throws {
    for sides in [[0, 0, 11, 12], [0, 0, 10, 13], [4, 4, 4, 8], [0, 9, 10, 8]] {
      var file = Self.image()
      file.main.entries[Self.tags[list]] = OpcodeBytes.list(Self.trim(sides))
      let error = #expect(throws: ImageError.self) { try file.document() }
      #expect(error?.category == .malformed)
    }
  }
}
