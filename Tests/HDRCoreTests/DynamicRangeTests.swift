// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Dynamic range") struct DynamicRangeTests {
  /// Rows of the table with a single level.
  @Test(arguments: [
    (DynamicRange.standard, "weight_standard"), (.constrainedHigh, "weight_constrained_high"),
    (.high, "weight_high"),
  ])
  func equalsVectors(level: DynamicRange, column: String) throws {
    let rows = try VectorTable("dynamic_range_levels").rows.filter { $0[column] == 1 }
    try #require(!rows.isEmpty)
    for row in rows {
      let display = Headroom(ratio: row["display_headroom_linear"])
      #expect(
        isClose(level.headroom(on: display).ratio, row["effective_headroom_linear"]), "\(row.name)")
    }
  }

  @Test func mixturesEqualVectors() throws {
    for row in try VectorTable("dynamic_range_levels").rows {
      // Shares do not have to sum to 1.
      let mix = try DynamicRange.Mix(
        standard: 3 * row["weight_standard"],
        constrainedHigh: 3 * row["weight_constrained_high"], high: 3 * row["weight_high"])
      let display = Headroom(ratio: row["display_headroom_linear"])
      #expect(
        isClose(mix.headroom(on: display).ratio, row["effective_headroom_linear"]), "\(row.name)")
    }
  }

  @Test func impossibleMixturesAreRefused() {
    for (standard, high) in [(0.0, 0.0), (1, -0.5), (.nan, 1), (1, .infinity)] {
      let error = #expect(throws: ImageError.self) {
        try DynamicRange.Mix(standard: standard, high: high)
      }
      #expect(error?.category == .invalidArgument)
    }
  }

  /// A display with a peak below reference white does not have headroom.
  @Test func displayWithoutHeadroom() {
    for level in DynamicRange.allCases {
      #expect(level.headroom(on: Headroom(stops: -1)) == .standard)
    }
  }
}
