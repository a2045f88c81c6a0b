// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("PU21") struct PU21Tests {
  @Test func equalsVectors() throws {
    for row in try VectorTable("pu21_banding_glare").rows {
      #expect(
        isClose(
          PU21.signal(ofLuminance: row["nits"]), row["pu21"], relative: 1e-10, absolute: 1e-9),
        "\(row.name)")
    }
  }

  @Test func whiteOfAnSDRDisplay() {
    #expect(isClose(PU21.signal(ofLuminance: 100), 256, relative: 2e-3))
    #expect(PU21.signal(ofLuminance: 0) == PU21.signal(ofLuminance: 0.005))
    #expect(PU21.signal(ofLuminance: 1e6) == PU21.signal(ofLuminance: 10_000))
  }
}
