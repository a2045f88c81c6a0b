// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@Suite("HLG") struct HLGTests {
  @Test func oetfEqualsVectors() throws {
    for row in try VectorTable("hlg_oetf").rows {
      #expect(isClose(HLG.oetf(row["scene_linear"]), row["signal"]), "\(row.name)")
    }
  }

  @Test func inverseOETFEqualsVectors() throws {
    for table in ["hlg_inverse_oetf", "hlg_extended"] {
      for row in try VectorTable(table).rows {
        #expect(isClose(HLG.inverseOETF(row["signal"]), row["scene_linear"]), "\(row.name)")
        #expect(
          isClose(HLG.oetf(row["scene_linear"]), row["signal"], relative: 1e-9), "\(row.name)")
      }
    }
  }

  @Test func gammaEqualsVectors() throws {
    for row in try VectorTable("hlg_gamma").rows {
      let (peak, ambient) = (row["L_W_nits"], row["ambient_nits"])
      #expect(isClose(HLG.nominalGamma(peak: peak), row["gamma_bt2100_log10"]), "\(row.name)")
      #expect(
        isClose(HLG.extendedGamma(peak: peak, ambient: ambient), row["gamma_bt2390_extended"]),
        "\(row.name)")
      let gamma = HLG.systemGamma(peak: peak, ambient: ambient)
      if ambient != 5 {
        #expect(isClose(gamma, row["gamma_bt2390_extended"]), "\(row.name)")
      } else if row["recommended_valid_for_log10_form_400_2000"] == 1 {
        #expect(isClose(gamma, row["gamma_bt2100_log10"]), "\(row.name)")
      } else {
        // The extended form, shifted to the end of BT.2100's range.
        let end = peak < 400 ? (1.032865196357744, 1.04412031855044) : (1.326432598178872, 1.3332)
        #expect(isClose(gamma, row["gamma_bt2390_extended"] * end.0 / end.1), "\(row.name)")
      }
    }
  }

  /// The function is continuous and increasing; the largest step between 40 000 peaks is that of
  /// the formula.
  @Test func systemGammaIsContinuous() {
    let peaks = (0...40_000).map { 50 * pow(400, Double($0) / 40_000) }
    for ambient in [5.0, 0.5, 40] {
      var previous = HLG.systemGamma(peak: peaks[0] / 1.0001, ambient: ambient)
      for peak in peaks {
        let gamma = HLG.systemGamma(peak: peak, ambient: ambient)
        #expect(gamma > previous && gamma - previous < 1e-4, "\(peak) in \(ambient)")
        previous = gamma
      }
      for edge in [400.0, 2000] {
        let around = [edge.nextDown, edge, edge.nextUp].map {
          HLG.systemGamma(peak: $0, ambient: ambient)
        }
        #expect(isClose(around[0], around[1], absolute: 1e-12))
        #expect(isClose(around[2], around[1], absolute: 1e-12))
      }
    }
  }

  @Test func ootfEqualsVectors() throws {
    for row in try VectorTable("hlg_ootf").rows {
      let (peak, gamma) = (row["L_W_nits"], row["gamma"])
      let scene = row.color("scene_r", "scene_g", "scene_b")
      let display = row.color("display_r_nits", "display_g_nits", "display_b_nits")
      #expect(isClose(HLG.ootf(scene, peak: peak, gamma: gamma), display), "\(row.name)")
      #expect(isClose(HLG.inverseOOTF(display, peak: peak, gamma: gamma), scene), "\(row.name)")
    }
  }

  @Test func eotfEqualsVectors() throws {
    for row in try VectorTable("hlg_eotf").rows {
      let peak = row["L_W_nits"]
      let display = HLG.Display(
        peakLuminance: peak, blackLuminance: row["L_B_nits"], gamma: HLG.nominalGamma(peak: peak))
      let light = HLG.eotf(row.color("signal_r", "signal_g", "signal_b"), display: display)
      let expected = row.color("display_r_nits", "display_g_nits", "display_b_nits")
      #expect(isClose(light, expected, relative: 1e-10), "\(row.name)")
    }
  }

  @Test(arguments: [203, 400, 600, 1000, 2000, 4000])
  func grayEqualsVectors(peak: Int) throws {
    let gamma = HLG.nominalGamma(peak: Double(peak))
    let display = HLG.Display(peakLuminance: Double(peak), gamma: gamma)
    for row in try VectorTable("hlg_eotf_grey").rows {
      let light = HLG.eotf(SIMD3(repeating: row["signal"]), display: display)
      #expect(isClose(light.y, row["nits_LW\(peak)"], relative: 1e-10), "\(row.name)")
    }
  }

  @Test func bridgeToPQEqualsVectors() throws {
    for row in try VectorTable("hlg_to_pq_1000").rows {
      let signal = row.color("hlg_r", "hlg_g", "hlg_b")
      #expect(
        isClose(
          HLG.linearValue(ofSignal: signal, referenceWhite: 203) * 203,
          row.color("nits_r", "nits_g", "nits_b"), relative: 1e-10), "\(row.name)")
      #expect(
        isClose(HLG.pqSignal(ofHLG: signal), row.color("pq_r", "pq_g", "pq_b"), relative: 1e-10),
        "\(row.name)")
    }
  }

  @Test func bridgeFromPQEqualsVectors() throws {
    for row in try VectorTable("pq_to_hlg_1000").rows {
      let signal = row.color("hlg_r", "hlg_g", "hlg_b")
      #expect(
        isClose(
          HLG.hlgSignal(ofPQ: row.color("pq_r", "pq_g", "pq_b")), signal, relative: 1e-10,
          absolute: 1e-10), "\(row.name)")
      #expect(
        isClose(
          HLG.signal(ofLinear: row.color("nits_r", "nits_g", "nits_b") / 203, referenceWhite: 203),
          signal, relative: 1e-10), "\(row.name)")
    }
  }

  /// Source: BT.2408, table 1, with the digits of the project's specification.
  @Test func referenceWhiteIsThreeQuarters() {
    let light = HLG.eotf(SIMD3(repeating: 0.75), display: .reference)
    #expect(isClose(light.y, 203.1521459, relative: 1e-9))
    let signal = TransferFunction.hlg.signal(ofLinear: 1, referenceWhite: 203)
    #expect(isClose(signal, 0.749877364632173, relative: 1e-12))
  }

  @Test func blackLiftShowsBlack() {
    let display = HLG.Display(peakLuminance: 1000, blackLuminance: 0.05)
    let black = HLG.eotf(.zero, display: display)
    #expect(isClose(black, SIMD3(repeating: 0.05), relative: 1e-10))
  }

  @Test func darkAndNegativeLuminanceIsBlack() {
    for scene in [SIMD3<Double>.zero, SIMD3(0.1, -0.5, 0), SIMD3(.nan, 0, 0)] {
      #expect(HLG.ootf(scene, peak: 203, gamma: 0.9) == .zero)
      #expect(HLG.inverseOOTF(scene, peak: 203, gamma: 0.9) == .zero)
    }
  }

  @Test func negativeComponentsSurvive() {
    let signal = SIMD3(0.9, -0.05, 0.3)
    let light = HLG.linearValue(ofSignal: signal, referenceWhite: 203)
    #expect(light.y < 0)
    #expect(isClose(HLG.signal(ofLinear: light, referenceWhite: 203), signal, relative: 1e-12))
  }

  @Test func otherPrimariesBringTheirWeights() {
    let signal = SIMD3(0.9, 0.2, 0.3)
    let toBT2020 = ColorPrimaries.displayP3.conversion(to: .bt2020)
    let weights = ColorPrimaries.displayP3.luminanceWeights
    let light = toBT2020 * HLG.linearValue(ofSignal: signal, referenceWhite: 203, weights: weights)
    let scene = toBT2020 * HLG.inverseOETF(signal)
    let expected = HLG.ootf(scene, peak: 1000, gamma: 1.2) / 203
    // BT.2100 specifies the weights of BT.2020 with four digits.
    #expect(isClose(light, expected, relative: 1e-4))
  }
}
