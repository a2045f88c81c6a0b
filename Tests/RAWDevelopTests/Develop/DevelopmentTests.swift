// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Scene-linear development") struct DevelopmentTests {
  /// A linear image of uniform components.
  private static func linear(
    _ components: [Int], width: Int = 6, height: Int = 4
  ) -> SyntheticDNG {
    var file = SyntheticDNG(width: width, height: height, planes: components.count)
    file.main.chunks = [
      (0..<width * height).flatMap { _ in components.flatMap { file.number($0, 2) } }
    ]
    return file
  }

  private static func color(
    _ file: SyntheticDNG, _ development: RawDevelopment = .sceneLinear
  ) throws -> SIMD3<Double> {
    let light = try file.document(development).light()
    return SIMD3(light.map { Double($0[1][1]) })
  }

  private static let neutral: [Double] = [0.5, 1, 0.625]

  /// A camera whose colors are linear BT.2020, but for its sensitivities.
  private static func bt2020(_ components: [Double]) -> SyntheticDNG {
    var file = linear(components.map { Int(clamping: ($0 * 65_535).rounded()) })
    let camera =
      Matrix3x3(diagonal: SIMD3(neutral)) * ColorPrimaries.bt2020.xyzToRGB
    file.main.entries[50_721] = .signedRationals(camera.elements)
    file.main.entries[50_729] = nil
    file.main.entries[50_728] = .rationals(neutral)
    return file
  }

  @Test("a camera of known primaries yields its colors")
  func knownPrimaries() throws {
    let color = SIMD3(0.3, 0.5, 0.2)
    let seen = color * SIMD3(Self.neutral)
    let found = try Self.color(Self.bt2020([seen.x, seen.y, seen.z]))
    #expect((found - color).max() < 5e-5 && (found - color).min() > -5e-5)
  }

  @Test("the neutral of the camera is gray, and 1 at saturation")
  func neutrality() throws {
    let white = try Self.color(Self.bt2020(Self.neutral))
    #expect(abs(white.max() - 1) < 3e-5 && abs(white.min() - 1) < 3e-5)
    let gray = try Self.color(Self.bt2020(Self.neutral.map { $0 * 0.18 }))
    #expect(gray.max() - gray.min() < 5e-5 && abs(gray.y - 0.18) < 3e-5)
  }

  @Test("scene-linear values scale with exposure, without baseline exposure")
  func exposure() throws {
    var file = Self.bt2020(Self.neutral.map { $0 * 0.1 })
    file.main.entries[50_730] = .signedRationals([1.5])
    file.main.entries[51_109] = .signedRationals([-0.5])
    var development = RawDevelopment.sceneLinear
    development.baselineExposure = 2
    #expect(abs(try Self.color(file, development).y - 0.1) < 1e-4)
    for stops in [-2.0, 1, 4] {
      development.exposure = stops
      let color = try Self.color(file, development)
      #expect(abs(color.y / exp2(stops) - 0.1) < 1e-4)
    }
  }

  @Test("scene exposure is a gain of the scene; white of the look follows it")
  func sceneExposure() throws {
    let file = Self.bt2020(Self.neutral.map { $0 * 0.8 })
    var development = RawDevelopment.sceneLinear
    development.sceneExposure = -2
    #expect(abs(try Self.color(file, development).y - 0.2) < 1e-4)
    // A look that is linear: highlights keep their range instead of moving toward white.
    development = RawDevelopment()
    (development.boostAmount, development.shadowBias) = (0, 0)
    development.extendedDynamicRangeAmount = 0
    development.sceneExposure = -1
    #expect(abs(SRGB.eotf(try Self.color(file, development).y) - 0.4) < 1e-3)
    (development.sceneExposure, development.exposure) = (0, -1)
    #expect(SRGB.eotf(try Self.color(file, development).y) > 0.55)
    // With headroom, a stop less is half the luminance.
    development = RawDevelopment()
    development.baselineExposure = 1
    let bright = try Self.color(file, development).y
    development.sceneExposure = -1
    #expect(abs(bright / (try Self.color(file, development).y) - 2) < 0.1 && bright > 2.5)
  }

  @Test("a given white point becomes neutral; the white point as shot changes nothing")
  func whiteBalance() throws {
    // A camera that sees XYZ, whose own white is D65.
    func file(_ white: Chromaticity) -> SyntheticDNG {
      Self.linear(
        [white.xyz.x, white.xyz.y, white.xyz.z].map { Int(clamping: ($0 * 20_000).rounded()) })
    }
    let warm = CorrelatedTemperature(kelvin: 3200, tint: 12)
    var development = RawDevelopment.sceneLinear
    #expect(try Self.color(file(.d65)).max() / Self.color(file(.d65)).min() < 1.0005)
    let cast = try Self.color(file(warm.chromaticity))
    #expect(cast.x > 1.5 * cast.z)
    development.neutralTemperature = warm.kelvin
    development.neutralTint = warm.tint
    let balanced = try Self.color(file(warm.chromaticity), development)
    #expect(balanced.max() / balanced.min() < 1.001)
    development.neutralChromaticity = .d65
    let again = try Self.color(file(warm.chromaticity), development)
    #expect((again - cast).max() < 1e-5 && (again - cast).min() > -1e-5)
    // One of the two alone leaves the other as it was.
    let asShot = CorrelatedTemperature(.d65)
    development = RawDevelopment.sceneLinear
    development.neutralTemperature = asShot.kelvin
    let same = try Self.color(file(warm.chromaticity), development)
    #expect((same - cast).max() < 2e-4 && (same - cast).min() > -2e-4)
    development.neutralTint = asShot.tint + 30
    let pink = try Self.color(file(.d65), development)
    #expect(pink.y < pink.x && pink.y < pink.z)
    development = RawDevelopment.sceneLinear
    development.neutralLocation = SIMD2(1, 1)
    let located = try Self.color(file(warm.chromaticity), development)
    #expect(located.max() / located.min() < 1.001)
    // Pixels are those of the full size.
    (development.neutralLocation, development.scaleFactor) = (SIMD2(5, 3), 0.5)
    let reduced = try Self.color(file(warm.chromaticity), development)
    #expect(reduced.max() / reduced.min() < 1.001)
    development.neutralLocation = SIMD2(100_000, 1)
    let outside = #expect(throws: ImageError.self) {
      try Self.color(file(warm.chromaticity), development)
    }
    #expect(outside?.code.english == "the neutral location {x}, {y} is outside the image of {size}")
    for edit: (inout RawDevelopment) -> Void in [
      { $0.neutralTemperature = 100 }, { $0.neutralTint = .nan },
      { $0.neutralChromaticity = Chromaticity(x: 0.9, y: 0.9) },
    ] {
      var development = RawDevelopment.sceneLinear
      edit(&development)
      let error = #expect(throws: ImageError.self) { try file(.d65).document(development) }
      #expect(error?.category == .invalidArgument)
    }
  }

  @Test("saturated colors are clipped, kept or reconstructed")
  func highlights() throws {
    // Green is full, red and blue would be so at 2 and 1.6.
    let file = Self.bt2020([0.7, 1, 0.8])
    var development = RawDevelopment.sceneLinear
    let clipped = try Self.color(file, development)
    #expect(clipped.max() < 1.0001 && clipped.min() > 0.9999)
    development.highlights = .keep
    let kept = try Self.color(file, development)
    #expect(abs(kept.x - 1.4) < 1e-3 && abs(kept.y - 1) < 1e-3 && abs(kept.z - 1.28) < 1e-3)
    development.highlights = .reconstruct
    let guessed = try Self.color(file, development)
    #expect(abs(guessed.y - 1.34) < 0.02 && guessed.x > 1.39)
  }

  @Test("a neutral ramp beyond saturation is monotonic, without magenta")
  func ramp() throws {
    var development = RawDevelopment.sceneLinear
    for mode in RawDevelopment.Highlights.allCases where mode != .keep {
      development.highlights = mode
      var last = 0.0
      for step in 1...40 {
        let light = Double(step) * 0.06
        let seen = Self.neutral.map { min($0 * light, 1) }
        let color = try Self.color(Self.bt2020(seen), development)
        #expect(color.y > last - 1e-4, "\(mode) at \(light)")
        last = color.y
        #expect(color.max() / color.min() < 1.25, "\(mode) at \(light): \(color)")
        guard mode == .clip || light < 1.55 else { continue }
        #expect(color.max() / color.min() < 1.001, "\(mode) at \(light): \(color)")
      }
    }
  }

  @Test("gray images need no color matrix")
  func gray() throws {
    var file = Self.linear([6554])
    file.main.entries[262] = .shorts([34_892])
    file.main.entries[50_721] = nil
    let document = try file.document()
    #expect(document.image.layout.components == .gray)
    #expect(abs(try document.light()[0][2][3] - 0.1) < 1e-4)
  }

  @Test("crop, active area and orientation")
  func geometry() throws {
    var file = Self.linear([0, 0, 0], width: 12, height: 10)
    let pixels = (0..<10).flatMap { y in (0..<12).map { x in x + 12 * y } }
    file.main.chunks = [
      pixels.flatMap { pixel in (0..<3).flatMap { _ in file.number(100 * pixel, 2) } }
    ]
    file.main.entries[50_829] = .longs([1, 2, 9, 11])
    file.main.entries[50_719] = .rationals([1, 2])
    file.main.entries[50_720] = .rationals([5, 3])
    file.main.entries[274] = .shorts([6])
    // A camera whose components are those of XYZ, under the white of equal energy.
    file.main.entries[50_729] = .rationals([1 / 3.0, 1 / 3.0])
    let document = try file.document()
    #expect(document.image.orientation == .rotated90)
    #expect(document.image.layout.width == 5 && document.image.layout.height == 3)
    let light = try document.light(stripHeight: 2)
    for (y, row) in light[1].enumerated() {
      for (x, green) in row.enumerated() {
        let pixel = x + 3 + 12 * (y + 3)
        #expect(abs(green - Float(100 * pixel) / 65_535) < 2e-5)
      }
    }
    // A crop that is too large is limited to the image.
    file.main.entries[50_720] = .rationals([50, 30])
    #expect(try file.document().image.layout.width == 8)
    // One outside the image is ignored.
    file.main.entries[50_719] = .rationals([9, 0])
    let whole = try file.document()
    #expect(whole.image.layout.width == 9)
    #expect(whole.notices.contains { $0.location.path.last == "tag 50719" })
  }

  @Test("the same values for any number of threads and any strips")
  func determinism() throws {
    var file = SyntheticDNG(width: 1100, height: 70)
    var noise = SplitMix(seed: 9)
    file.main.chunks = [(0..<1100 * 70 * 2).map { _ in UInt8.random(in: 0...255, using: &noise) }]
    let light = try file.document().light(threads: 1)
    #expect(try file.document().light(stripHeight: 7, threads: 3) == light)
  }

  /// Magic Lantern writes 0/0; here for every optional tag.
  @Test(
    "undefined numbers are ignored with a notice",
    arguments: [
      50_730, 50_731, 50_732, 50_739, 51_109, 51_041, 50_727, 50_728, 50_719, 50_720, 50_718,
      50_723, 50_964, 50_714,
    ] as [UInt16])
  func undefinedNumbers(tag: UInt16) throws {
    var file = Self.linear([100, 200, 300])
    file.main.entries[tag] = nil
    let without = try file.document()
    let counts: [UInt16: Int] = [
      50_727: 3, 50_728: 3, 50_719: 2, 50_720: 2, 50_718: 2, 50_723: 9, 50_964: 9, 51_041: 2,
    ]
    file.main.entries[tag] = .signedRationals(
      Array(repeating: .nan, count: counts[tag] ?? 1))
    let document = try file.document()
    #expect(try document.light() == without.light())
    #expect(
      document.notices.contains {
        $0.code.id == "raw/look-unreadable" && $0.location.path.last == "tag \(tag)"
      })
  }

  @Test(
    "floating-point numbers that are not finite are ignored with a notice",
    arguments: [
      50_730, 50_731, 50_732, 50_739, 51_109, 51_041, 50_728, 50_719, 50_720, 50_718,
    ] as [UInt16], [Double.nan, .infinity])
  func notFinite(tag: UInt16, number: Double) throws {
    var file = Self.linear([100, 200, 300])
    let light = try file.document().light()
    let counts: [UInt16: Int] = [51_041: 2, 50_728: 3, 50_719: 2, 50_720: 2, 50_718: 2]
    file.main.entries[tag] = .doubles(Array(repeating: number, count: counts[tag] ?? 1))
    let document = try file.document()
    #expect(try document.light() == light)
    #expect(document.notices.map(\.location.path.last) == ["tag \(tag)"])
  }

  /// Source: DNG 1.7.1, NoiseReductionApplied: 0/0 if unknown.
  @Test("undefined noise reduction is unknown, without a notice")
  func unknownNoiseReduction() throws {
    var file = Self.linear([100, 200, 300])
    for unknown in [.signedRationals([.nan]), .doubles([.nan])] as [SyntheticDNG.Value] {
      file.main.entries[50_935] = unknown
      #expect(try file.document().notices.isEmpty)
      #expect(try SyntheticDNG.parsed(file).recipe().noiseReductionApplied == nil)
    }
  }

  @Test(
    "impossible numbers are ignored with a notice",
    arguments: [
      (50_730, [99]), (50_728, [0.5, 0, 0.5]), (50_729, [0, 0]), (50_720, [0, 1]),
      (50_719, [1e6, 0]), (50_727, [1, 0, 1]), (50_722, Array(repeating: 0, count: 9)),
      (50_723, Array(repeating: 1, count: 9)), (50_964, Array(repeating: -1, count: 9)),
      (50_778, []), (51_110, []), (50_933, []), (274, []), (50_879, []),
    ] as [(UInt16, [Double])])
  func impossibleNumbers(tag: UInt16, numbers: [Double]) throws {
    var file = Self.linear([100, 200, 300])
    if tag == 50_729 { file.main.entries[50_728] = nil }
    file.main.entries[tag] = nil
    let light = try file.document().light()
    file.main.entries[tag] = .signedRationals(numbers)
    let document = try file.document()
    #expect(try document.light() == light)
    #expect(
      document.notices.contains {
        $0.code.id == "raw/look-unreadable" && $0.location.path.last == "tag \(tag)"
      })
  }

  @Test("the primaries of BT.709 are assumed for a file without a color matrix")
  func assumedMatrix() throws {
    var file = Self.linear([1, 2, 3])
    file.main.entries[50_721] = nil
    let document = try file.document()
    #expect(document.notices.contains { $0.code.id == "raw/matrix-assumed" })
    let matrix = FallbackMatrix.assumed(neutral: SIMD3(0.5, 1, 0.7))
    let white = matrix * ColorPrimaries.bt709.rgbToXYZ * SIMD3(1, 1, 1)
    #expect((white - SIMD3(0.5, 1, 0.7)).max() < 1e-9)
  }

  @Test("files that cannot be developed give typed errors")
  func refusals() throws {
    func error(_ edit: (inout SyntheticDNG) -> Void) -> ImageError? {
      var file = Self.linear([1, 2, 3])
      edit(&file)
      do {
        _ = try file.document()
        return nil
      } catch { return error as? ImageError }
    }
    #expect(
      error { $0.main.entries[50_721] = .signedRationals(Array(repeating: 1, count: 9)) }?.category
        == .malformed)
    #expect(
      error { $0.main.entries[50_721] = .signedRationals([1, 2, 3]) }?.category == .unsupported)
    var mosaic = SyntheticDNG(width: 6, height: 6)
    mosaic.main.chunks = [[UInt8](repeating: 0, count: 72)]
    for (pattern, words) in [
      ([0, 1, 2, 1], "red, green, blue in 2 x 2"), ([0, 1, 3, 2], "red, green, blue, cyan"),
      ([3, 5, 1, 4], "green, cyan, magenta, yellow"), ([1, 1, 1, 1], "green in 2 x 2"),
      ([0, 1, 6, 2], "white"),
    ] as [([UInt8], String)] {
      mosaic.main.entries[33_422] = .bytes(pattern)
      let refused = #expect(throws: ImageError.self) { try mosaic.document() }
      #expect(
        refused?.code.english
          == "mosaic of {filters}, not of red, green and blue in two by two (Bayer)")
      guard case .text(let filters) = refused?.parameters["filters"] else {
        Issue.record("no filters for \(pattern)")
        continue
      }
      #expect(filters.contains(words))
    }
    mosaic.main.entries[33_422] = .bytes([0, 1, 1, 2])
    mosaic.main.entries[50_710] = .bytes([0, 2, 1])
    let rotated = #expect(throws: ImageError.self) { try mosaic.document() }
    #expect(rotated?.category == .unsupported && rotated?.location.path.last == "tag 33422")
    let four = error { $0.main.entries[277] = .shorts([4]) }
    #expect(four?.parameters == ["field": "samples per raw pixel", "value": 4])
    let fourColors = error {
      $0.main.entries[50_721] = .signedRationals(Array(repeating: 0.5, count: 12))
    }
    #expect(fourColors?.code.english == "the color matrix has {count element} instead of 9")
    #expect(fourColors?.parameters == ["count": 12])
  }

  @Test("an unspecified white point is daylight, with a notice")
  func unspecifiedWhite() throws {
    var file = Self.linear([1, 2, 3])
    file.main.entries[50_729] = nil
    #expect(
      try file.document().notices.map(\.code.english) == [
        "assumed: daylight of {kelvin kelvin} as white (not specified)"
      ])
    #expect(try Self.linear([1, 2, 3]).document().notices.isEmpty)
  }

  @Test("files other than raw open without development")
  func otherFormats() throws {
    var bytes = Self.linear([1, 2, 3]).bytes
    // The tag of the version, 50706, becomes an unknown one.
    let structure = try TIFFFile(parsing: ByteSource(bytes))
    let entry = try #require(structure.directories[0].entries.first { $0.tag.rawValue == 50_706 })
    bytes[entry.offset + 1] = 0xC0
    let error = #expect(throws: ImageError.self) {
      try SourceImage.open(
        ByteSource(bytes), options: OpeningOptions())
    }
    #expect(error?.location.path == ["tag 262"] || error?.category == .unsupported)
  }

  @Test("a photosite brighter than all around is replaced, unless suppression is off")
  func hotPixels() throws {
    let (width, height) = (32, 24)
    var file = SyntheticDNG(width: width, height: height)
    file.main.chunks = [
      (0..<width * height).flatMap { file.number($0 == 12 * width + 16 ? 60_000 : 6000, 2) }
    ]
    var development = RawDevelopment.sceneLinear
    let suppressed = try file.document(development).light()
    development.isHotPixelSuppressionEnabled = false
    let kept = try file.document(development).light()
    #expect(kept[0][12][16] > 5 * kept[0][2][2])
    #expect(abs(suppressed[0][12][16] - suppressed[0][2][2]) < 1e-4)
  }
}

extension SIMD3<Double> {
  fileprivate init(_ values: [Double]) { self.init(values[0], values[1], values[2]) }
}
