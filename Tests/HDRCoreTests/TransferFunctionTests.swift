// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Transfer functions") struct TransferFunctionTests {
  @Test(arguments: [
    (CICP.Transfer.linear, TransferFunction.linear), (.pq, .pq), (.hlg, .hlg), (.srgb, .srgb),
    (.bt709, .bt1886), (.gamma22, .gamma(2.2)), (.gamma28, .gamma(2.8)),
  ])
  func codePointsGoBothWays(codePoint: CICP.Transfer, transfer: TransferFunction) {
    #expect(TransferFunction(codePoint) == transfer)
    #expect(transfer.cicp == codePoint)
  }

  @Test func otherCurvesHaveNoCodePoint() throws {
    #expect(TransferFunction.gamma(1.8).cicp == nil)
    let curve = try #require(ProfileCurves.Curve(samples: [0, 1]))
    let curves = ProfileCurves(red: curve, green: curve, blue: curve)
    #expect(TransferFunction.sampled(curves).cicp == nil)
    #expect(TransferFunction(CICP.Transfer.unspecified) == nil)
  }

  @Test(arguments: [TransferFunction.linear, .pq, .hlg, .srgb, .bt1886, .gamma(2.2)])
  func signalUndoesLight(transfer: TransferFunction) {
    for step in 0...500 {
      let signal = Double(step) / 500
      let light = transfer.linearValue(ofSignal: signal, referenceWhite: 180)
      let back = transfer.signal(ofLinear: light, referenceWhite: 180)
      #expect(isClose(back, signal, absolute: 1e-6), "\(step)")
    }
  }

  @Test func referenceWhiteScalesAbsoluteCurvesOnly() {
    for transfer in [TransferFunction.pq, .hlg] {
      let light = transfer.linearValue(ofSignal: 0.7, referenceWhite: 100)
      let half = transfer.linearValue(ofSignal: 0.7, referenceWhite: 200)
      #expect(isClose(half, light / 2))
    }
    #expect(TransferFunction.srgb.linearValue(ofSignal: 0.7, referenceWhite: 100) == SRGB.eotf(0.7))
  }
}
