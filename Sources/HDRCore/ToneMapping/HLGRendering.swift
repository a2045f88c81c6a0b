internal import Foundation

/// HLG light for a display of another peak or surround than the reference display's.
///
/// HLG is made to be shown with the system gamma of each display, not to be tone mapped: scene
/// light stays, the OOTF is that of the target's peak and surround. Here it starts from what
/// `HLG.light` makes of a signal, the light of the reference display. The gain depends on luminance
/// and is the same for the three components, so hue and saturation stay. Where an image may not use
/// all of the display's headroom, the default operator brings down what the display would show.
///
/// Source: Recommendation ITU-R BT.2100, table 5; Report ITU-R BT.2390, section 6.2.
package struct HLGRendering: HeadroomMapping, Hashable {
  package let display: HLG.Display
  package let displayPeak: Double
  /// From all of the display's headroom to what may be used.
  let limit: RationalShoulder
  private let referenceWhite: Double
  private let displayWhite: Double

  /// The rendering for a display.
  ///
  /// - Parameters:
  ///   - display: The display that HLG signal would drive.
  ///   - displayWhite: Luminance at which it shows reference white, cd/m², at most its peak.
  ///   - usable: Headroom that the image gets; `nil` for all of the display's.
  ///   - referenceWhite: Luminance of light 1.0 in the content, cd/m².
  /// - Throws: `.invalidArgument` for luminances that are not above 0 and for a white above the
  ///   peak.
  package init(
    display: HLG.Display, displayWhite: Double, usable: Headroom? = nil,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) {
    guard displayWhite > 0, referenceWhite > 0, display.peakLuminance.isFinite,
      display.peakLuminance >= displayWhite, display.gamma > 0, display.gamma.isFinite
    else {
      throw ImageError(
        .hlgDisplayInvalid,
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

  /// Whether this is the reference display with its white, and all of its headroom.
  package var isIdentity: Bool { isReference && limit.isIdentity }

  private var isReference: Bool {
    display.peakLuminance == HLG.Display.reference.peakLuminance
      && display.gamma == HLG.Display.reference.gamma && displayWhite == referenceWhite
  }

  /// Factor for all components of a color whose luminance on the reference display is `luminance`,
  /// above 0.
  func gain(forLuminance luminance: Double) -> Double {
    let reference = HLG.Display.reference
    let shown = luminance * referenceWhite / reference.peakLuminance
    let scene = pow(shown, 1 / reference.gamma)
    return display.peakLuminance / displayWhite * pow(scene, display.gamma) / luminance
  }

  /// A color of light, for the display.
  ///
  /// - Parameter color: Red, green, blue in BT.2020 on the reference display, 1.0 for reference
  ///   white. NaN is black, infinite light the reference display's peak.
  /// - Returns: The color, 1.0 for the white of the display; black where its luminance is not above
  ///   0.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let peak = HLG.Display.reference.peakLuminance / referenceWhite
    let color = color.finite(infinity: peak)
    guard !isReference else { return limit.toneMapped(color) }
    let luminance = (color * HLG.luminanceWeights).sum()
    return luminance > 0 ? limit.toneMapped(color * gain(forLuminance: luminance)) : .zero
  }

  /// HLG is not tone mapped, and its scene light ends at its peak.
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
