/// Work on the light of a picture between decoding and all else, which another module brings along:
/// a gain map.
package protocol LightStage: Sendable {
  /// The primaries of the light that comes out.
  var primaries: ColorPrimaries { get }

  /// Starts to work on a band of rows, with memory of its own.
  func makeBand() -> any LightStageBand
}

/// The work on one band.
package protocol LightStageBand: Sendable {
  /// Changes the light of row `y` of the picture; rows of a band come in order.
  mutating func apply(to row: inout LightRow, y: Int)
}
