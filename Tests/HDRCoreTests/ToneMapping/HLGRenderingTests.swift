// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("HLG rendering") struct HLGRenderingTests {
  /// From the light of the reference display to that of another display, equal to its EOTF.
  @Test func equalsVectorsOfEOTF() throws {
    let rows = try VectorTable("hlg_eotf").rows.filter { $0["L_B_nits"] == 0 }
    try #require(!rows.isEmpty)
    for row in rows {
      let peak = row["L_W_nits"]
      let white = peak / 4
      let rendering = try HLGRendering(
        display: HLG.Display(peakLuminance: peak, gamma: HLG.nominalGamma(peak: peak)),
        displayWhite: white)
      let signal = row.color("signal_r", "signal_g", "signal_b")
      let shown =
        rendering.toneMapped(HLG.linearValue(ofSignal: signal, referenceWhite: 203)) * white
      let expected = row.color("display_r_nits", "display_g_nits", "display_b_nits")
      #expect(isClose(shown, expected, relative: 1e-9), "\(row.name)")
      #expect(rendering.displayPeak == 4)
    }
  }

  @Test func referenceDisplayIsTheIdentity() throws {
    let rendering = try HLGRendering(display: .reference, displayWhite: 203)
    #expect(rendering.isIdentity)
    #expect(rendering.toneMapped(SIMD3(3, 0, -1)) == SIMD3(3, 0, -1))
    #expect(!(try HLGRendering(display: .reference, displayWhite: 100)).isIdentity)
  }

  /// A level with a part of the headroom is a smooth transition from standard to high.
  @Test func levelsAreContinuous() throws {
    let display = HLG.Display(peakLuminance: 812)
    let colors = [SIMD3(0.1, 0.1, 0.1), SIMD3(1.5, 0.4, 0.2), SIMD3(4.9, 4.9, 4.9)]
    var before: [SIMD3<Double>]?
    for step in 0...2000 {
      let usable = Headroom(stops: 2 * Double(step) / 2000)
      let rendering = try HLGRendering(display: display, displayWhite: 203, usable: usable)
      #expect(isClose(rendering.displayPeak, usable.ratio, relative: 1e-12))
      let shown = colors.map(rendering.toneMapped)
      for (old, new) in zip(before ?? shown, shown) {
        #expect((new - old).min() >= -1e-12 && (new - old).max() < 0.01 * max(old.max(), 0.1))
      }
      before = shown
    }
    let all = try HLGRendering(display: display, displayWhite: 203)
    #expect(before == colors.map(all.toneMapped))
  }

  @Test(arguments: [(1000.0, 0.0), (1000, -1), (1000, .nan), (100, 203), (.infinity, 203)])
  func senselessDisplays(peak: Double, white: Double) {
    let display = HLG.Display(peakLuminance: peak, gamma: 1.2)
    #expect {
      try HLGRendering(display: display, displayWhite: white)
    } throws: { ($0 as? ImageError)?.category == .invalidArgument }
  }

  /// The vectors contain display light for scene light and a peak; these tests start from the light
  /// of the reference display.
  @Test func equalsVectorsOfOOTF() throws {
    for row in try VectorTable("hlg_ootf").rows {
      let scene = row.color("scene_r", "scene_g", "scene_b")
      let display = HLG.Display(peakLuminance: row["L_W_nits"], gamma: row["gamma"])
      let rendering = try HLGRendering(display: display, displayWhite: 100)
      let reference = HLG.ootf(scene, peak: 1000, gamma: 1.2) / ColorEncoding.defaultReferenceWhite
      let shown = rendering.toneMapped(reference) * 100
      let expected = row.color("display_r_nits", "display_g_nits", "display_b_nits")
      #expect(isClose(shown, expected, relative: 1e-10, absolute: 1e-12), "\(row.name)")
    }
  }

  /// One gain for the whole color instead of one for each component.
  @Test func colorsKeepTheirRatios() throws {
    let rendering = try HLGRendering(
      display: HLG.Display(peakLuminance: 400), displayWhite: 200)
    let color = SIMD3(2.0, 0.7, 0.1)
    #expect(isClose(rendering.toneMapped(color) / rendering.toneMapped(color).x, color / 2))
    #expect(rendering.displayPeak == 2)
  }

  @Test func oddLight() throws {
    let rendering = try HLGRendering(display: HLG.Display(peakLuminance: 400), displayWhite: 200)
    #expect(rendering.toneMapped(SIMD3(repeating: .nan)) == .zero)
    #expect(isClose(rendering.toneMapped(SIMD3(repeating: .infinity)), SIMD3(repeating: 2)))
    #expect(rendering.toneMapped(SIMD3(0, -1, 0.2)) == .zero)
  }
}
