// SPDX-License-Identifier: Apache-2.0
/// Decoding of coded components to R'G'B', or to linear values if the matrix is defined on them.
enum ComponentDecoder: Sendable {
  case rgb
  /// Y'CbCr: a matrix on the signal, whose result is clipped to 0...1 if `isLimited`.
  case matrix([Float], isLimited: Bool)
  /// Constant luminance and ICtCp, which apply curves between their matrices, and the reversible
  /// forms of YCgCo, which are defined on integers. Evaluated in double precision, pixel by pixel,
  /// since they are rare.
  case definition(@Sendable (SIMD3<Double>) -> SIMD3<Double>, yieldsLight: Bool)

  /// Prepares for Y'CbCr and the other color differences.
  ///
  /// Full-range R'G'B' does not have codes below 0 or above 1. Results of a matrix outside that
  /// range come from rounding and chroma subsampling; decoders and displays clip them.
  ///
  /// - Parameters:
  ///   - encoding: Color encoding with the matrix.
  ///   - levels: Depth and range of the samples.
  /// - Precondition: `ColorEncoding.requireDecodable(_:)` does not throw.
  init(encoding: ColorEncoding, levels: Quantization) {
    switch encoding.matrix {
    case .ictcp:
      let isHLG = encoding.transfer == .hlg
      let unit = isHLG ? 1 : 1 / encoding.referenceWhite
      self = .definition(
        { ictcp in
          (isHLG ? ICtCp.scene(ofSignal: ictcp) : ICtCp.luminance(ofSignal: ictcp)) * unit
        }, yieldsLight: true)
    case .bt2020Constant, .chromaDerivedConstant:
      guard let constantLuminance = ConstantLuminance(encoding) else { Self.failUndecodable() }
      self = .limited(levels.isFullRange) { constantLuminance.decode($0) }
    case .yCgCoRe, .yCgCoRo:
      guard let extra = YCgCo.extraBits(of: encoding.matrix), extra < levels.bits else {
        Self.failUndecodable()
      }
      let signal = Quantization(bits: levels.bits - extra, isFullRange: levels.isFullRange)
      self = .limited(levels.isFullRange) { codes in
        let rgb = YCgCo.rgb(
          ofReversible: SIMD3(integer(codes.x), integer(codes.y), integer(codes.z)))
        return (SIMD3<Double>(rgb) - signal.signalOffset) / signal.signalScale
      }
    case .yCgCo: self = .linear(YCgCo.toRGB, isLimited: levels.isFullRange)
    default:
      guard let coefficients = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries)
      else { Self.failUndecodable() }
      self = .linear(coefficients.toRGB, isLimited: levels.isFullRange)
    }
  }

  private static func linear(_ matrix: Matrix3x3, isLimited: Bool) -> Self {
    .matrix(matrix.elements.map { Float($0) }, isLimited: isLimited)
  }

  private static func limited(
    _ isLimited: Bool, _ decode: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) -> Self {
    .definition(
      {
        let signal = decode($0)
        return isLimited ? signal.clamped(lowerBound: .zero, upperBound: .one) : signal
      }, yieldsLight: false)
  }

  private static func failUndecodable() -> Never {
    preconditionFailure("a matrix that was to be refused before")
  }

  /// Whether `decode` yields linear values (scene-linear for HLG) instead of signal.
  var yieldsLight: Bool {
    if case .definition(_, let yieldsLight) = self { return yieldsLight }
    return false
  }

  func decode(_ row: inout LinearRow) {
    switch self {
    case .rgb: return
    case .matrix(let matrix, let isLimited):
      if isLimited { row.multiplyToUnit(by: matrix) } else { row.multiply(by: matrix) }
    case .definition(let decode, _):
      for x in 0..<row.width {
        let coded = SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
        let decoded = decode(coded)
        row.red[x] = Float(decoded.x)
        row.green[x] = Float(decoded.y)
        row.blue[x] = Float(decoded.z)
      }
    }
  }
}

/// The nearest integer; clamped, because codes divided by alpha may be far out of range of any
/// depth.
private func integer(_ code: Double) -> Int {
  Int(clamping: min(max(-1e6, code), 1e6).rounded(.toNearestOrAwayFromZero))
}
