// SPDX-License-Identifier: Apache-2.0

/// A transfer function between signal and linear values, for which 1.0 is reference white.
///
/// Signal outside 0...1 is continued, not clipped; PQ and profile curves end, as documented there.
public enum TransferFunction: Hashable, Sendable {
  /// Linear signal; 1.0 is reference white.
  case linear
  /// `PQ`; absolute luminance over the luminance of reference white.
  case pq
  /// `HLG`; display light of the reference display (1000 cd/m², gamma 1.2) over reference white.
  case hlg
  /// `SRGB`.
  case srgb
  /// The EOTF of BT.1886 with a black of 0: a display gamma of 2.4.
  case bt1886
  /// A power function with this exponent, above 0; odd symmetry below 0.
  case gamma(Double)
  /// The tone curves of an ICC profile.
  case sampled(ProfileCurves)

  /// The transfer function of a code point; `nil` for unspecified, reserved and unsupported ones.
  ///
  /// BT.709, BT.601 and the SDR curves of BT.2020 are OETFs; images are displayed with the EOTF of
  /// their reference display, BT.1886. SMPTE 240M, logarithmic, extended-gamut and cinema functions
  /// are not supported.
  public init?(_ transfer: CICP.Transfer) {
    switch transfer {
    case .linear: self = .linear
    case .pq: self = .pq
    case .hlg: self = .hlg
    case .srgb: self = .srgb
    case .bt709, .bt601, .bt2020TenBit, .bt2020TwelveBit: self = .bt1886
    case .gamma22: self = .gamma(2.2)
    case .gamma28: self = .gamma(2.8)
    default: return nil
    }
  }

  /// The code point of this function, BT.709 for `bt1886`; `nil` if there is not one.
  public var cicp: CICP.Transfer? {
    switch self {
    case .linear: .linear
    case .pq: .pq
    case .hlg: .hlg
    case .srgb: .srgb
    case .bt1886: .bt709
    case .gamma(2.2): .gamma22
    case .gamma(2.8): .gamma28
    case .gamma, .sampled: nil
    }
  }
}

extension TransferFunction {
  /// Returns the linear value of one component of signal.
  ///
  /// The OOTF of HLG mixes the components: for `.hlg` this is the value of a gray pixel; use
  /// `HLG.linearValue(ofSignal:referenceWhite:weights:)` for colors.
  ///
  /// - Parameters:
  ///   - signal: Nonlinear signal, 1.0 for full signal.
  ///   - component: 0, 1 or 2 for red, green, blue; used only for `.sampled`.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m², above 0; used only for PQ and HLG.
  /// - Returns: Linear value, 1.0 for reference white.
  public func linearValue(
    ofSignal signal: Double, component: Int = 1, referenceWhite: Double
  ) -> Double {
    switch self {
    case .linear: signal
    case .pq: PQ.eotf(signal) / referenceWhite
    case .hlg: HLG.linearValue(ofSignal: SIMD3(repeating: signal), referenceWhite: referenceWhite).y
    case .srgb: SRGB.eotf(signal)
    case .bt1886: BT1886.eotf(signal)
    case .gamma(let exponent): Gamma.eotf(signal, exponent: exponent)
    case .sampled(let curves): curves[component].linearValue(ofSignal: signal)
    }
  }

  /// Returns the signal of one linear component.
  ///
  /// For `.hlg`, use `HLG.signal(ofLinear:referenceWhite:weights:)` for colors.
  ///
  /// - Parameters:
  ///   - light: Linear value, 1.0 for reference white; for `.hlg` that of a gray pixel.
  ///   - component: 0, 1 or 2 for red, green, blue; used only for `.sampled`.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m²; used only for PQ and HLG.
  /// - Returns: Nonlinear signal.
  public func signal(ofLinear light: Double, component: Int = 1, referenceWhite: Double) -> Double {
    switch self {
    case .linear: light
    case .pq: PQ.inverseEOTF(light * referenceWhite)
    case .hlg: HLG.signal(ofLinear: SIMD3(repeating: light), referenceWhite: referenceWhite).y
    case .srgb: SRGB.inverseEOTF(light)
    case .bt1886: BT1886.inverseEOTF(light)
    case .gamma(let exponent): Gamma.inverseEOTF(light, exponent: exponent)
    case .sampled(let curves): curves[component].signal(ofLinear: light)
    }
  }
}

/// The tone curves of an RGB profile, from signal to linear values.
public struct ProfileCurves: Hashable, Sendable {
  /// The curve of red.
  public var red: Curve
  /// The curve of green.
  public var green: Curve
  /// The curve of blue.
  public var blue: Curve

  public init(red: Curve, green: Curve, blue: Curve) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The curve of component 0, 1 or 2: red, green, blue; other numbers count as the nearest.
  public subscript(component: Int) -> Curve { component < 1 ? red : component == 1 ? green : blue }
}

extension ProfileCurves {
  /// A tone curve as in ICC profiles: equally spaced samples of linear values for signal 0...1.
  ///
  /// The curve is linear between samples. Negative values follow by odd symmetry; above 1 the curve
  /// is constant.
  public struct Curve: Hashable, Sendable {
    /// At least two finite, nondecreasing values.
    public let samples: [Double]

    /// Makes a curve through `samples`; `nil` unless they are at least two, finite and
    /// nondecreasing.
    public init?(samples: [Double]) {
      guard samples.count >= 2, samples.allSatisfy(\.isFinite),
        zip(samples, samples.dropFirst()).allSatisfy({ $0 <= $1 })
      else { return nil }
      self.samples = samples
    }

    /// Linear value of `signal`; NaN for NaN.
    public func linearValue(ofSignal signal: Double) -> Double {
      guard signal >= 0 else { return signal < 0 ? -linearValue(ofSignal: -signal) : signal }
      let position = min(signal, 1) * Double(samples.count - 1)
      let index = min(Int(clamping: position), samples.count - 2)
      let share = position - Double(index)
      return samples[index] * (1 - share) + samples[index + 1] * share
    }

    /// Signal of the linear value `linear`, -1...1; the smallest if the curve is flat.
    ///
    /// It is 0 up to the first sample, and 1 above the last. Negative values follow by odd
    /// symmetry.
    ///
    /// - Complexity: O(log n) for n samples.
    public func signal(ofLinear linear: Double) -> Double {
      guard linear >= 0 else { return linear < 0 ? -signal(ofLinear: -linear) : linear }
      guard linear > samples[0] else { return 0 }
      // The first sample of at least `linear`, by bisection.
      var (below, reaching) = (0, samples.count)
      while reaching - below > 1 {
        let middle = (below + reaching) / 2
        if samples[middle] < linear { below = middle } else { reaching = middle }
      }
      guard reaching < samples.count else { return 1 }
      let share = (linear - samples[below]) / (samples[reaching] - samples[below])
      return (Double(below) + share) / Double(samples.count - 1)
    }
  }
}
