// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Luma and two color differences of nonlinear R'G'B'.
///
/// Y' = Kr R' + Kg G' + Kb B', Cb = (B' - Y') / (2 (1 - Kb)), Cr = (R' - Y') / (2 (1 - Kr)):
/// for R'G'B' in 0...1, Y' is in 0...1, Cb and Cr in -0.5...0.5.
///
/// Source: ITU-T H.273, section 8.3; BT.601, BT.709, BT.2020.
package struct YCbCr: Hashable, Sendable {
  /// Kr: share of red in luma.
  package let redWeight: Double
  /// Kb: share of blue in luma.
  package let blueWeight: Double

  /// BT.601, also used in JPEG (JFIF).
  ///
  /// Source: BT.601-7.
  package static let bt601 = YCbCr(redWeight: 0.299, blueWeight: 0.114)
  /// Source: BT.709-6, item 3.2.
  package static let bt709 = YCbCr(redWeight: 0.2126, blueWeight: 0.0722)
  /// Source: BT.2020-2, table 4, non-constant luminance.
  package static let bt2020 = YCbCr(redWeight: 0.2627, blueWeight: 0.0593)
  /// Source: ITU-T H.273, table 4, value 4.
  package static let fcc = YCbCr(redWeight: 0.30, blueWeight: 0.11)
  /// Source: SMPTE ST 240.
  package static let smpte240 = YCbCr(redWeight: 0.212, blueWeight: 0.087)

  private init(redWeight: Double, blueWeight: Double) {
    self.redWeight = redWeight
    self.blueWeight = blueWeight
  }

  /// Luminance weights derived from primaries; `nil` if the primaries are not usable, or if one of
  /// them has the entire luminance.
  package init?(derivedFrom primaries: ColorPrimaries) {
    guard primaries.isUsable else { return nil }
    let weights = primaries.luminanceWeights
    self.init(redWeight: weights.x, blueWeight: weights.z)
    guard fromRGB.isFinite, toRGB.isFinite else { return nil }
  }

  /// The linear matrix of a code point.
  ///
  /// `nil` for code points that do not specify one linear matrix on R'G'B': identity, unspecified,
  /// `YCgCo`, `ConstantLuminance`, `ICtCp`.
  ///
  /// - Parameters:
  ///   - matrix: MatrixCoefficients.
  ///   - primaries: The image's primaries, from which value 12 derives its weights.
  package init?(matrix: CICP.Matrix, primaries: ColorPrimaries) {
    switch matrix {
    case .bt709: self = .bt709
    case .fcc: self = .fcc
    case .bt470BG, .bt601: self = .bt601
    case .smpte240: self = .smpte240
    case .bt2020NonConstant: self = .bt2020
    case .chromaDerivedNonConstant: self.init(derivedFrom: primaries)
    default: return nil
    }
  }

  /// R'G'B' to Y'CbCr.
  package var fromRGB: Matrix3x3 {
    let luma = weights
    return Matrix3x3(
      luma,
      SIMD3(-luma.x, -luma.y, 1 - luma.z) / blueDivisor,
      SIMD3(1 - luma.x, -luma.y, -luma.z) / redDivisor)
  }

  /// Y'CbCr to R'G'B'.
  package var toRGB: Matrix3x3 {
    Matrix3x3(
      SIMD3(1, 0, redDivisor),
      SIMD3(1, -blueWeight * blueDivisor / greenWeight, -redWeight * redDivisor / greenWeight),
      SIMD3(1, blueDivisor, 0))
  }

  /// Luma weights of red, green and blue: Kr, Kg, Kb.
  package var weights: SIMD3<Double> { SIMD3(redWeight, greenWeight, blueWeight) }

  private var greenWeight: Double { 1 - redWeight - blueWeight }
  private var redDivisor: Double { 2 * (1 - redWeight) }
  private var blueDivisor: Double { 2 * (1 - blueWeight) }
}

/// Luma and differences toward green and orange, of nonlinear R'G'B'.
///
/// Y' = R'/4 + G'/2 + B'/4, Cg = -R'/4 + G'/2 - B'/4, Co = (R' - B')/2: for R'G'B' in 0...1, Y' is
/// in 0...1, Cg and Co in -0.5...0.5. In narrow range the differences have the scale of luma.
///
/// Source: ITU-T H.273, section 8.3, MatrixCoefficients 8, 16 and 17.
package enum YCgCo {
  /// Y'CgCo to R'G'B'.
  package static let toRGB = Matrix3x3(SIMD3(1, -1, 1), SIMD3(1, 1, 0), SIMD3(1, -1, -1))

  /// Additional bits of the reversible forms, YCgCo-Re and YCgCo-Ro, over those of R'G'B'; `nil`
  /// for other matrices.
  package static func extraBits(of matrix: CICP.Matrix) -> Int? {
    switch matrix {
    case .yCgCoRe: 2
    case .yCgCoRo: 1
    default: nil
    }
  }

  /// Integer R'G'B' codes of the reversible forms.
  ///
  /// - Parameter coded: Luma, and the differences around 0.
  /// - Returns: Red, green and blue; out of range if the luma does not occur for these differences.
  package static func rgb(ofReversible coded: SIMD3<Int>) -> SIMD3<Int> {
    let rest = coded.x - coded.y >> 1
    let blue = rest - coded.z >> 1
    return SIMD3(blue + coded.z, rest + coded.y, blue)
  }

}

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

/// Conversion between signal and integer code values.
///
/// Codes are rounded half away from 0. Signal out of range becomes the nearest code of n bits;
/// narrow range therefore keeps excursions below black and above white.
///
/// Source: Recommendation ITU-R BT.2100, table 9; ITU-T H.273, section 8.3.
package struct Quantization: Hashable, Sendable {
  /// Bits of a sample, 1...16; narrow range requires at least 8.
  package let bits: Int
  package let isFullRange: Bool

  package init(bits: Int, isFullRange: Bool) {
    precondition((1...16).contains(bits), "samples of \(bits) bits")
    self.bits = bits
    self.isFullRange = isFullRange
  }

  /// Largest code.
  package var maximumCode: Int { 1 << bits - 1 }

  /// Code of R', G', B', Y' or I: `offset + signal * scale`, rounded.
  package var signalScale: Double { isFullRange ? Double(maximumCode) : 219 * step }
  package var signalOffset: Double { isFullRange ? 0 : 16 * step }
  /// Code of Cb, Cr, Ct or Cp: `offset + difference * scale`, rounded.
  package var chromaScale: Double { isFullRange ? Double(maximumCode) : 224 * step }
  package var chromaOffset: Double { 128 * step }

  /// Code of R', G', B', Y' or I; 0 for NaN.
  package func code(ofSignal signal: Double) -> UInt16 {
    nearestCode(signalOffset + signal * signalScale)
  }

  /// R', G', B', Y' or I of `code`.
  package func signal(ofCode code: UInt16) -> Double { (Double(code) - signalOffset) / signalScale }

  /// Code of Cb, Cr, Ct or Cp, whose range is centered on 0; 0 for NaN.
  package func code(ofChroma difference: Double) -> UInt16 {
    nearestCode(chromaOffset + difference * chromaScale)
  }

  /// Cb, Cr, Ct or Cp of `code`.
  package func chroma(ofCode code: UInt16) -> Double { (Double(code) - chromaOffset) / chromaScale }

  /// Width of an 8-bit code, in codes of this depth.
  private var step: Double { exp2(Double(bits - 8)) }

  private func nearestCode(_ value: Double) -> UInt16 {
    guard value > 0 else { return 0 }
    return UInt16(clamping: min(value.rounded(.toNearestOrAwayFromZero), Double(maximumCode)))
  }
}
