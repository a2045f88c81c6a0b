// SPDX-License-Identifier: Apache-2.0

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
      SIMD3(
        1, -blueWeight * blueDivisor / greenWeight, -redWeight * redDivisor / greenWeight),
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
