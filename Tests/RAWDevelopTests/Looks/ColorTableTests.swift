// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Color tables in looks") struct ColorTableTests {
  @Test("a color table is the last step of the look, before highlights are extended")
  func colorTable() throws {
    var file = LookTests.ramp()
    let plain = try LookTests.render(file) { $0.extendedDynamicRangeAmount = 0 }
    // Red and blue change places, in linear ROMM RGB.
    file.main.entries[52_543] = .undefined(
      RGBTablesTests.bytes(file) { _, index in Double(((index / 3) >> (index % 3)) & 1) })
    let changed = try LookTests.render(file) { $0.extendedDynamicRangeAmount = 0 }
    for x in [40, 200, 350] {
      let (before, after) = (Self.linear(plain, x, 3), Self.linear(changed, x, 3))
      #expect(abs(before.x - after.z) < 2e-4 && abs(before.z - after.x) < 2e-4)
      #expect(abs(before.y - after.y) < 2e-4)
    }
    #expect(
      try SyntheticDNG.parsed(file).recipe().profiles[0].colorTables
        == [.init(mask: nil, size: 2)])
    let bright = try LookTests.render(file)
    #expect(bright[1][0][599] > 1.5)
  }

  /// A pixel of a look for standard displays in linear ROMM RGB.
  private static func linear(_ image: [[[Float]]], _ x: Int, _ y: Int) -> SIMD3<Double> {
    let color = SIMD3(image.map { SRGB.eotf(Double($0[y][x])) })
    return ColorPrimaries.bt2020.conversion(to: .look) * color
  }

  /// The ramp with a mask of 6x2 at the right of one of 12x2, and another one, over all.
  private static func masked(_ names: [String], method: Int) -> SyntheticDNG {
    var file = LookTests.ramp()
    var right = RawMatteTests.mask(name: "Right", area: [0, 6, 12, 2])
    right.entries[256] = .longs([6])
    right.chunks = [[0, 51, 102, 153, 204, 255, 0, 51, 102, 153, 204, 255]]
    var all = RawMatteTests.mask(name: "all")
    all.entries[256] = .longs([1])
    all.entries[257] = .longs([1])
    all.entries[278] = .longs([1])
    all.chunks = [[51]]
    file.main.subdirectories = [right, all]
    file.main.entries[52_543] = .undefined(
      RGBTablesTests.bytes(file, names: names, method: method, divisions: 3) { table, index in
        0.5 + 0.5 * sin(Double(index) * (0.7 + 0.4 * Double(table)))
      })
    return file
  }

  @Test(
    "color tables apply under their masks, and the background table elsewhere",
    arguments: [["Right", "all", ""], ["", "Right"], ["Right"], ["right", "all"]], [0, 1])
  func maskedColorTables(names: [String], method: Int) throws {
    let file = Self.masked(names, method: method)
    var bare = file
    bare.main.entries[52_543] = nil
    func render(_ file: SyntheticDNG) throws -> [[[Float]]] {
      try LookTests.render(file) {
        $0.extendedDynamicRangeAmount = 0
        $0.isGamutMappingEnabled = false
      }
    }
    let (plain, found) = (try render(bare), try render(file))
    let bytes = try #require(file.main.entries[52_543]?.undefinedBytes)
    let tables = try #require(try RGBTables(bytes, order: .littleEndian))
    // Samples of the mask are 50 pixels apart; the one of column 6 is at 325.
    for x in stride(from: 2, to: 598, by: 7) {
      let share = min(max((Double(x) + 0.5 - 325) / 50, 0), 5) / 5
      let color = Self.linear(plain, x, 3)
      let expected = tables.color(
        color, coverage: ["Right": share, "all": 0.2], isHDR: false
      ).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
      let shown = ColorPrimaries.look.conversion(to: .bt2020) * expected
      for plane in 0..<3 {
        // Beyond BT.2020, signals do not have linear values.
        guard (0...1).contains(shown[plane]) else { continue }
        let light = SRGB.eotf(Double(found[plane][3][x]))
        #expect(abs(light - shown[plane]) < 2e-4, "\(x), \(plane)")
      }
    }
    let notices = try file.document(RawDevelopment()).notices
    let missing = notices.filter { $0.parameters["mask"] == .text("right") }
    #expect(missing.count == (names.contains("right") ? 1 : 0))
    let recipe = try SyntheticDNG.parsed(file).recipe()
    #expect(
      recipe.profiles[0].colorTables
        == names.map { .init(mask: $0.isEmpty ? nil : $0, size: 3) })
  }

  @Test(
    "a damaged mask is an error, or is dropped with its table if damage is salvaged")
  func damagedMask() throws {
    var file = Self.masked(["Right", "all"], method: 0)
    file.main.subdirectories[0].chunks = [[1, 2]]
    var development = RawDevelopment()
    let error = #expect(throws: ImageError.self) { try file.document(development).light() }
    #expect(error?.category == .truncated)
    development.isSalvaging = true
    let document = try file.document(development)
    #expect(
      document.notices.contains { $0.code.english == "dropped: mask with its color table: {cause}" }
    )
    _ = try document.light()
  }

  @Test("tables of the first directory apply to profiles without tables")
  func tablesOfProfiles() throws {
    var file = LookTests.ramp()
    file.main.entries[52_543] = .undefined(
      RGBTablesTests.bytes(file, divisions: 3) { _, _ in 0.25 })
    var own = LookTests.profile("Own", group: "a", isHDR: false, curve: [0, 0, 1, 1])
    own.entries[52_543] = .undefined(RGBTablesTests.bytes(file, divisions: 2) { _, _ in 0.75 })
    file.profiles = [
      own, LookTests.profile("None", group: "b", isHDR: false, curve: [0, 0, 1, 1]),
    ]
    let recipe = try SyntheticDNG.parsed(file).recipe()
    #expect(recipe.profiles.map(\.colorTables) == [3, 2, 3].map { [.init(mask: nil, size: $0)] })
    for (name, light) in [("Own", 0.75), ("None", 0.25)] {
      let image = try LookTests.render(file) {
        $0.profileName = name
        $0.extendedDynamicRangeAmount = 0
      }
      #expect(abs(SRGB.eotf(Double(image[1][0][300])) - light) < 1e-4)
    }
  }
}

extension SIMD3<Double> {
  fileprivate init(_ values: [Double]) { self.init(values[0], values[1], values[2]) }
}
