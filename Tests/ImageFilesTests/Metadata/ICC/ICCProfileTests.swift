// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("ICC profiles") struct ICCProfileTests {
  /// Builds a profile with the given tags.
  static func profile(
    _ tags: [(String, String)], space: String = "RGB ", version: String = "02100000"
  ) -> [UInt8] {
    let datas = tags.map { hex($0.1) }
    var offset = 132 + 12 * tags.count
    var table: [UInt8] = []
    for (tag, data) in zip(tags, datas) {
      table +=
        Array(tag.0.utf8)
        + [offset, data.count].flatMap { value in
          [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
      offset += data.count
    }
    var bytes = [offset].flatMap { value in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    bytes += [0, 0, 0, 0] + hex(version) + Array("mntr\(space)XYZ ".utf8)
    bytes += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    bytes += [UInt8](repeating: 0, count: 88) + [0, 0, 0, UInt8(tags.count)]
    return bytes + table + datas.joined()
  }

  static let linearCurve = "63757276 00000000 00000000"

  /// Colorants as stored in the sRGB profile of 1998.
  static let sRGBColorants = [
    ("rXYZ", "58595A20 00000000 00006FA2 000038F5 00000390"),
    ("gXYZ", "58595A20 00000000 00006299 0000B785 000018DA"),
    ("bXYZ", "58595A20 00000000 000024A0 00000F84 0000B6CF"),
  ]
  /// Colorants as stored in Apple's Display P3.
  static let p3Colorants = [
    ("rXYZ", "58595A20 00000000 000083DF 00003DBF FFFFFFBB"),
    ("gXYZ", "58595A20 00000000 00004ABF 0000B137 00000AB9"),
    ("bXYZ", "58595A20 00000000 00002838 0000110B 0000C8B9"),
  ]
  static func curves(_ data: String) -> [(String, String)] {
    [("rTRC", data), ("gTRC", data), ("bTRC", data)]
  }

  static func model(_ bytes: [UInt8]) throws -> ICCMatrixModel {
    guard case .matrix(let model) = try ICCProfile(parsing: bytes).model else {
      throw ImageError(ErrorCode("test", .malformed, "no matrix profile"))
    }
    return model
  }

  /// Matrices of BT.2087 and of colour-science for conversion to BT.2020.
  @Test(arguments: [
    (
      Named("sRGB", sRGBColorants),
      [
        0.62740390, 0.32928304, 0.04331307, 0.06909729, 0.91954040, 0.01136232, 0.01639144,
        0.08801331, 0.89559525,
      ], ColorPrimaries.bt709
    ),
    (
      Named("Display P3", p3Colorants),
      [
        0.75383303, 0.19859737, 0.04756960, 0.04574385, 0.94177722, 0.01247893, -0.00121034,
        0.01760172, 0.98360862,
      ], ColorPrimaries.displayP3
    ),
  ])
  func colorantsGiveThePrimaries(
    colorants: Named<[(String, String)]>, matrix: [Double], named: ColorPrimaries
  ) throws {
    let model = try Self.model(Self.profile(colorants.value + Self.curves(Self.linearCurve)))
    let raw = try #require(model.colorantPrimaries).conversion(
      to: .bt2020, chromaticAdaptation: .bradford)
    for (element, expected) in zip(raw.elements, matrix) {
      #expect(abs(element - expected) <= 2e-4)
    }
    #expect(model.primaries == named)
    #expect(model.transfer == .linear)
  }

  @Test func unknownPrimariesHaveTheWhiteOfTheConnectionSpace() throws {
    let wide = ColorPrimaries(
      red: Chromaticity(x: 0.7, y: 0.3), green: Chromaticity(x: 0.2, y: 0.75),
      blue: Chromaticity(x: 0.14, y: 0.05), white: .d65)
    let bytes = ICCProfile.generate(primaries: wide, curve: .identity, description: "wide")
    let primaries = try #require(try Self.model(bytes).primaries)
    #expect(primaries.white.isClose(to: .d50, tolerance: 1e-4))
    let there = wide.conversion(to: .bt2020, chromaticAdaptation: .bradford)
    let back = primaries.conversion(to: .bt2020, chromaticAdaptation: .bradford)
    for (a, b) in zip(there.elements, back.elements) { #expect(abs(a - b) < 2e-4) }
  }

  @Test func unadaptedColorantsAreLeftToOthers() throws {
    // BT.709 relative to D65, as written by some programs in the 1990s.
    let bytes = Self.profile(
      [
        ("rXYZ", "58595A20 00000000 0000699C 00003670 000004F3"),
        ("gXYZ", "58595A20 00000000 00005B8A 0000B714 00001E83"),
        ("bXYZ", "58595A20 00000000 00002E34 0000127B 0000F351"),
      ] + Self.curves(Self.linearCurve))
    #expect(try Self.model(bytes).primaries == nil)
  }

  @Test func textsOfAllTypes() throws {
    let profile = try ICCProfile(
      parsing: Self.profile([
        ("desc", "64657363 00000000 00000004 41424300 00000000"),
        ("cprt", "74657874 00000000 58595A00"),
        (
          "dmnd",
          "6D6C7563 00000000 00000002 0000000C 64654445 00000002 00000028 656E5553 00000004 0000002A"
            + "0041 00420043"
        ),
      ]))
    #expect(profile.description == "ABC")
    #expect(profile.text(.copyright) == "XYZ")
    #expect(profile.text(.init("dmnd")) == "BC")
    #expect(profile.text(.init("dmdd")) == nil)
    #expect(profile.model == .unknown)
    #expect(profile.header.majorVersion == 2 && profile.header.minorVersion == 1)
  }

  @Test(
    arguments: [
      ("63696370 00000000 09100001", CICP(primaries: .bt2020, transfer: .pq), 0),
      // As written by Little CMS 2.14.
      ("63696370 00000000 00000000 09120001", CICP(primaries: .bt2020, transfer: .hlg), 1),
      ("63696370 00000000 09100901", nil, 1), ("63696370 00000000 0910", nil, 1),
      ("78696370 00000000 09100001", nil, 1),
    ] as [(String, CICP?, Int)])
  func codePoints(data: String, expected: CICP?, notices: Int) throws {
    let profile = try ICCProfile(parsing: Self.profile([("cicp", data)]))
    #expect(profile.cicp == expected)
    #expect(profile.notices.count == notices)
  }

  @Test func kindsOfModels() throws {
    let gray = try ICCProfile(
      parsing: Self.profile([("kTRC", "63757276 00000000 00000001 0233")], space: "GRAY"))
    guard case .gray(let curve) = gray.model else {
      Issue.record("not gray")
      return
    }
    #expect(curve.exponent == 2 + Double(0x33) / 256)
    let tables = try ICCProfile(
      parsing: Self.profile(
        Self.sRGBColorants + Self.curves(Self.linearCurve) + [("A2B0", "00000000")]))
    #expect(tables.model == .lookupTables)
    let state = try ICCProfile(parsing: Self.profile([("ciis", "73696720 00000000 73636F65")]))
    #expect(state.imageState == .scene)
    let light = try ICCProfile(
      parsing: Self.profile([("lumi", "58595A20 00000000 00000000 03E80000 00000000")]))
    #expect(light.xyz(.luminance)?.y == 1000)
  }

  @Test func oddTagTables() throws {
    var bytes = Self.profile([("desc", "00000000"), ("desc", "00000000"), ("cprt", "00000000")])
    bytes[132 + 2 * 12 + 6] = 0xFF  // Offset of cprt.
    let profile = try ICCProfile(parsing: bytes + [1])
    #expect(profile.tags.count == 1)
    #expect(profile.notices.count == 3)  // Size, duplicate desc, cprt out of range.
    var overlapping = Self.profile([("desc", "0000000000000000"), ("cprt", "0000000000000000")])
    overlapping[132 + 12 + 7] -= 4
    #expect(
      try ICCProfile(parsing: overlapping).notices.map(\.code.id) == ["icc/tags-overlap"])
  }

  @Test func brokenProfilesAreTypedErrors() {
    let good = Self.profile([("desc", "00000000")])
    #expect { try ICCProfile(parsing: []) } throws: { ($0 as? ImageError)?.category == .truncated }
    #expect { try ICCProfile(parsing: Array(good.prefix(130))) } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
    var unsigned = good
    unsigned[36] = 0
    #expect { try ICCProfile(parsing: unsigned) } throws: {
      ($0 as? ImageError)?.category == .malformed
    }
    var many = good
    many[128] = 0xFF
    #expect { try ICCProfile(parsing: many) } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
    #expect { try ICCProfile(parsing: good, limits: ImageLimits(items: 0)) } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  @Test func survivesDamage() throws {
    let bytes = try ICCProfile.generate(
      for: CICP(primaries: .bt2020, transfer: .srgb), imageState: .scene)
    for broken in Damage.truncations(of: bytes, count: 50) + Damage.mutations(of: bytes) {
      guard let profile = try? ICCProfile(parsing: broken) else { continue }
      _ = (profile.description, profile.imageState, profile.xyz(.luminance))
      if case .matrix(let model) = profile.model {
        _ = (model.primaries, model.transfer)
        for curve in model.curves { #expect((0...1).contains(curve.linearValue(ofSignal: 0.3))) }
      }
    }
  }

  /// Values reported by Pillow (ImageCms) for the same profiles.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("jpeg-uhdr/acr155-seine-othermap.jpg", "sRGB IEC61966-2.1", 0, true),
      ("jpeg-uhdr/adobe-p3-02.jpg", "Display P3", 1, true),
      ("jpeg-uhdr/gainmapjs-memorial.jpg", "sRGB", 0, true),
      ("jpeg-uhdr/instagram-ref-up3.jpg", "uP3", 1, false),
      ("jpeg-uhdr/uhdrapp-gimp-daisies.jpg", "GIMP built-in sRGB", 0, true),
    ])
  func realProfiles(name: String, description: String, primaries: Int, isSRGB: Bool) throws {
    let bytes = try Corpus.bytes(name)
    let marker = Array("ICC_PROFILE\0".utf8)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: marker) }.map { $0 + 14 })
    let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let profile = try ICCProfile(parsing: Array(bytes[start..<start + size]))
    #expect(profile.description == description)
    guard case .matrix(let model) = profile.model else {
      Issue.record("\(name): \(profile.model)")
      return
    }
    #expect(model.primaries == [ColorPrimaries.bt709, .displayP3][primaries])
    #expect((model.transfer == .srgb) == isSRGB)
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func profileOfJPEGXLIsHLG() throws {
    let file = try PNGFileTests.parse(Corpus.bytes("png-hdr/jxl-hdr-room-hlg16.png"))
    let profile = try ICCProfile(parsing: try #require(try file.profile()).bytes)
    #expect(profile.cicp == CICP(primaries: .bt2020, transfer: .hlg))
    #expect(profile.notices == [])
  }

  /// Tags of colors stay, also those of Apple; texts stay where they can be searched.
  @Test func trimming() throws {
    let text = "64657363 00000000 00000004 41424300 00000000 00000000 0000 00"
    let position = "74657874 00000000" + "2B34382E383537372B3030322E323935302F00"
    let profile = Self.profile(
      Self.sRGBColorants + [
        ("hdgm", "676D6170 00000000 01"), ("dmnd", text), ("dmdd", position), ("priv", "01020304"),
      ])
    func tags(_ bytes: [UInt8]?) throws -> [String] {
      try ICCProfile(parsing: try #require(bytes)).tags.map { "\($0.signature)" }
    }
    let colors = Self.sRGBColorants.map(\.0) + ["hdgm"]
    #expect(try tags(ICCProfile.trimmed(profile)) == colors)
    #expect(try tags(ICCProfile.trimmed(profile, keepsTexts: true)) == colors + ["dmnd"])
    let kept = Self.profile(Self.sRGBColorants + [("hdgm", "676D6170 00000000 01")])
    #expect(ICCProfile.trimmed(kept) == kept)
  }

  /// A tag that extends over others, which precede it in the table.
  @Test func trimmingOverlappingTags() throws {
    var profile = Self.profile(Self.sRGBColorants)
    let entries = [2, 1, 0].map { Array(profile[132 + 12 * $0..<144 + 12 * $0]) }
    profile.replaceSubrange(132..<168, with: entries.joined())
    // The size of the last entry, whose data are the first ones.
    profile.replaceSubrange(164..<168, with: [0, 0, 0, 60])
    #expect(try ICCProfile(parsing: profile).tags.last?.range == 168..<228)
    #expect(ICCProfile.trimmed(profile) == profile)
  }

  /// Data of tags, and what remains of them with texts of all languages and with one.
  @Test(
    arguments: [
      (
        "58595A20 00000000 0000F6D6 00010000 0000D32D 0102",
        "58595A20 00000000 0000F6D6 00010000 0000D32D 0000", nil
      ),
      ("63757276 00000000 00000001 0233 01", "63757276 00000000 00000001 0233 00", nil),
      ("70617261 00000000 00000000 00023333 01", "70617261 00000000 00000000 00023333 00", nil),
      ("74657874 00000000 41004200", "74657874 00000000 41000000", nil),
      (
        """
        6D6C7563 00000000 00000002 0000000C 64654445 00000002 00000028 656E5553 00000002 0000002A
        0041 0042 0043
        """,
        """
        6D6C7563 00000000 00000002 0000000C 64654445 00000002 00000028 656E5553 00000002 0000002A
        0041 0042 0000
        """,
        """
        6D6C7563 00000000 00000001 0000000C 656E5553 00000002 0000002A 00000000 00000000 00000000
        0000 0042 0000
        """
      ),
      ("63696370 00000000 09100001 01", "63696370 00000000 09100001 00", nil),
      ("63696370 00000000 00000000 09100001", "63696370 00000000 00000000 09100001", nil),
      // More than there is, and an unknown type.
      ("63757276 00000000 00000009 0233 01", "63757276 00000000 00000009 0233 01", nil),
      ("61626364 00000000 00000009", "61626364 00000000 00000000", nil),
    ] as [(String, String, String?)])
  func trimmingTags(data: String, all: String, one: String?) {
    #expect(ICCProfile.trimmedTag(hex(data), keepsTexts: true) == hex(all))
    #expect(ICCProfile.trimmedTag(hex(data), keepsTexts: false) == hex(one ?? all))
  }

  /// Tables of one component with two entries of 8 bits, and of two with three of 16 bits.
  @Test(arguments: [
    ("6D667431 00000000 01010200", 36, 2 * 256 + 2),
    ("6D667432 00000000 02030200", 36, 4 + 2 * (2 * 3 + 3 * 5 + 3 * 4)),
  ]) func trimmingLookupTables(header: String, matrix: Int, tables: Int) {
    var data = hex(header) + [UInt8](repeating: 0, count: matrix)
    data += [UInt8](repeating: 7, count: tables)
    if data[3] == 0x32 { data.replaceSubrange(48..<52, with: [0, 3, 0, 5]) }
    #expect(ICCProfile.trimmedTag(data + [1, 2], keepsTexts: false) == data + [0, 0])
    #expect(ICCProfile.trimmedTag(data.dropLast() + [], keepsTexts: false) == data.dropLast())
  }
}
