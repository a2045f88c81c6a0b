import Foundation
import HDRCore
import ImageCodecs
import TestSupport
import Testing

@testable import RAWDevelop

/// Renders of Adobe's dng_validate 1.7.1 in BT.2020: linear for profiles for displays with headroom,
/// else with the curve of BT.2020.
@Suite("Looks of the corpus", .enabled(if: Corpus.isPresent, "no corpus here (HDR_CORPUS)"))
struct LookCorpusTests {
  private static func render(
    _ name: String, _ edit: (inout RawDevelopment) -> Void = { _ in }
  ) throws -> [[[Float]]] {
    var development = RawDevelopment()
    development.isGamutMappingEnabled = false
    edit(&development)
    return try PictureDocument.open(
      Corpus.source("dng/\(name).dng"), options: OpeningOptions(threads: 2), developing: development
    ).light()
  }

  private static func reference(_ name: String) throws -> [[[Float]]] {
    try PictureDocument.open(
      Corpus.source("dng-reference/\(name).render2020-f32.tif"), options: OpeningOptions()
    ).light()
  }

  /// Source: Recommendation ITU-R BT.2020, table 4, with the exact constants.
  private static func signal(_ light: Double) -> Double {
    light < 0.018_053_968_5
      ? 4.5 * light : 1.099_296_826_8 * pow(light, 0.45) - 0.099_296_826_8
  }

  private static func errors(
    _ found: [[[Float]]], _ expected: [[[Float]]], _ signal: (Double) -> Double
  ) -> [Double] {
    var errors: [Double] = []
    for (found, expected) in zip(found, expected) {
      for (found, expected) in zip(found, expected) {
        for (found, expected) in zip(found, expected) {
          errors.append(abs(signal(Double(found)) - Double(expected)))
        }
      }
    }
    return errors.sorted()
  }

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
    let errors = Self.errors(found, try Self.reference(reference)) { value in
      Self.signal(min(max(SRGB.eotf(value), 0), 1))
    }
    // Elements of the SDK's last matrix have four digits: beside blue of 1, half a unit of the last is
    // 2e-4 of signal in dark green, for each of the two matrices that it is made of.
    let isPhoto = name.contains("eos6d")
    #expect(errors[errors.count * 99 / 100] < 2e-4)
    #expect((errors.last ?? .infinity) < (isPhoto ? 6e-4 : 1e-6))
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
    let profiles = try DNGProfiles(dng, isGray: false, &notices)
    let map = try #require(profiles.gainTableMap(of: profiles.all[0]))
    #expect(map.rows == 6 && map.columns == 8 && map.tableSize == 257)
    #expect(abs(map.weights[4] - 0.123_123_1) < 1e-6 && notices.isEmpty)
    #expect(profiles.all.map(\.toneCurve?.pointCount) == [257])
    #expect(profiles.all[0].name == "Apple Embedded Color Profile")
  }

  /// A whole recipe without any sample.
  @Test func appleRecipe() throws {
    let source = try Corpus.source("dng/apple-proraw-header-only.dng")
    let raw = try #require(try RawInspection.inspect(source))
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
