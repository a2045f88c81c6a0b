/// From coded components to R'G'B', or straight to light where a matrix mixes the two.
enum ComponentDecoder: Sendable {
  case rgb
  /// Y'CbCr: a matrix on the signal, which may end at 0 and 1.
  case matrix([Float], isLimited: Bool)
  /// BT.2020 constant luminance and ICtCp, which have curves between their matrices: evaluated in
  /// double precision, pixel by pixel, since they are rare.
  case definition(@Sendable (SIMD3<Double>) -> SIMD3<Double>, yieldsLight: Bool)

  /// Prepares for Y'CbCr, or ICtCp.
  ///
  /// R'G'B' of full range have no codes below 0 or above 1: what a matrix makes of rounded and
  /// subsampled Y'CbCr beyond is noise of coding, which decoders and displays clip.
  init(encoding: ColorEncoding, isFullRange: Bool) {
    switch encoding.matrix {
    case .ictcp:
      let isHLG = encoding.transfer == .hlg
      let unit = isHLG ? 1 : 1 / encoding.referenceWhite
      self = .definition(
        { ictcp in
          (isHLG ? ICtCp.scene(ofSignal: ictcp) : ICtCp.luminance(ofSignal: ictcp)) * unit
        }, yieldsLight: true)
    case .bt2020Constant:
      let constantLuminance = ConstantLuminance(transfer: encoding.transfer)
      self = .definition(
        {
          let signal = constantLuminance.decode($0)
          return isFullRange ? signal.clamped(lowerBound: .zero, upperBound: .one) : signal
        }, yieldsLight: false)
    default:
      let coefficients = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries) ?? .bt601
      self = .matrix(coefficients.toRGB.elements.map { Float($0) }, isLimited: isFullRange)
    }
  }

  /// True where `decode` leaves light (scene light for HLG) instead of signal.
  var yieldsLight: Bool {
    if case .definition(_, let yieldsLight) = self { return yieldsLight }
    return false
  }

  func decode(_ row: inout LightRow) {
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
