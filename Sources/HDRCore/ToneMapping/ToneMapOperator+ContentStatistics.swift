// SPDX-License-Identifier: Apache-2.0
extension ToneMapOperator {
  /// Statistics of an image that tone-mapping operators use.
  public struct ContentStatistics: Hashable, Sendable {
    /// Headroom of the image; values below 0 stops count as 0.
    public var headroom: Headroom
    /// The key: level of the bright tones, as `LightLevels.key`; `nil` if it was not measured.
    public var key: Double?

    public init(headroom: Headroom, key: Double? = nil) {
      self.headroom = headroom
      self.key = key
    }
  }
}
