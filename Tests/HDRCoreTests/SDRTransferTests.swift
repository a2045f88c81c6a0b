// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("SDR transfer functions") struct SDRTransferTests {
  @Test func decodingEqualsVectors() throws {
    for row in try VectorTable("sdr_transfer_decode").rows {
      let signal = row["signal"]
      #expect(isClose(SRGB.eotf(signal), row["srgb_linear"]), "\(row.name)")
      #expect(isClose(BT709.inverseOETF(signal), row["bt709_inverse_oetf"]), "\(row.name)")
      #expect(isClose(BT1886.eotf(signal), row["bt1886_LB0"]), "\(row.name)")
      for (exponent, column) in [(2.2, "gamma22"), (2.4, "gamma24"), (2.6, "gamma26_dci")] {
        #expect(isClose(Gamma.eotf(signal, exponent: exponent), row[column]), "\(row.name)")
      }
    }
  }

  @Test func encodingEqualsVectors() throws {
    for row in try VectorTable("sdr_transfer_encode").rows {
      let light = row["linear"]
      #expect(isClose(SRGB.inverseEOTF(light), row["srgb"]), "\(row.name)")
      #expect(isClose(BT709.oetf(light), row["bt709_oetf"]), "\(row.name)")
      for (exponent, column) in [(2.2, "gamma22"), (2.4, "gamma24")] {
        #expect(isClose(Gamma.inverseEOTF(light, exponent: exponent), row[column]), "\(row.name)")
      }
    }
  }

  @Test func blackLiftEqualsVectors() throws {
    for row in try VectorTable("bt1886_black").rows {
      let (white, black) = (row["L_W_nits"], row["L_B_nits"])
      let luminance = BT1886.eotf(row["signal"], white: white, black: black)
      #expect(isClose(luminance, row["nits"], relative: 1e-10), "\(row.name)")
      let signal = BT1886.inverseEOTF(row["nits"], white: white, black: black)
      #expect(isClose(signal, row["signal"], absolute: 1e-12), "\(row.name)")
    }
  }

  /// The published segments of sRGB and BT.709 are continuous only within their rounded constants.
  @Test(arguments: [
    (TransferFunction.srgb, 1e-7), (.bt1886, 1e-13), (.gamma(2.2), 1e-13), (.gamma(0.5), 1e-13),
  ])
  func signalUndoesLight(transfer: TransferFunction, tolerance: Double) {
    for step in -300...300 {
      let signal = Double(step) / 200
      let light = transfer.linearValue(ofSignal: signal, referenceWhite: 203)
      let back = transfer.signal(ofLinear: light, referenceWhite: 203)
      #expect(isClose(back, signal, absolute: tolerance), "\(step)")
    }
  }

  @Test func whiteIsExact() {
    #expect(SRGB.eotf(1) == 1)
    #expect(BT709.inverseOETF(1) == 1)
    #expect(BT1886.eotf(1) == 1)
    #expect(isClose(SRGB.inverseEOTF(1), 1, relative: 2e-16))
    #expect(isClose(BT709.oetf(1), 1, relative: 2e-16))
  }
}
