// SPDX-License-Identifier: Apache-2.0
extension ToneMapOperator {
  /// Statistics of an image that tone-mapping operators use.
  public struct ContentStatistics: Hashable, Sendable {
    /// Headroom of the image; below 0 stops it counts as 0.
    public var headroom: Headroom
    /// The key: level of the bright tones, 1.0 for reference white, as `LightLevels.key`; `nil` if
    /// it was not measured.
    public var key: Double?

    public init(headroom: Headroom, key: Double? = nil) {
      self.headroom = headroom
      self.key = key
    }
  }
}
