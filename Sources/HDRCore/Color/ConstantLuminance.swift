// SPDX-License-Identifier: Apache-2.0
/// Constant-luminance Y'CbCr, for BT.2020 or other primaries: luma is the signal of luminance.
///
/// The inverse is not a matrix. Blue and red follow from the differences, whose divisors depend on
/// the sign; green follows from linear luminance and is then encoded to signal.
///
/// Source: BT.2020-2, table 4, constant luminance; for transfer functions other than that of
/// BT.2020, ITU-T H.273, section 8.3, MatrixCoefficients 10 and 13.
package struct ConstantLuminance: Hashable, Sendable {
  /// Curve between signal and linear values; `.bt1886` and `.hlg` select the OETFs.
  package let transfer: TransferFunction

  /// Luminance weights of red, green and blue.
  private let weights: SIMD3<Double>
  /// Divisor of B' - Y'.
  private let blueDivisors: Divisors
  /// Divisor of R' - Y'.
  private let redDivisors: Divisors

  /// Constant luminance of BT.2020.
  package init(transfer: TransferFunction) { self.init(weights: YCbCr.bt2020.weights, transfer) }

  /// Constant luminance of matrices 10 and 13, whose weights derive from the primaries.
  ///
  /// `nil` for other matrices, and if weights cannot be derived from the primaries.
  package init?(_ encoding: ColorEncoding) {
    switch encoding.matrix {
    case .bt2020Constant: self.init(transfer: encoding.transfer)
    case .chromaDerivedConstant:
      guard let derived = YCbCr(derivedFrom: encoding.primaries) else { return nil }
      self.init(weights: derived.weights, encoding.transfer)
    default: return nil
    }
  }

  private init(weights: SIMD3<Double>, _ transfer: TransferFunction) {
    self.weights = weights
    self.transfer = transfer
    blueDivisors = Divisors(weight: weights.z, transfer)
    redDivisors = Divisors(weight: weights.x, transfer)
  }

  /// Y'CbCr of R'G'B'.
  package func encode(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let scene = SIMD3(light(signal.x), light(signal.y), light(signal.z))
    let luma = Self.signal(ofLinear: (weights * scene).sum(), transfer)
    let (blue, red) = (signal.z - luma, signal.x - luma)
    return SIMD3(
      luma,
      blue / blueDivisors.divisor(of: blue),
      red / redDivisors.divisor(of: red))
  }

  /// R'G'B' of Y'CbCr.
  package func decode(_ coded: SIMD3<Double>) -> SIMD3<Double> {
    let blue = coded.x + coded.y * blueDivisors.divisor(of: coded.y)
    let red = coded.x + coded.z * redDivisors.divisor(of: coded.z)
    let green = (light(coded.x) - weights.x * light(red) - weights.z * light(blue)) / weights.y
    return SIMD3(red, Self.signal(ofLinear: green, transfer), blue)
  }

  /// Linear value of a component of signal; 1 for signal 1.
  private func light(_ signal: Double) -> Double {
    switch transfer {
    case .bt1886: BT709.inverseOETF(signal)
    case .hlg: HLG.inverseOETF(signal)
    default: transfer.linearValue(ofSignal: signal, referenceWhite: PQ.peakLuminance)
    }
  }

  fileprivate static func signal(ofLinear linear: Double, _ transfer: TransferFunction) -> Double {
    switch transfer {
    case .bt1886: BT709.oetf(linear)
    case .hlg: HLG.oetf(linear)
    default: transfer.signal(ofLinear: linear, referenceWhite: PQ.peakLuminance)
    }
  }
}

/// Twice the maximum distance of a component below and above luma.
///
/// Source: ITU-T H.273, section 8.3: 2 (1 - K)' and 2 (1 - K') for a component of weight K.
private struct Divisors: Hashable {
  private let below: Double
  private let above: Double

  init(weight: Double, _ transfer: TransferFunction) {
    below = 2 * ConstantLuminance.signal(ofLinear: 1 - weight, transfer)
    above = 2 * (1 - ConstantLuminance.signal(ofLinear: weight, transfer))
  }

  func divisor(of difference: Double) -> Double { difference <= 0 ? below : above }
}
