// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Chromatic adaptation") struct ChromaticAdaptationTests {
  @Test func equalsVectors() throws {
    let whites: [String: Chromaticity] = [
      "D65": .d65, "D50": .d50, "ACES_D60": .acesWhite, "DCI": .dciWhite,
    ]
    for row in try VectorTable("matrix_adaptation").rows {
      let source = try #require(whites[row.text("from_white")])
      let destination = try #require(whites[row.text("to_white")])
      let method: ChromaticAdaptation = row.text("method") == "CAT16" ? .cat16 : .bradford
      #expect(
        isClose(method.matrix(from: source, to: destination), row.matrix), "\(row.name)")
    }
  }

  @Test func equalWhitesNeedNone() {
    for method in ChromaticAdaptation.allCases {
      #expect(method.matrix(from: .d65, to: .d65) == .identity)
    }
    #expect(ChromaticAdaptation.none.matrix(from: .d65, to: .d50) == .identity)
  }
}
