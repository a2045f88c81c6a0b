// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Colors of highlights") struct HighlightColorTests {
  /// Colors in BT.2020, with a largest component of 1.
  private static let colors: [SIMD3<Double>] =
    [
      SIMD3(1, 0.45, 0.12), SIMD3(0.3, 0.55, 1), SIMD3(1, 0.9, 0.7), SIMD3(0.95, 0.97, 1),
      SIMD3(1, 1, 1), SIMD3(0.2, 1, 0.3), SIMD3(1, 0.15, 0.6),
    ]
  private static let steps = 300

  /// Each color in a row, from black to the saturation of the sensor.
  private static func scene(stops: Double, keepsBlack: Bool) -> SyntheticDNG {
    var file = SyntheticDNG(width: steps, height: colors.count, planes: 3)
    file.main.entries[50_721] = .signedRationals(ColorPrimaries.bt2020.xyzToRGB.elements)
    file.main.entries[50_730] = .signedRationals([stops])
    if keepsBlack { file.main.entries[51_110] = .longs([1]) }
    file.main.chunks = [
      colors.flatMap { color in
        (1...steps).flatMap { step in
          (0..<3).flatMap { plane in
            file.number(
              Int(clamping: (65_535 * color[plane] * Double(step) / Double(steps)).rounded()), 2)
          }
        }
      }
    ]
    return file
  }

  /// Saturation, and hue in degrees.
  private static func chroma(_ color: SIMD3<Double>) -> (saturation: Double, hue: Double) {
    let (most, range) = (color.max(), color.max() - color.min())
    guard range > 0, most > 0 else { return (0, 0) }
    let sixths =
      color.x == most
      ? (color.y - color.z) / range
      : color.y == most ? 2 + (color.z - color.x) / range : 4 + (color.x - color.y) / range
    return (range / most, 60 * sixths)
  }

  private struct Deviation {
    /// Saturation relative to that of the scene, minus 1.
    var saturation: Double
    var hue: Double
  }

  /// Deviations of the colors of a look from those of the scene in pixels above 1.2.
  private static func deviations(_ look: [[[Float]]], _ scene: [[[Float]]]) -> [Deviation] {
    var found: [Deviation] = []
    for y in look[0].indices {
      for x in look[0][y].indices {
        func color(_ planes: [[[Float]]]) -> SIMD3<Double> {
          SIMD3(Double(planes[0][y][x]), Double(planes[1][y][x]), Double(planes[2][y][x]))
        }
        guard color(look).max() > 1.2 else { continue }
        let (shown, seen) = (chroma(color(look)), chroma(color(scene)))
        // Hue of gray is noise.
        guard seen.saturation > 0.02 else {
          #expect(shown.saturation < 0.03)
          continue
        }
        let rotation = abs(shown.hue - seen.hue)
        found.append(
          Deviation(
            saturation: shown.saturation / seen.saturation - 1, hue: min(rotation, 360 - rotation)))
      }
    }
    return found
  }

  /// Expects saturation within 10 % and hue within 5 degrees.
  private static func expectScene(
    _ found: [Deviation], _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(found.count > 100, sourceLocation: place)
    let worst = (found.map { abs($0.saturation) }.max() ?? 1, found.map(\.hue).max() ?? 180)
    #expect(worst.0 < 0.1 && worst.1 < 5, sourceLocation: place)
  }

  @Test(
    "highlights have hue and saturation of the scene",
    arguments: [(0, true), (2, true), (2, false), (3.5, true)], [1.0, 2])
  func synthetic(file: (stops: Double, keepsBlack: Bool), amount: Double) throws {
    let dng = Self.scene(stops: file.stops, keepsBlack: file.keepsBlack)
    var development = RawDevelopment()
    development.extendedDynamicRangeAmount = amount
    let look = try dng.document(development).light()
    Self.expectScene(Self.deviations(look, try dng.document().light()))
  }

  @Test(
    "saturation falls to that of the scene and not below", arguments: [(2, true), (3.5, true)])
  func rings(file: (stops: Double, keepsBlack: Bool)) throws {
    let dng = Self.scene(stops: file.stops, keepsBlack: file.keepsBlack)
    let look = try dng.document(RawDevelopment()).light()
    let scene = try dng.document().light()
    for y in Self.colors.indices {
      func color(_ planes: [[[Float]]], _ x: Int) -> SIMD3<Double> {
        SIMD3((0..<3).map { Double(planes[$0][y][x]) })
      }
      var least = 1.0
      for x in 0..<Self.steps where color(look, x).max() > 0.65 {
        let saturation = Self.chroma(color(look, x)).saturation
        #expect(saturation > Self.chroma(color(scene, x)).saturation - 0.02)
        least = min(least, saturation)
        #expect(saturation < least + 0.03)
      }
    }
  }

  @Test("luminance rises with that of the scene", arguments: [0, 2, 3.5], [0.33, 1, 2])
  func monotony(stops: Double, amount: Double) throws {
    var development = RawDevelopment()
    development.extendedDynamicRangeAmount = amount
    let look = try Self.scene(stops: stops, keepsBlack: true).document(development).light()
    let weights = ColorPrimaries.bt2020.luminanceWeights
    for y in Self.colors.indices {
      let luminances = (0..<Self.steps).map { x in
        (0..<3).map { weights[$0] * Double(look[$0][y][x]) }.reduce(0, +)
      }
      let falls = zip(luminances, luminances.dropFirst()).map { $0 - $1 }.max() ?? 1
      #expect(falls < 1e-4 * (luminances.last ?? 0), "\(Self.colors[y])")
    }
  }

  @Test("a display without headroom shows the look for standard displays, to one code")
  func standard() throws {
    let dng = Self.scene(stops: 0, keepsBlack: true)
    var development = RawDevelopment()
    development.extendedDynamicRangeAmount = 0
    let standard = try dng.document(development).light()
    development.extendedDynamicRangeAmount = 1e-6
    let none = try dng.document(development).light()
    for (signal, light) in zip(standard.joined().joined(), none.joined().joined()) {
      #expect(abs(Double(signal) - SRGB.inverseEOTF(Double(light))) < 1 / 255.0)
    }
  }

  @Test("the ratio of a lamp two stops above white")
  func lamp() throws {
    let dng = Self.scene(stops: 2, keepsBlack: true)
    let light = try dng.document(RawDevelopment()).light()
    let lamp = SIMD3((0..<3).map { Double(light[$0][0][Self.steps - 1]) })
    #expect(lamp.x > 4 && abs(lamp.y / lamp.x - 0.45) < 0.01 && abs(lamp.z / lamp.x - 0.12) < 0.01)
  }

  private static func photo(
    _ name: String, stops: Double, isSceneLinear: Bool
  ) throws -> [[[Float]]] {
    var development = RawDevelopment()
    development.isGamutMappingEnabled = false
    development.isSceneLinear = isSceneLinear
    if !isSceneLinear { development.exposure = stops }
    return try SourceImage.open(
      Corpus.source(name), options: OpeningOptions(), developing: development
    ).light()
  }

  @Test(
    "highlights of a photo have hue and saturation of the scene",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: [1.0, 3])
  func photos(stops: Double) throws {
    let name = "dng/bmpcc-bayer12-ljpeg.dng"
    let look = try Self.photo(name, stops: stops, isSceneLinear: false)
    Self.expectScene(
      Self.deviations(look, try Self.photo(name, stops: stops, isSceneLinear: true)))
  }

  /// The tables of this profile turn hues, in the scene as in the look.
  @Test(
    "highlights of a photo with tables have hue and saturation of the profile's scene",
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: [1.5, 4])
  func profiles(stops: Double) throws {
    let name = "dng/adobe-lossy-linear-eos6d.dng"
    var development = RawDevelopment()
    development.exposure = stops
    let parameters = try DevelopmentParameters(try Corpus.dng(name), limits: ImageLimits())
    let look = try parameters.looks(development).standard.rendering
    var shown = try Self.photo(name, stops: stops, isSceneLinear: false)
    var scene = try Self.photo(name, stops: stops, isSceneLinear: true)
    // Tables and gain are in the rendering primaries.
    let toLook = ColorPrimaries.bt2020.conversion(to: .look)
    let place = GainTableMap.Position(index: 0, next: 0, share: 0)
    for y in scene[0].indices {
      for x in scene[0][y].indices {
        func color(_ planes: [[[Float]]]) -> SIMD3<Double> {
          toLook * SIMD3((0..<3).map { Double(planes[$0][y][x]) })
        }
        let (display, light) = (
          color(shown), look.sceneColor(color(scene), row: place, column: place).color
        )
        for plane in 0..<3 {
          (shown[plane][y][x], scene[plane][y][x]) = (Float(display[plane]), Float(light[plane]))
        }
      }
    }
    Self.expectScene(Self.deviations(shown, scene))
  }
}

extension SIMD3<Double> {
  fileprivate init(_ values: [Double]) { self.init(values[0], values[1], values[2]) }
}
