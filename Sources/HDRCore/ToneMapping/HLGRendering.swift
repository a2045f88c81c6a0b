// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Rendering of HLG for a display whose peak or surround differs from the reference display's.
///
/// HLG is rendered with the system gamma of each display instead of tone mapping: scene light is
/// preserved, and the OOTF is that of the target's peak and surround. This type starts from the
/// light of the reference display, the result of `HLG.linearValue`. The gain depends on luminance
/// and is equal for the three components, so hue and saturation are preserved. If an image may not
/// use the whole headroom of the display, the default operator tone maps the result.
///
/// Source: Recommendation ITU-R BT.2100, table 5; Report ITU-R BT.2390, section 6.2.
package struct HLGRendering: HeadroomMapping, Hashable {
  package let display: HLG.Display
  package let displayPeak: Double
  /// From the whole headroom of the display to the usable headroom.
  let limit: RationalShoulder
  private let referenceWhite: Double
  private let displayWhite: Double

  /// Prepares the rendering for a display.
  ///
  /// - Parameters:
  ///   - display: The target display of the HLG signal.
  ///   - displayWhite: Luminance of reference white on the display in cd/m², at most its peak.
  ///   - usable: Headroom available to the image; `nil` for that of the display.
  ///   - referenceWhite: Luminance of linear 1.0 in the content, in cd/m².
  /// - Throws: `.invalidArgument` for luminances that are not above 0 and for a white above the
  ///   peak.
  package init(
    display: HLG.Display, displayWhite: Double, usable: Headroom? = nil,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) {
    guard displayWhite > 0, referenceWhite > 0, display.peakLuminance.isFinite,
      display.peakLuminance >= displayWhite, display.gamma > 0, display.gamma.isFinite
    else {
      throw ImageError(
        .invalidArgument,
        "invalid HLG display: peak {peak cd/m²}, gamma {gamma}, reference white {white cd/m²}",
        ["peak": display.peakLuminance, "gamma": display.gamma, "white": displayWhite])
    }
    self.display = display
    self.displayWhite = displayWhite
    self.referenceWhite = referenceWhite
    let all = Headroom(ratio: display.peakLuminance / displayWhite)
    limit = try RationalShoulder(
      content: all, display: Headroom(stops: min(usable?.stops ?? all.stops, all.stops)))
    displayPeak = limit.displayPeak
  }

  /// Whether this is the reference display with its reference white and whole headroom.
  package var isIdentity: Bool { isReference && limit.isIdentity }

  private var isReference: Bool {
    display.peakLuminance == HLG.Display.reference.peakLuminance
      && display.gamma == HLG.Display.reference.gamma && displayWhite == referenceWhite
  }

  /// Returns the gain of a color with `luminance` on the reference display, above 0.
  func gain(forLuminance luminance: Double) -> Double {
    let reference = HLG.Display.reference
    let shown = luminance * referenceWhite / reference.peakLuminance
    let scene = pow(shown, 1 / reference.gamma)
    return display.peakLuminance / displayWhite * pow(scene, display.gamma) / luminance
  }

  /// Renders a linear color for the display.
  ///
  /// - Parameter color: Red, green, blue in BT.2020 on the reference display, 1.0 for reference
  ///   white. NaN becomes 0, infinite values the reference display's peak.
  /// - Returns: The color, 1.0 for the white of the display; black if its luminance is not above 0.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let peak = HLG.Display.reference.peakLuminance / referenceWhite
    let color = color.finite(infinity: peak)
    guard !isReference else { return limit.toneMapped(color) }
    let luminance = (color * HLG.luminanceWeights).sum()
    return luminance > 0 ? limit.toneMapped(color * gain(forLuminance: luminance)) : .zero
  }

  /// `nil`, because HLG is not tone mapped, and its scene light is limited to its peak.
  package var contentPeak: Double? { nil }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(
      .luminance(
        weights: SIMD3<Float>(HLG.luminanceWeights),
        gain: SampledFunction(octaves: -40..<8, stepsPerOctave: 256) {
          gain(forLuminance: $0)
        }, limit: RowToneMap(ToneMap(limit), isBegun: false)))
  }
}
