// SPDX-License-Identifier: Apache-2.0
/// First operation on the linear values of an image, such as a gain map, provided by another
/// module.
package protocol LightStage: Sendable {
  /// Primaries of the result.
  var primaries: ColorPrimaries { get }

  /// Makes the working memory for a band of rows.
  func makeBand() -> any LightStageBand
}

/// Working memory for one band.
package protocol LightStageBand: Sendable {
  /// Changes row `y` of the image; rows of a band come in order.
  mutating func apply(to row: inout LinearRow, y: Int)
}
