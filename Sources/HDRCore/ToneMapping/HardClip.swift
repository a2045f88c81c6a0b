/// No tone mapping: each component is cut off at the display's peak.
///
/// Behavior of displays and programs without support for headroom. Components are those of the primaries
/// that colors are given in; `Rendition` gives them in the target's, as a display cuts off its own.
/// Colors that are cut off change in hue.
package struct HardClip: HeadroomMapping, Hashable {
  package let range: ToneRange

  /// The operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
  }

  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// A color of light, mapped.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN is black, infinite light the
  ///   content's peak.
  /// - Returns: The color, with no component above the display's peak.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return isIdentity
      ? color : pointwiseMin(color, SIMD3(repeating: range.displayPeak))
  }

  /// A display clips its own components: clipped before, a bright red would turn pink.
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { true }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.limit(peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// `HardClip`.
  public static let clip = ToneMapOperator(
    "clip", "no tone mapping: clips at the display's peak"
  ) { (content, display, _) throws(ImageError) in
    try HardClip(content: content, display: display)
  }
}
