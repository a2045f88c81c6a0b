// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Gamut mapping toward gray, at constant hue and brightness.
///
/// With B the brightness of a color c, its offset is u = c / B - 1, which is 0 for gray. The
/// distance of a component from gray is -u, 1 at the boundary of the primaries, or u B / (peak -
/// B), 1 at the peak. The excess of a color is the fourth-power norm of the distances beyond a
/// knee, in units of the margin between knee and boundary; it is continuously differentiable across
/// edges of the gamut. A color of excess e becomes the color of the same brightness and hue with
/// the excess e / sqrt(1 + e^2), which is below 1: inside the gamut. The slope of this function
/// is 1 at the knee, within which colors are unchanged.
///
/// Brightness is luminance. If a component of the source or the target has negative luminance, as
/// the blue of ACES AP0, the least share of Z is added with which a component does not darken
/// colors. Brightness thus never decreases where a component increases.
///
/// A line of constant hue is a straight line to gray in the cube roots of three cone responses.
/// Colors outside the spectral locus are first moved toward gray, in linear values, until they are
/// inside. The cone responses are fitted, so that the larger of the hue shifts in ICtCp and in
/// CIECAM16 is least for real colors (`Documentation/Decisions/0024-gamut-mapping.md`).
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

  /// The knee for sources with wider primaries.
  private static let softKnee = 0.9
  /// The knee inside the spectral locus.
  static let locusKnee = 0.95
  /// Smallest share of brightness by which a gray is below the peak, so that distances are finite.
  static let leastRoom = 1e-6

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
    let cones = Self.cones * toXYZ
    responses = Matrix3x3(
      cones[row: 0].normalized, cones[row: 1].normalized, cones[row: 2].normalized)
    colorOfResponses = responses.inverse
    locus = Self.realColors.map { -$0.weights(of: toXYZ).normalized }
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
  /// - Returns: The color, with components of 0...peak; black if its brightness is not above 0,
  ///   white if it is not below the peak.
  package func mapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let brightness = (color * weights).sum()
    guard brightness > 0 else { return .zero }
    guard brightness < peak else { return SIMD3(repeating: peak) }
    let offset = color / brightness - 1
    let room = max(peak - brightness, Self.leastRoom * peak) / brightness
    let original = excess(of: offset, room: room)
    // Less is the rounding of colors on the boundary.
    guard original > 1e-9 else { return limited(color) }
    let wanted = original / (1 + original * original).squareRoot()
    let line = direction(of: offset)
    var (inside, outside) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (inside + outside) / 2
      if excess(of: self.offset(at: middle, line), room: room) > wanted {
        outside = middle
      } else {
        inside = middle
      }
    }
    return limited(brightness + brightness * self.offset(at: inside, line))
  }

  private func limited(_ color: SIMD3<Double>) -> SIMD3<Double> {
    color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
  }

  /// The excess of an offset, with the distance of the gray from the peak as a share of brightness.
  private func excess(of offset: SIMD3<Double>, room: Double) -> Double {
    fourthPowerNorm(
      offset.map {
        max((-$0 - knee) / Self.margin(knee), ($0 / room - kneeAtPeak) / Self.margin(kneeAtPeak), 0)
      })
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
    let kept = Self.locusKnee + margin * excess / (1 + excess * excess).squareRoot()
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
