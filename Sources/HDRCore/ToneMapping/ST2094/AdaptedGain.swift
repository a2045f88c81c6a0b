internal import Foundation

/// SMPTE ST 2094-50 metadata, evaluated for one display.
package struct AdaptedGain: Hashable, Sendable {
  /// The primaries in which the gains apply.
  package let primaries: ColorPrimaries
  package let displayPeak: Double
  let parts: [Part]
  let baselinePeak: Double

  /// A share of one alternate's gains.
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

  /// Gains in stops of the three components of a color.
  package func stops(for color: SIMD3<Double>) -> SIMD3<Double> {
    parts.reduce(.zero) { sum, part in
      sum + part.mixing.mixed(color).map(part.curve.gain) * part.weight
    }
  }
}

extension AdaptedGain: HeadroomMapping {
  /// Whether the display shows the baseline as it is.
  ///
  /// The metadata decide that: a display of more headroom than the baseline may get another image,
  /// and without alternates every display gets the baseline.
  package var isIdentity: Bool { parts.isEmpty }

  /// A color of light for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white. NaN is black,
  ///   infinite light the baseline's peak.
  /// - Returns: The color; above the display's peak where the metadata does not hold it below.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: baselinePeak)
    return color * stops(for: color).map { exp2($0) }
  }

  /// The baseline's peak.
  package var contentPeak: Double? { baselinePeak }
  package var letsLightPass: Bool { true }

  /// One gain for all alternates that mix components alike.
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
              octaves: Int(log2(lowest).rounded(.down))..<8, stepsPerOctave: 1024,
              below: .constant
            ) { light in
              exp2(parts.reduce(0) { $0 + $1.weight * $1.curve.gain(light) })
            })
        }))
  }
}
