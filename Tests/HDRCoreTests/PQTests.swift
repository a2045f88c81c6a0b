// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("PQ") struct PQTests {
  @Test func eotfEqualsVectors() throws {
    for row in try VectorTable("pq_eotf").rows {
      // Near black, E^(1/m2) - c1 cancels: a relative error of 1e-16 becomes one of 1e-10.
      #expect(
        isClose(PQ.eotf(row["signal"]), row["nits"], relative: 1e-10, absolute: 1e-15),
        "\(row.name)")
      #expect(
        isClose(
          TransferFunction.pq.linearValue(ofSignal: row["signal"], referenceWhite: 203),
          row["relative_203"], relative: 1e-10, absolute: 1e-17), "\(row.name)")
    }
  }

  @Test func inverseEOTFEqualsVectors() throws {
    for row in try VectorTable("pq_inverse_eotf").rows {
      #expect(isClose(PQ.inverseEOTF(row["nits"]), row["signal"]), "\(row.name)")
    }
  }

  @Test func extendedRangeEqualsVectors() throws {
    for row in try VectorTable("pq_extended").rows {
      #expect(isClose(PQ.eotf(row["signal"]), row["nits"], relative: 1e-10), "\(row.name)")
      #expect(
        isClose(PQ.inverseEOTF(row["nits"]), row["signal"], absolute: 1e-6), "\(row.name)")
    }
  }

  @Test func exactWhereItMatters() {
    #expect(PQ.eotf(0) == 0)
    #expect(PQ.eotf(1) == 10_000)
    #expect(PQ.inverseEOTF(10_000) == 1)
    // Source: BT.2408, table 1, with the digits of the project's specification.
    #expect(isClose(PQ.inverseEOTF(203), 0.580688881041611, relative: 1e-14))
  }

  @Test func holdsBeyondOvershoot() {
    #expect(PQ.eotf(1.03) == PQ.eotf(1.02))
    #expect(PQ.eotf(.infinity) == PQ.eotf(1.02))
    #expect(PQ.eotf(-5) == -PQ.eotf(1.02))
    #expect(isClose(PQ.inverseEOTF(.infinity), 1.02))
    #expect(isClose(PQ.inverseEOTF(-1e30), -1.02))
  }

  @Test func rises() {
    var previous = PQ.eotf(-1.02)
    for step in -1019...1020 {
      let luminance = PQ.eotf(Double(step) / 1000)
      #expect(luminance > previous, "\(step)")
      previous = luminance
    }
  }

  @Test func inverseUndoesEOTF() {
    for code in 0...65_535 {
      let signal = Double(code) / 65_535
      #expect(isClose(PQ.inverseEOTF(PQ.eotf(signal)), signal, absolute: 1e-6), "\(code)")
    }
  }
}
