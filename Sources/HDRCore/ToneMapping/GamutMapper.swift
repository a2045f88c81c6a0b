// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Gamut mapping that preserves the largest component of a color, its hue, and its chroma.
///
/// With B the brightness of a color c, its offset is u = c / B - 1, which is 0 for gray. The
/// distance of a component from gray is -u, 1 at the boundary of the primaries. Its excess e is the
/// distance beyond a knee, in units of the margin between knee and boundary, and becomes e / sqrt(1
/// + e^2), which is below 1: inside the gamut. The slope of this function is 1 at the knee, within
/// which colors are unchanged.
///
/// Colors outside the primaries become a mixture of two colors that have the same largest
/// component:
///
/// * The color of the same hue whose excess, as the fourth-power norm of those of its components,
///   is compressed. A line of constant hue is a straight line to gray in the cube roots of three
///   cone responses. Colors outside the spectral locus are first moved toward gray, in linear
///   values, until they are inside.
/// * The color of which each component is compressed by itself, as a clipped color without its
///   corner. It is the most vivid color, with another hue.
///
/// If the first has less chroma in Oklab, by a share l, the share of the second is 1 - a / (a^4 +
/// l^4)^(1/4), so that the mixture loses about l up to a small l, and not more than about a. Colors
/// that can be vivid in their own hue thus keep it. The loss a is 0.12 for light colors, and 0.048
/// for the darkest primary, blue, near which colors of constant hue that differ little outside the
/// gamut differ much inside.
///
/// Colors above the peak are scaled, so that their distance from gray relative to the peak is
/// compressed in the same way; their hue and saturation stay. Beginning with a brightness of the
/// peak, they move along their line of constant hue, to white at twice the peak.
///
/// The largest component never decreases where the largest component of the original increases.
/// Brightness is luminance. If a component of the source or the target has negative luminance, as
/// the blue of ACES AP0, the least share of Z is added with which none is negative.
///
/// The cone responses are fitted, so that the larger of the hue shifts in ICtCp and in CIECAM16 is
/// least for real colors (`Documentation/Decisions/0024-gamut-mapping.md`).
package struct GamutMapper: Hashable, Sendable {
  /// Brightness of the target's components.
  package let weights: SIMD3<Double>
  /// Linear value of the target's peak.
  package let peak: Double
  /// Largest distance from gray, relative to the boundary, of colors that are unchanged.
  package let knee: Double
  /// The same for the distance from gray relative to the peak.
  package let kneeAtPeak: Double
  /// Offset of a color to offsets of its cone responses.
  let responses: Matrix3x3
  /// The inverse of `responses`.
  let colorOfResponses: Matrix3x3
  /// For each of `realColors`, the distance of an offset from gray, 1 at the line.
  let locus: [SIMD3<Double>]
  /// A color to the cone responses of Oklab.
  let oklab: Matrix3x3

  /// The knee for sources with wider primaries.
  private static let softKnee = 0.9
  /// The knee inside the spectral locus.
  static let locusKnee = 0.95
  /// Smallest share of the peak by which a gray is below it, so that distances are finite.
  static let leastRoom = 1e-6
  /// Smallest brightness, as a share of the largest component, so that offsets are finite.
  static let leastBrightness = 1e-3
  /// The share of chroma that light colors may lose in order to keep their hue.
  static let chromaLoss = 0.12
  /// The same for the primary of the least brightness.
  static let chromaLossOfDarkest = 0.048

  /// Prepares the mapping from one set of primaries to another.
  ///
  /// - Parameters:
  ///   - source: Primaries that contain the colors. If the target's contain them, colors inside the
  ///     target's gamut are unchanged.
  ///   - target: The primaries of the result.
  ///   - peak: Linear value of the target's peak, 1.0 for reference white; above 0.
  ///   - exceedsPeak: Whether components may be above the peak; if not, colors just below it are
  ///     unchanged.
  package init(
    from source: ColorPrimaries, to target: ColorPrimaries, peak: Double, exceedsPeak: Bool = true
  ) {
    self.peak = peak
    // Rounding of matrices can exceed 1 even if no colors are out of gamut.
    let reach = source.reach(in: target)
    knee = reach < 1 + 1e-6 ? 1 : max(Self.softKnee, 2 - reach)
    kneeAtPeak = exceedsPeak ? knee : 1
    let toXYZ = target.rgbToXYZUnderD65
    let columns = [toXYZ, source.rgbToXYZUnderD65].map(\.transposed)
    weights = Self.brightness(columns.flatMap { matrix in (0..<3).map { matrix[row: $0] } })
      .weights(of: toXYZ)
    responses = Self.coneResponses(of: target)
    colorOfResponses = responses.inverse
    locus = Self.realColors.map { -$0.weights(of: toXYZ).normalized }
    oklab = Self.oklabCones * toXYZ
  }

  /// Matrix from a color to the cone responses in whose cube roots lines of constant hue are straight;
  /// those of white are 1.
  static func coneResponses(of primaries: ColorPrimaries) -> Matrix3x3 {
    let cones = Self.cones * primaries.rgbToXYZUnderD65
    return Matrix3x3(cones[row: 0].normalized, cones[row: 1].normalized, cones[row: 2].normalized)
  }

  /// XYZ to brightness, so that none of the primaries with positive Z has negative brightness.
  private static func brightness(_ primaries: [SIMD3<Double>]) -> SIMD3<Double> {
    let shares = primaries.filter { $0.y < 0 && $0.z > 0 }.map { 0.05 - $0.y / $0.z }
    let weights = SIMD3(0, 1, shares.max() ?? 0)
    return weights / (weights * Chromaticity.d65.xyz).sum()
  }

  /// XYZ under D65 to cone responses.
  private static let cones = Matrix3x3(
    SIMD3(0.3734, 0.6969, -0.0476), SIMD3(-0.2084, 1.1404, 0.0530), SIMD3(-0.0007, 0.0469, 0.8757))

  /// XYZ under D65 to the cone responses of Oklab.
  ///
  /// Source: Björn Ottosson, "A perceptual color space for image processing", 2020; also the next.
  private static let oklabCones = Matrix3x3(
    SIMD3(0.8189330101, 0.3618667424, -0.1288597137),
    SIMD3(0.0329845436, 0.9293118715, 0.0361456387),
    SIMD3(0.0482003018, 0.2643662691, 0.6338517070))
  /// Cube roots of cone responses to a and b.
  static let oklabOpponents = (
    a: SIMD3(1.9779984951, -2.4285922050, 0.4505937099),
    b: SIMD3(0.0259040371, 0.7827717662, -0.8086757660)
  )

  /// Planes in XYZ that bound the real colors, positive inside.
  ///
  /// They are tangent to the spectral locus at 455, 476, 490, 500, 508, 518, 535 and 590 nm; the
  /// last contains the purples between 400 and 700 nm. At least 0.95 of the way from white to them
  /// is within the locus, except in the extreme violet.
  ///
  /// Source: CIE 1931 color-matching functions.
  private static let realColors: [SIMD3<Double>] = [
    SIMD3(0.5514, 0.6038, -0.1174), SIMD3(0.9161, 0.3007, -0.1573),
    SIMD3(1.0672, 0.1280, -0.1307), SIMD3(1.0854, 0.0351, -0.0612),
    SIMD3(1.0077, -0.0407, 0.0762), SIMD3(0.6789, -0.1052, 0.4223),
    SIMD3(0.1984, -0.0755, 0.8144), SIMD3(0.0008, -0.0024, 0.9197),
    SIMD3(-0.4924, 1.3636, 0.0959),
  ]

  /// Maps a color into the target gamut.
  ///
  /// - Parameter color: Red, green, blue of the target, not limited.
  /// - Returns: The color, with components of 0...peak; black if no component is above 0, white if
  ///   its brightness is at least twice the peak.
  package func mapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    guard color.max() > 0 else { return .zero }
    return belowPeak(insidePrimaries(color))
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
  }

  /// A color without negative components, with the same largest component, which is above 0.
  private func insidePrimaries(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let largest = color.max()
    let brightness = max((color * weights).sum(), Self.leastBrightness * largest)
    let offset = color / brightness - 1
    let margin = Self.margin(knee)
    let excesses = (-offset - knee).map { max($0 / margin, 0) }
    let excess = fourthPowerNorm(excesses)
    // Less is the rounding of colors on the boundary.
    guard excess > 1e-9 else { return color }
    let sameHue = colorOfSameHue(as: offset, excess: compressed(excess)).scaled(to: largest)
    var vivid = color
    for index in 0..<3 where excesses[index] > 0 {
      vivid[index] = max(brightness * (1 - knee - margin * compressed(excesses[index])), 0)
    }
    let loss = max(1 - chroma(of: sameHue) / max(chroma(of: vivid), 1e-9), 0)
    // 1 for the primary of the least brightness.
    let darkness = weights.min() * largest / (vivid * weights).sum()
    let allowed = Self.chromaLoss + (Self.chromaLossOfDarkest - Self.chromaLoss) * darkness
    let share = 1 - allowed / fourthPowerNorm(SIMD3(allowed, loss, 0))
    return (sameHue + share * (vivid - sameHue)).scaled(to: largest)
  }

  /// The color on the line of constant hue of an offset, with a smaller excess.
  private func colorOfSameHue(as offset: SIMD3<Double>, excess: Double) -> SIMD3<Double> {
    let line = direction(of: offset)
    let margin = Self.margin(knee)
    var (inside, outside) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (inside + outside) / 2
      let excesses = (-self.offset(at: middle, line) - knee).map { max($0 / margin, 0) }
      if fourthPowerNorm(excesses) > excess { outside = middle } else { inside = middle }
    }
    return (1 + self.offset(at: inside, line)).map { max($0, 0) }
  }

  /// A color with components up to the peak, from one without negative components.
  private func belowPeak(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let largest = color.max()
    let brightness = (color * weights).sum()
    let distance = (largest - brightness) / max(peak - brightness, Self.leastRoom * peak)
    let margin = Self.margin(kneeAtPeak)
    let excess = max(distance - kneeAtPeak, 0) / margin
    var scale = min(peak / largest, 1)
    if excess > 0 {
      let kept = kneeAtPeak + margin * compressed(excess)
      scale = min(scale, kept * peak / (largest - brightness + kept * brightness))
    }
    let shown = scale < 1 ? color * scale : color
    let beyond = min(brightness / peak - 1, 1)
    // Less is the rounding of gray at the peak.
    guard beyond > 1e-9 else { return shown }
    let white = beyond * beyond * (3 - 2 * beyond)
    guard white < 1 else { return SIMD3(repeating: peak) }
    let line = direction(of: color / brightness - 1)
    return (1 + offset(at: 1 - white, line)).map { max($0, 0) }.scaled(to: shown.max())
  }

  /// An excess inside the gamut.
  private func compressed(_ excess: Double) -> Double {
    excess / (1 + excess * excess).squareRoot()
  }

  /// Chroma in Oklab; cone responses are above 0.
  private func chroma(of color: SIMD3<Double>) -> Double {
    let least = 1e-6 * color.max()
    let roots = (oklab * color).map { cbrt(max($0, least)) }
    let (a, b) = ((Self.oklabOpponents.a * roots).sum(), (Self.oklabOpponents.b * roots).sum())
    return (a * a + b * b).squareRoot()
  }

  /// The distance between a knee and the boundary; for colors that only exceed it, small enough
  /// that clipping the rest is not visible.
  static func margin(_ knee: Double) -> Double { max(1 - knee, 1e-3) }

  /// Cube roots of the cone responses, relative to those of gray, after moving the color to the
  /// spectral locus.
  private func direction(of offset: SIMD3<Double>) -> SIMD3<Double> {
    let margin = 1 - Self.locusKnee
    let excess = fourthPowerNorm(
      locus.map { max(($0 * offset).sum() - Self.locusKnee, 0) / margin })
    let kept = Self.locusKnee + margin * compressed(excess)
    let real = offset * (kept / (Self.locusKnee + margin * excess))
    return (responses * real).map { cbrt(1 + $0) - 1 }
  }

  /// The offset at a share of the line from gray, 0, to the color, 1.
  private func offset(at share: Double, _ direction: SIMD3<Double>) -> SIMD3<Double> {
    let color = colorOfResponses * (1 + share * direction).map { $0 * $0 * $0 }
    return color / (color * weights).sum() - 1
  }
}

extension ColorPrimaries {
  /// The largest distance of a color within these primaries from the gray of its luminance, 1 at
  /// the boundary of the target's.
  ///
  /// The distance is a quotient of linear functions, so its maximum is at a primary.
  package func reach(in target: ColorPrimaries) -> Double {
    let columns = conversion(to: target).transposed
    let weights = target.luminanceWeights
    return (0..<3).map { 1 - columns[row: $0].min() / (columns[row: $0] * weights).sum() }.max()
      ?? 1
  }

  /// Linear RGB to XYZ, adapted to D65.
  fileprivate var rgbToXYZUnderD65: Matrix3x3 {
    ChromaticAdaptation.bradford.matrix(from: white, to: .d65) * rgbToXYZ
  }
}

extension SIMD3<Double> {
  /// A linear function of XYZ as one of the RGB that the matrix converts.
  fileprivate func weights(of matrix: Matrix3x3) -> SIMD3<Double> { matrix.transposed * self }

  /// Scaled so that the function is 1 for gray 1.
  fileprivate var normalized: SIMD3<Double> { self / sum() }

  /// The color of the same chromaticity with this largest component.
  fileprivate func scaled(to largest: Double) -> SIMD3<Double> { self * (largest / max()) }
}

/// The fourth root of the sum of fourth powers of numbers of at least 0.
private func fourthPowerNorm(_ numbers: [Double]) -> Double {
  guard let most = numbers.max(), most > 0 else { return 0 }
  let sum = numbers.reduce(0) { $0 + pow($1 / most, 4) }
  return most * sum.squareRoot().squareRoot()
}

private func fourthPowerNorm(_ numbers: SIMD3<Double>) -> Double {
  let most = numbers.max()
  guard most > 0 else { return 0 }
  let squares = (numbers / most) * (numbers / most)
  return most * (squares * squares).sum().squareRoot().squareRoot()
}

/// Treatment of colors outside the target's primaries and peak.
public enum GamutMapping: String, Codable, Hashable, Sendable, CaseIterable {
  /// Preserves the largest component of a color, and its hue as far as colors can be vivid in it.
  ///
  /// Colors well inside the target's gamut are unchanged.
  case soft
  /// Clips each component to 0...peak, which changes hue and luminance.
  case clip

  /// A short description of the effect.
  public var summary: String {
    switch self {
    case .soft: "keeps their hue and vividness as far as they fit"
    case .clip: "clips each component"
    }
  }
}
