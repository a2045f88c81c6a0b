// SPDX-License-Identifier: Apache-2.0
/// Clipping of each component at the display's peak, without tone mapping.
///
/// This is the behavior of displays and programs that do not support headroom. Components are those
/// of the color's primaries; `Rendition` converts to the target's, because a display clips its own
/// components. Clipped colors change in hue.
package struct HardClip: HeadroomMapping, Hashable {
  package let range: ToneRange

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
  }

  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// Clips a linear color.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
  /// - Returns: The color, with components of at most the display's peak.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return isIdentity
      ? color : pointwiseMin(color, SIMD3(repeating: range.displayPeak))
  }

  /// Clipping before the conversion to the display's primaries would turn a bright red pink.
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { true }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.limit(peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// Clipping of each component at the peak of the display, without tone mapping; hues change.
  public static let clip = ToneMapOperator(
    "clip", "no tone mapping: clips at the display's peak"
  ) { (content, display, _) throws(ImageError) in
    try HardClip(content: content.headroom, display: display)
  }
}
