// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// SMPTE ST 2094-50 metadata, evaluated for one display.
package struct AdaptedGain: Hashable, Sendable {
  /// The primaries in which the gains apply.
  package let primaries: ColorPrimaries
  package let displayPeak: Double
  let parts: [Part]
  let baselinePeak: Double

  /// The weighted gains of one alternate.
  struct Part: Hashable, Sendable {
    var weight: Double
    var mixing: AdaptiveToneMap.ComponentMixing
    var curve: AdaptiveToneMap.GainCurve
  }

  init(_ toneMap: AdaptiveToneMap, for display: Headroom) {
    primaries = toneMap.primaries
    displayPeak = max(display.ratio, 1)
    baselinePeak = toneMap.baselineHeadroom.ratio
    let alternates = toneMap.alternates
    parts = toneMap.shares(for: display).map { share in
      let alternate = alternates[share.alternate]
      return Part(weight: share.weight, mixing: alternate.mixing, curve: alternate.curve)
    }
  }

  /// Gains of the three components of a color, in stops.
  package func stops(for color: SIMD3<Double>) -> SIMD3<Double> {
    parts.reduce(.zero) { sum, part in
      sum + part.mixing.mixed(color).map(part.curve.gain) * part.weight
    }
  }
}

extension AdaptedGain: HeadroomMapping {
  /// Whether the display shows the baseline image unchanged.
  ///
  /// This depends on the metadata: a display of more headroom than the baseline may show another
  /// image, and without alternates every display shows the baseline.
  package var isIdentity: Bool { parts.isEmpty }

  /// Maps a linear color for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white. NaN becomes 0,
  ///   infinite values the baseline's peak.
  /// - Returns: The color; above the display's peak if the metadata does not limit it.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: baselinePeak)
    return color * stops(for: color).map { exp2($0) }
  }

  /// The baseline's peak.
  package var contentPeak: Double? { baselinePeak }
  package var letsLightPass: Bool { true }

  /// Alternates with equal component mixing share one gain.
  package func onRows(isBegun: Bool) -> RowToneMap {
    var mixings: [AdaptiveToneMap.ComponentMixing] = []
    for part in parts where !mixings.contains(part.mixing) { mixings.append(part.mixing) }
    return RowToneMap(
      .mixed(
        mixings.map { mixing in
          let parts = parts.filter { $0.mixing == mixing }
          let lights = parts.compactMap { $0.curve.points.first?.light }
          let lowest = min(max(lights.min() ?? 1, 0x1p-12), 1)
          return RowToneMap.MixedGain(
            shared: mixing.coefficients.map { Float($0) }, component: Float(mixing.component),
            gain: SampledFunction(
              octaves: Int(clamping: log2(lowest).rounded(.down))..<8, stepsPerOctave: 1024,
              below: .constant
            ) { light in
              exp2(parts.reduce(0) { $0 + $1.weight * $1.curve.gain(ofLinear: light) })
            })
        }))
  }
}

extension AdaptiveToneMap {
  /// Mixing of three components to the argument of a gain curve.
  ///
  /// M(c) = component c + (red R + green G + blue B + maximum max(R, G, B) + minimum min(R, G, B)),
  /// for each component c. In files, coefficients are 0...1 and add up to 1; here they are not
  /// checked, and all are 0 by default.
  ///
  /// Source: SMPTE ST 2094-50, component mixing function.
  public struct ComponentMixing: Hashable, Sendable {
    /// Weight of red.
    public var red = 0.0
    /// Weight of green.
    public var green = 0.0
    /// Weight of blue.
    public var blue = 0.0
    /// Weight of the largest component.
    public var maximum = 0.0
    /// Weight of the smallest component.
    public var minimum = 0.0
    /// Weight of the component itself.
    public var component = 0.0

    public init(
      red: Double = 0, green: Double = 0, blue: Double = 0, maximum: Double = 0,
      minimum: Double = 0,
      component: Double = 0
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.maximum = maximum
      self.minimum = minimum
      self.component = component
    }

    /// The largest component for all three, which preserves hue.
    public static let maximumOnly = ComponentMixing(maximum: 1)
    /// Each component separately.
    public static let componentOnly = ComponentMixing(component: 1)
    /// Half the largest component, half the mean.
    public static let balanced = ComponentMixing(
      red: 1 / 6.0, green: 1 / 6.0, blue: 1 / 6.0, maximum: 0.5)

    /// The six coefficients in the order of the bitstream: red, green, blue, maximum, minimum,
    /// component.
    public var coefficients: [Double] { [red, green, blue, maximum, minimum, component] }

    /// Returns the arguments of the gain curve for a color.
    ///
    /// - Parameter color: Red, green, blue in the primaries of the tone map, 1.0 for reference
    ///   white.
    /// - Returns: Linear values, one for each component.
    public func mixed(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let shared =
        (color * SIMD3(red, green, blue)).sum() + maximum * color.max() + minimum * color.min()
      return color * component + shared
    }
  }
}
