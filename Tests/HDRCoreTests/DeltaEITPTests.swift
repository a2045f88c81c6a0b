// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Delta E ITP") struct DeltaEITPTests {
  @Test func equalsVectors() throws {
    for row in try VectorTable("delta_e_itp").rows {
      let difference = DeltaEITP.between(
        row.color("a_r", "a_g", "a_b"), row.color("b_r", "b_g", "b_b"))
      #expect(isClose(difference, row["delta_e_itp"], relative: 1e-10), "\(row.name)")
    }
  }

  @Test func isSymmetricAndZeroForEqualColors() {
    let (first, second) = (SIMD3(203.0, 180, 150), SIMD3(1.0, 900, 4))
    #expect(DeltaEITP.between(first, first) == 0)
    #expect(DeltaEITP.between(first, second) == DeltaEITP.between(second, first))
  }
}
