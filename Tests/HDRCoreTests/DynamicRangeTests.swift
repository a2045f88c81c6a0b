import HDRCore
import Testing

@Suite("Dynamic range") struct DynamicRangeTests {
  /// The rows of the table that name one level and no mixture of levels.
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
}
