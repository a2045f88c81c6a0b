// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

/// Renders of Adobe's dng_validate 1.7.1 in BT.2020: linear for profiles for displays with
/// headroom, else with the curve of BT.2020.
@Suite("Looks of the corpus", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct LookCorpusTests {
  private static func render(
    _ name: String, _ edit: (inout RawDevelopment) -> Void = { _ in }
  ) throws -> [[[Float]]] {
    var development = RawDevelopment()
    development.isGamutMappingEnabled = false
    edit(&development)
    return try SourceImage.open(
      Corpus.source("dng/\(name).dng"), options: OpeningOptions(), developing: development
    ).light()
  }

  private static func reference(_ name: String) throws -> [[[Float]]] {
    try SourceImage.open(
      Corpus.source("dng-reference/\(name).render2020-f32.tif"), options: OpeningOptions()
    ).light()
  }

  /// Source: Recommendation ITU-R BT.2020, table 4, with the exact constants.
  private static func signal(_ light: Double) -> Double {
    light < 0.018_053_968_5
      ? 4.5 * light : 1.099_296_826_8 * pow(light, 0.45) - 0.099_296_826_8
  }

  private static func errors(
    _ found: [[[Float]]], _ expected: [[[Float]]],
    _ signal: (SIMD3<Double>) -> SIMD3<Double>
  ) -> [Double] {
    var errors: [Double] = []
    for y in found[0].indices {
      for x in found[0][y].indices {
        func color(_ planes: [[[Float]]]) -> SIMD3<Double> {
          SIMD3(Double(planes[0][y][x]), Double(planes[1][y][x]), Double(planes[2][y][x]))
        }
        let error = signal(color(found)) - color(expected)
        errors += [abs(error.x), abs(error.y), abs(error.z)]
      }
    }
    return errors.sorted()
  }

  /// BT.2020 to what the SDK takes for it: its matrix to XYZ under D50 has four digits, in rows
  /// that are scaled to D50 then.
  private static let toSDK: Matrix3x3 = {
    let exact =
      ChromaticAdaptation.bradford.matrix(from: .d65, to: .d50) * ColorPrimaries.bt2020.rgbToXYZ
    func rounded(_ row: SIMD3<Double>) -> SIMD3<Double> {
      let digits = (row * 1e4).rounded(.toNearestOrAwayFromZero) / 1e4
      return digits * (row.sum() / digits.sum())
    }
    let rows = Matrix3x3(rounded(exact[row: 0]), rounded(exact[row: 1]), rounded(exact[row: 2]))
    return rows.inverse * exact
  }()

  @Test(
    "looks for standard displays",
    arguments: [
      ("adobe-05-pgtm2-u8", "adobe-05-pgtm2-u8"), ("adobe-08-pgtm-f32", "adobe-08-pgtm-f32"),
      ("adobe-14-hdr-sdr-profiles", "adobe-14-hdr-sdr-profiles"),
      ("adobe-14-hdr-sdr-profiles", "adobe-14.profile-sdr"),
      ("adobe-lossy-linear-eos6d", "adobe-lossy-linear-eos6d"),
    ])
  func standard(name: String, reference: String) throws {
    let found = try Self.render(name) { $0.extendedDynamicRangeAmount = 0 }
    let expected = try Self.reference(reference)
    func errors(_ matrix: Matrix3x3) -> [Double] {
      Self.errors(found, expected) { color in
        let light = SIMD3(SRGB.eotf(color.x), SRGB.eotf(color.y), SRGB.eotf(color.z))
        let shown = (matrix * light).clamped(lowerBound: .zero, upperBound: .one)
        return SIMD3(Self.signal(shown.x), Self.signal(shown.y), Self.signal(shown.z))
      }
    }
    let isPhoto = name.contains("eos6d")
    #expect((errors(Self.toSDK).last ?? .infinity) < (isPhoto ? 2e-4 : 1e-6))
    // What is left of its rounding in saturated blues.
    #expect((errors(.identity).last ?? .infinity) < (isPhoto ? 3e-4 : 1e-6))
  }

  @Test(
    "looks for displays with headroom",
    arguments: [
      ("HDR Linear", "adobe-14.profile-hdr-linear"),
      ("HDR Tone Map", "adobe-14.profile-hdr-tone-map"),
    ])
  func extended(profile: String, reference: String) throws {
    let found = try Self.render("adobe-14-hdr-sdr-profiles") { $0.profileName = profile }
    let errors = Self.errors(found, try Self.reference(reference)) { $0 }
    #expect((errors.last ?? .infinity) < 2e-5)
  }

  /// The samples of this file are not there.
  @Test func appleProfile() throws {
    let dng = try Corpus.dng("dng/apple-proraw-header-only.dng")
    var notices: [Notice] = []
    let profiles = try DNGProfiles(
      dng, white: AsShotWhite(dng.main, &notices), &notices)
    let map = try #require(profiles.gainTableMap(of: profiles.all[0]))
    #expect(map.rows == 6 && map.columns == 8 && map.tableSize == 257)
    #expect(abs(map.weights[4] - 0.123_123_1) < 1e-6 && notices.isEmpty)
    #expect(profiles.all.map(\.toneCurve?.pointCount) == [257])
    #expect(profiles.all[0].name == "Apple Embedded Color Profile")
  }

  /// A whole recipe without any sample.
  @Test func appleRecipe() throws {
    let source = try Corpus.source("dng/apple-proraw-header-only.dng")
    let raw = try #require(try RawInspection.inspect(ImageFile(parsing: source)))
    let recipe = try #require(raw.recipe)
    #expect(recipe.crop.width == 4032 && recipe.crop.height == 3024 && raw.levels != nil)
    #expect(recipe.profiles[0].gainTable?.size == 257 && recipe.asShotNeutral?.count == 3)
    #expect(try Corpus.dng("dng/apple-proraw-header-only.dng").recipe() == recipe)
    #expect(try Corpus.dng("dng/apple-proraw-header-only.dng").controls().isLocalToneMapSupported)
  }

  @Test func recipes() throws {
    let hdr = try Corpus.dng("dng/adobe-14-hdr-sdr-profiles.dng").recipe()
    #expect(hdr.profiles.map(\.name) == ["SDR", "HDR Linear", "HDR Tone Map", "HDR Tint"])
    #expect(hdr.profiles.map(\.isHDR) == [false, true, true, true])
    #expect(hdr.baselineExposure == 2 && hdr.profiles[0].baselineExposureOffset == -2)
    #expect(hdr.profiles.map(\.keepsBlack) == [true, true, true, true])
    let canon = try Corpus.dng("dng/adobe-lossy-linear-eos6d.dng").recipe()
    #expect(canon.profiles[0].calibrations.map(\.kelvin) == [2850, 6500])
    #expect(canon.profiles[0].calibrations.map(\.hueSatMap) == [[90, 30, 1], [90, 30, 1]])
    #expect(canon.profiles[0].lookTable == [36, 8, 16])
    #expect(abs((canon.asShotTemperature ?? 0) - 6211.5) < 1)
  }
}
