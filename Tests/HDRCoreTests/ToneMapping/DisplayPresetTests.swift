// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Display presets") struct DisplayPresetTests {
  /// The published headrooms of the presets.
  @Test(
    arguments: [
      ("sdr", 1), ("laptop", 2), ("phone", 8), ("tablet-xdr", 16), ("laptop-xdr", 16),
      ("laptop-xdr-office", 4), ("tv-1000", 1000 / 203), ("tv-4000", 4000 / 203),
    ] as [(String, Double)])
  func headroom(name: String, ratio: Double) throws {
    #expect(isClose(try DisplayPreset(named: name).headroom.ratio, ratio))
  }

  /// Higher ambient luminance reduces a display's headroom, and the system gamma of HLG.
  @Test(arguments: [
    ("laptop", "laptop-bright"), ("phone", "phone-outdoors"), ("laptop-xdr", "laptop-xdr-office"),
    ("tv-1000", "tv-1000-daylight"),
  ])
  func ambientVariant(name: String, brighter: String) throws {
    let (preset, variant) = (try DisplayPreset(named: name), try DisplayPreset(named: brighter))
    #expect(variant.surroundLuminance > preset.surroundLuminance)
    #expect(variant.headroom.stops < preset.headroom.stops)
    let (gamma, variantGamma) = (
      try #require(DisplayTarget(preset).hlgDisplay?.gamma),
      try #require(DisplayTarget(variant).hlgDisplay?.gamma)
    )
    #expect(variantGamma < gamma)
  }

  @Test func referenceDisplay() throws {
    let display = DisplayTarget(try DisplayPreset(named: "tv-1000")).hlgDisplay
    let (peak, gamma) = (try #require(display?.peakLuminance), try #require(display?.gamma))
    #expect(isClose(peak, HLG.Display.reference.peakLuminance))
    #expect(isClose(gamma, HLG.Display.reference.gamma))
  }

  @Test func namesAreTheirOwn() {
    #expect(Set(DisplayPreset.all.map(\.name)).count == DisplayPreset.all.count)
    #expect(DisplayPreset.all.allSatisfy { $0.peakLuminance >= $0.referenceWhite })
    let error = #expect(throws: ImageError.self) { try DisplayPreset(named: "crt") }
    #expect(error?.category == .invalidArgument)
    #expect(error?.parameters["known"] == .list(DisplayPreset.all.map { .text($0.name) }))
  }
}
