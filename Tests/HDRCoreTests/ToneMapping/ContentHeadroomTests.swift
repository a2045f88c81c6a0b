// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Content headroom") struct ContentHeadroomTests {
  private typealias Declarations = ContentHeadroom.Declarations

  private static let baseline = HeadroomAdaptation(
    toneMap: AdaptiveToneMap(baselineHeadroom: Headroom(stops: 2.5), method: .referenceWhite))
  private static let full = Declarations(
    headroomAdaptation: baseline, gainMapAlternate: Headroom(stops: 2.4),
    light: LightMetadata(
      masteringDisplay: LightMetadata.MasteringDisplay(
        primaries: .bt2020, maximumLuminance: 1000, minimumLuminance: 0.005),
      contentLightLevel: LightMetadata.ContentLightLevel(maximum: 812, maximumAverage: 100)),
    isHLG: true)

  /// Each declaration is used if those of higher priority are missing.
  @Test func orderOfAuthority() {
    let measured = Headroom(stops: 2.2)
    var declarations = Self.full
    func expect(_ ratio: Double, _ origin: ContentHeadroom.Origin) {
      let content = ContentHeadroom(declarations, measured: measured)
      #expect(isClose(content.headroom.ratio, ratio), "\(origin)")
      #expect(content.origin == origin)
      #expect(content.notice == nil)
    }
    expect(Headroom(stops: 2.5).ratio, .headroomAdaptation)
    declarations.headroomAdaptation = nil
    expect(Headroom(stops: 2.4).ratio, .gainMap)
    declarations.gainMapAlternate = nil
    expect(4, .contentLightLevel)
    declarations.light.contentLightLevel?.maximum = 0
    expect(1000 / 203, .masteringDisplay)
    declarations.light.masteringDisplay = nil
    expect(1000 / 203, .hlg)
    declarations.isHLG = false
    expect(Headroom(stops: 2.2).ratio, .measured)
  }

  /// MaxCLL of 10 000 cd/m² on an image of 600 cd/m² must not dim it; MaxCLL below the measured
  /// level is used.
  @Test func declarationsAgainstTheLight() {
    var declarations = Declarations()
    declarations.light.contentLightLevel = LightMetadata.ContentLightLevel(
      maximum: 10_000, maximumAverage: 0)
    let dim = ContentHeadroom(declarations, measured: Headroom(ratio: 600 / 203))
    #expect(dim.origin == .measured)
    #expect(isClose(dim.headroom.ratio, 600 / 203))
    #expect(
      dim.notice?.code.english
        == "{source} specifies a peak of {declared}x the reference white, the image reaches "
        + "{measured}x; rendered for the image"
    )
    #expect(dim.notice?.parameters["source"] == .text("MaxCLL"))
    let bright = ContentHeadroom(declarations, measured: Headroom(ratio: 60))
    #expect(bright.origin == .contentLightLevel)
    #expect(isClose(bright.headroom.ratio, 10_000 / 203))
    #expect(ContentHeadroom(declarations, measured: Headroom(ratio: 25)).notice == nil)
  }

  /// Luminances are relative to the image's reference white.
  @Test func otherReferenceWhite() {
    var declarations = Declarations()
    declarations.light.contentLightLevel = LightMetadata.ContentLightLevel(
      maximum: 800, maximumAverage: 0)
    let content = ContentHeadroom(
      declarations, measured: Headroom(ratio: 8), referenceWhite: 100)
    #expect(isClose(content.headroom.ratio, 8))
  }

  @Test func imageWithoutHeadroom() {
    var declarations = Declarations()
    declarations.light.contentLightLevel = LightMetadata.ContentLightLevel(
      maximum: 90, maximumAverage: 9)
    #expect(ContentHeadroom(declarations, measured: Headroom(ratio: 0.4)).headroom == .standard)
    #expect(ContentHeadroom(Declarations(), measured: Headroom(stops: -3)).headroom == .standard)
  }
}
