// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageTransform {
  /// Returns the transform with a gain map applied to the source first; alpha stays unchanged.
  ///
  /// - Parameters:
  ///   - map: The gain map of the source.
  ///   - display: Headroom of the display. At that of the baseline image nothing changes, at that
  ///     of the alternate image the result is the alternate image; displays beyond the two show the
  ///     nearer.
  /// - Returns: The transform.
  public func applying(_ map: GainMapImage, for display: Headroom) -> ImageTransform {
    let weight = map.metadata.weight(for: display)
    guard weight != 0 else { return self }
    var transform = self
    transform.stage = GainMapStage(map, weight: weight, base: source)
    return transform
  }
}
