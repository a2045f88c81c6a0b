/// First operation on the linear values of an image, which another module provides:
/// a gain map.
package protocol LightStage: Sendable {
  /// Primaries of the result.
  var primaries: ColorPrimaries { get }

  /// Starts to work on a band of rows, with memory of its own.
  func makeBand() -> any LightStageBand
}

/// The work on one band.
package protocol LightStageBand: Sendable {
  /// Changes row `y` of the image; rows of a band come in order.
  mutating func apply(to row: inout LightRow, y: Int)
}
