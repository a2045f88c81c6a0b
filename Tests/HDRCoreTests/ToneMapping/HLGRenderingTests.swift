import HDRCore
import Testing

@Suite("HLG rendering") struct HLGRenderingTests {
  /// From the reference display's light to another display's, as if the signal had driven it.
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
      let shown = rendering.toneMapped(HLG.light(ofSignal: signal, referenceWhite: 203)) * white
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

  @Test(arguments: [(1000.0, 0.0), (1000, -1), (1000, .nan), (100, 203), (.infinity, 203)])
  func senselessDisplays(peak: Double, white: Double) {
    let display = HLG.Display(peakLuminance: peak, gamma: 1.2)
    #expect {
      try HLGRendering(display: display, displayWhite: white)
    } throws: { ($0 as? ImageError)?.code == .invalidArgument }
  }
}
