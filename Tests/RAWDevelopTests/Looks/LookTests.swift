// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Looks of raw files") struct LookTests {
  /// A neutral ramp from black to white, all rows the same but for one with color.
  static func ramp(width: Int = 600, height: Int = 6, white: Int = 65_535) -> SyntheticDNG {
    var file = SyntheticDNG(width: width, height: height, planes: 3)
    // A camera whose colors are linear ROMM RGB.
    file.main.entries[50_721] = .signedRationals(ColorPrimaries.look.xyzToRGB.elements)
    file.main.entries[50_729] = .rationals([0.3457, 0.3585])
    file.main.chunks = [
      (0..<width * height).flatMap { place in
        let level = white * (place % width) / (width - 1)
        let isColored = place / width == 3
        return (0..<3).flatMap { plane in
          file.number(isColored ? level * (plane + 2) / 4 : level, 2)
        }
      }
    ]
    return file
  }

  /// Tags as in ProRAW: a gain table map that reduces exposure, in the directory of the raw image.
  private static func proRAW(stops: Double = 3) -> SyntheticDNG {
    var file = ramp()
    file.main.entries[50_730] = .signedRationals([stops])
    file.main.entries[51_110] = .longs([1])
    let weight = Float(exp2(-stops))
    let gains = (0..<2 * 2 * 64).map { index in
      let light = (Float(index % 64) + 0.5) / 64
      return (1 / (1 + 7 * light)) * (1.3 - 0.1 * Float(index / 64))
    }
    file.main.entries[52_525] = .undefined(
      file.number(2, 4) + file.number(2, 4) + doubles(file, [1, 1, 0, 0]) + file.number(64, 4)
        + floats(file, [weight / 3, weight / 3, weight / 3, 0, 0]) + floats(file, gains))
    return file
  }

  private static func doubles(_ file: SyntheticDNG, _ values: [Double]) -> [UInt8] {
    values.flatMap { file.number(Int(bitPattern: UInt($0.bitPattern)), 8) }
  }

  private static func floats(_ file: SyntheticDNG, _ values: [Float]) -> [UInt8] {
    values.flatMap { file.number(Int($0.bitPattern), 4) }
  }

  static func render(
    _ file: SyntheticDNG, _ edit: (inout RawDevelopment) -> Void = { _ in }
  ) throws -> [[[Float]]] {
    var development = RawDevelopment()
    edit(&development)
    return try file.document(development).light()
  }

  private typealias Edit = (inout RawDevelopment) -> Void

  /// Expects that no edit changes a bit of what `start` makes of a file.
  private static func expectNoChange(
    of file: SyntheticDNG, from start: Edit = { _ in }, by edits: [Edit],
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let plain = try render(file, start)
    for (index, edit) in edits.enumerated() {
      let changed = try render(file) {
        start(&$0)
        edit(&$0)
      }
      // Not within the macro, which would print all light.
      let isSame = changed == plain
      #expect(isSame, "control \(index)", sourceLocation: place)
    }
  }

  @Test("identity values of controls change nothing", arguments: [false, true])
  func identities(isProRAW: Bool) throws {
    let file = isProRAW ? Self.proRAW() : Self.ramp()
    let recipe = try SyntheticDNG.parsed(file).recipe()
    let asShot = try #require(recipe.asShotWhite)
    try Self.expectNoChange(
      of: file,
      by: [
        { $0.exposure = 0 }, { $0.baselineExposure = isProRAW ? 3 : 0 },
        { $0.shadowBias = isProRAW ? 0 : 0.005 }, { $0.boostAmount = 1 },
        { $0.boostShadowAmount = 1 }, { $0.localToneMapAmount = 1 },
        { $0.extendedDynamicRangeAmount = 1 }, { $0.neutralChromaticity = asShot },
        { $0.sharpnessAmount = 0 }, { $0.luminanceNoiseReductionAmount = 0 },
        { $0.colorNoiseReductionAmount = 0 }, { $0.scaleFactor = 1 },
        { $0.neutralTemperature = recipe.asShotTemperature },
        { $0.neutralTint = recipe.asShotTint },
        // A lens that distorts nothing, and a file without damage.
        { $0.isLensCorrectionEnabled = false }, { $0.localExposures = [] },
        { $0.isSalvaging = true },
      ])
  }

  @Test(
    "without saturated or out-of-gamut pixels, gamut mapping and highlights change nothing",
    arguments: [0, 1.0])
  func identitiesWithinBounds(amount: Double) throws {
    var file = Self.ramp(white: 50_000)
    // What is taken from shadows would make dark colors as saturated as they can be.
    file.main.entries[51_110] = .longs([1])
    try Self.expectNoChange(
      of: file, from: { $0.extendedDynamicRangeAmount = amount },
      by: [{ $0.isGamutMappingEnabled = false }]
        + RawDevelopment.Highlights.allCases.map { highlights in { $0.highlights = highlights } })
  }

  @Test("controls of looks do not change scene-linear values")
  func sceneLight() throws {
    try Self.expectNoChange(
      of: Self.proRAW(), from: { $0.isSceneLinear = true },
      by: [
        { $0.baselineExposure = 1 }, { $0.shadowBias = 0.1 }, { $0.boostAmount = 0.3 },
        { $0.boostShadowAmount = 2 }, { $0.localToneMapAmount = 0.5 },
        { $0.isGamutMappingEnabled = false }, { $0.extendedDynamicRangeAmount = 2 },
        { $0.sharpnessAmount = 1 }, { $0.luminanceNoiseReductionAmount = 1 },
        { $0.contrastAmount = 1 }, { $0.detailAmount = 1 }, { $0.moireReductionAmount = 1 },
        { $0.colorNoiseReductionAmount = 1 }, { $0.exposure = 0 }, { $0.scaleFactor = 1 },
      ])
  }

  @Test("mid-tones are those of the look for standard displays; highlights are not darker")
  func highlights() throws {
    for file in [Self.ramp(), Self.proRAW()] {
      let standard = try file.document(Self.standard)
      #expect(standard.image.color.transfer == .srgb && !standard.isHighDynamicRange)
      let signal = try standard.light()
      let whole = Double(try Self.render(file)[1][0][599])
      for amount in [0.33, 0.5, 1, 1.5, 2] {
        let light = try Self.render(file) { $0.extendedDynamicRangeAmount = amount }
        var (last, largest) = (-1.0, 0.0)
        for x in 0..<600 {
          for plane in 0..<3 {
            let shown = SRGB.eotf(Double(signal[plane][0][x]))
            let bright = Double(light[plane][0][x])
            #expect(bright > shown - 2e-5)
            if shown < 0.44 { #expect(abs(bright - shown) < 2e-5) }
          }
          let luminance = Double(light[1][0][x])
          #expect(luminance > last - 1e-5, "\(x), \(amount)")
          (last, largest) = (luminance, max(largest, luminance))
        }
        // In proportion to the amount below 1, and above in stops, to a third of it.
        let white = SRGB.eotf(Double(signal[1][0][599]))
        let expected =
          amount < 1
          ? white + amount * (whole - white)
          : white * pow(whole / white, 1 + (amount - 1) / 3)
        #expect(whole > 1.5 && abs(largest - expected) < 1e-3 * largest)
        #expect(largest <= exp2(amount < 1 ? 3 : 2 + amount))
      }
    }
  }

  private static var standard: RawDevelopment {
    var development = RawDevelopment()
    development.extendedDynamicRangeAmount = 0
    return development
  }

  /// A tiny amount leaves the look as it is but for how it is coded.
  @Test func continuity() throws {
    let signal = try Self.proRAW().document(Self.standard).light()
    let light = try Self.render(Self.proRAW()) { $0.extendedDynamicRangeAmount = 1e-9 }
    for (signal, light) in zip(signal.joined().joined(), light.joined().joined()) {
      #expect(abs(Float(SRGB.eotf(Double(signal))) - light) < 2e-5)
    }
  }

  @Test("each control has its effect")
  func controls() throws {
    let file = Self.proRAW()
    func green(_ edit: (inout RawDevelopment) -> Void) throws -> [Float] {
      try Self.render(file) {
        $0.extendedDynamicRangeAmount = 1e-9
        edit(&$0)
      }[1][0]
    }
    let plain = try green { _ in }
    let (shadow, middle) = (4, 60)
    #expect(try green { $0.exposure = 1 }[middle] > 1.1 * plain[middle])
    #expect(try green { $0.exposure = -1 }[middle] < 0.8 * plain[middle])
    let dark = try Self.render(Self.ramp()) { $0.exposure = -1 }[1][0]
    let usual = try Self.render(Self.ramp())[1][0]
    #expect(dark[middle] < 0.5 * usual[middle] && dark[599] > 0.999)
    #expect(try green { $0.baselineExposure = 2 }[middle] < plain[middle])
    #expect(try green { $0.shadowBias = 0.05 }[shadow] == 0)
    #expect(try green { $0.boostShadowAmount = 2 }[shadow] > 1.08 * plain[shadow])
    #expect(try green { $0.boostShadowAmount = 0 }[shadow] < 0.9 * plain[shadow])
    #expect(try green { $0.boostShadowAmount = 2 }[300] == plain[300])
    let bare = try green { $0.localToneMapAmount = 0 }
    #expect(bare[middle] > 1.1 * plain[middle])
    let half = try green { $0.localToneMapAmount = 0.5 }
    #expect(half[middle] > plain[middle] && half[middle] < bare[middle])
    // Without curve and map, linear values are those of the exposed scene.
    let linear = try green {
      $0.boostAmount = 0
      $0.localToneMapAmount = 0
    }
    #expect(abs(linear[middle] - 8 * Float(middle) / 599) < 1e-3)
  }

  @Test("a gain table map is read from either directory and either tag")
  func places() throws {
    let plain = try Self.render(Self.proRAW())
    var file = Self.proRAW()
    var raw = SyntheticDNG.Directory()
    raw.chunks = file.main.chunks
    for tag in [254, 256, 257, 258, 259, 262, 277, 278, 52_525] as [UInt16] {
      raw.entries[tag] = file.main.entries[tag]
      file.main.entries[tag] = nil
    }
    file.main.chunks = []
    file.main.subdirectories = [raw]
    #expect(try Self.render(file) == plain)
    let bytes = try #require(raw.entries[52_525]?.undefinedBytes)
    let header = file.number(3, 4) + Self.floats(file, [1, 0, 1])
    file.main.subdirectories[0].entries[52_525] = nil
    file.main.entries[52_544] = .undefined(bytes[..<64] + header + bytes[64...])
    #expect(try Self.render(file) == plain)
    file.main.entries[52_544] = .undefined(Array(bytes))
    let document = try file.document(RawDevelopment())
    #expect(document.notices.contains { $0.code.id.hasPrefix("raw/look-") })
  }

  @Test("unsupported controls give notices, unknown profiles are errors")
  func refusals() throws {
    var development = RawDevelopment()
    development.localToneMapAmount = 0.5
    let notices = try Self.ramp().document(development).notices
    #expect(
      notices.contains {
        $0.code.english
          == "not used: amount of local tone mapping (the file does not have a map for it)"
      })
    #expect(try Self.proRAW().document(development).notices.isEmpty)
    development.profileName = "none"
    let error = #expect(throws: ImageError.self) { try Self.ramp().document(development) }
    #expect(error?.category == .invalidArgument)
    for edit: (inout RawDevelopment) -> Void in [
      { $0.exposure = .nan }, { $0.boostAmount = 1.1 }, { $0.boostShadowAmount = -1 },
      { $0.extendedDynamicRangeAmount = 2.1 }, { $0.shadowBias = 1 }, { $0.sharpnessAmount = 2 },
    ] {
      var development = RawDevelopment()
      edit(&development)
      let error = #expect(throws: ImageError.self) { try Self.ramp().document(development) }
      #expect(error?.category == .invalidArgument)
    }
  }

  /// A profile of another look, in a group.
  static func profile(
    _ name: String, group: String, isHDR: Bool, curve: [Float]
  ) -> SyntheticDNG.Directory {
    var directory = SyntheticDNG.Directory()
    let file = SyntheticDNG(width: 2, height: 2)
    directory.entries = [
      50_721: .signedRationals(ColorPrimaries.look.xyzToRGB.elements), 50_778: .shorts([21]),
      50_936: .text(name), 50_940: .floats(curve), 51_110: .longs([1]),
      52_551: .undefined(
        file.number(1, 2) + file.number(isHDR ? 1 : 0, 2) + floats(file, [isHDR ? 8 : 1])),
      52_552: .text(group),
    ]
    return directory
  }

  @Test("a profile is paired with the other profile of its group")
  func groups() throws {
    var file = Self.ramp()
    let own = Self.profile("Own", group: "first", isHDR: false, curve: [0, 0, 0.5, 0.6, 1, 1])
    for (tag, value) in own.entries { file.main.entries[tag] = value }
    file.profiles = [
      Self.profile("Dark", group: "second", isHDR: false, curve: [0, 0, 0.5, 0.3, 1, 1]),
      Self.profile("Bright HDR", group: "first", isHDR: true, curve: [0, 0, 0.5, 0.7, 1, 1]),
      Self.profile("Dark HDR", group: "second", isHDR: true, curve: [0, 0, 0.5, 0.4, 1, 1]),
      Self.profile("Alone", group: "third", isHDR: false, curve: [0, 0, 0.5, 0.8, 1, 1]),
    ]
    let recipe = try SyntheticDNG.parsed(file).recipe()
    #expect(recipe.profiles.map(\.name) == ["Own", "Dark", "Bright HDR", "Dark HDR", "Alone"])
    #expect(recipe.profiles.map(\.isHDR) == [false, false, true, true, false])
    func green(_ name: String?, _ amount: Double) throws -> [Float] {
      try Self.render(file) {
        $0.profileName = name
        $0.extendedDynamicRangeAmount = amount
      }[1][0]
    }
    // Without a name the first, whose partner is for displays with headroom.
    #expect(try green(nil, 1) == green("Bright HDR", 1))
    #expect(try green("Own", 1) == green("Bright HDR", 1))
    #expect(try green("Bright HDR", 0) == green(nil, 0))
    #expect(try green("Dark", 1) == green("Dark HDR", 1))
    #expect(try green("Dark HDR", 0) == green("Dark", 0))
    #expect(try green("Dark HDR", 1) != green("Bright HDR", 1))
    // Of a group of one, highlights come back by our own way: mid-tones stay.
    let (alone, standard) = (try green("Alone", 1), try green("Alone", 0))
    #expect(abs(Double(alone[100]) - SRGB.eotf(Double(standard[100]))) < 2e-5)
    #expect(alone[599] > 1.2)
    // The curve of the partner, at half of the compressed range: a linear value of about 16/17.
    let place = 560
    let light = Double(place) / 599
    let expected = ExtendedRange.expanded(
      ToneSpline([(0, 0), (0.5, 0.7), (1, 1)])(ExtendedRange.compressed(light)))
    #expect(abs(Double(try green(nil, 1)[place]) - expected) < 1e-3)
    let error = #expect(throws: ImageError.self) { try green("Unknown", 1) }
    guard case .list(let profiles) = error?.parameters["profiles"] else {
      Issue.record("no profiles")
      return
    }
    #expect(profiles.contains(.text("Dark HDR")))
  }

  @Test("the same image for any number of threads and any strips")
  func determinism() throws {
    let file = Self.proRAW()
    let light = try file.document(RawDevelopment()).light(threads: 1)
    #expect(try file.document(RawDevelopment()).light(stripHeight: 2, threads: 3) == light)
  }

  @Test("gray images have looks")
  func gray() throws {
    var file = SyntheticDNG(width: 8, height: 4)
    file.main.entries[262] = .shorts([34_892])
    file.main.entries[50_721] = nil
    file.main.entries[51_110] = .longs([1])
    file.main.chunks = [(0..<32).flatMap { _ in file.number(11_796, 2) }]
    let light = try Self.render(file) { $0.extendedDynamicRangeAmount = 1e-9 }
    #expect(abs(Double(light[0][2][3]) - ToneSpline.standard(0.18)) < 1e-4)
  }
}
