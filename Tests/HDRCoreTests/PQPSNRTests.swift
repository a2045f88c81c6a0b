// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("PQ PSNR") struct PQPSNRTests {
  @Test func errorOfOneHundredthIsFortyDecibels() {
    let signals = [0.2, 0.5, 0.7]
    let reference = signals.map { PQ.eotf($0) }
    let image = [0.21, 0.49, 0.71].map { PQ.eotf($0) }
    #expect(isClose(PQPSNR.decibels(reference, image), 40, relative: 1e-9))
    #expect(PQPSNR.decibels(reference, reference) == .infinity)
  }

  @Test func colorsCountAllComponents() {
    let reference = [SIMD3(repeating: PQ.eotf(0.5))]
    let image = [SIMD3(PQ.eotf(0.5), PQ.eotf(0.53), PQ.eotf(0.5))]
    // One third of 0.03²: 10 log10(1 / 0.0003).
    #expect(isClose(PQPSNR.decibels(reference, image), 35.228_787_452_803_4, relative: 1e-9))
  }
}
