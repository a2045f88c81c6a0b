// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Decodes rows of samples, as a file stores them, to rows of linear values.
///
/// Values are display-linear, 1.0 for the encoding's reference white, in the encoding's primaries,
/// with straight alpha. They are not clipped, except for full-range Y'CbCr, whose R'G'B' signals
/// are clipped to 0...1.
package struct RowDecoder: Sendable {
  private enum Samples: Sendable {
    /// Integer RGB or gray: a table from codes to linear values for each component.
    case codes(tables: [[Float]])
    /// Integer samples that need arithmetic on the signal first.
    case signal(luma: CodeScale, chroma: CodeScale)
    case float
  }

  /// From codes to signal: (code - offset) * scale.
  private struct CodeScale: Sendable {
    var offset: Float
    var scale: Float
  }

  private let format: ImageLayout
  private let chromaLocation: ChromaLocation
  private let samples: Samples
  private let components: ComponentDecoder
  private let curves: [ComponentCurve]
  private let ootf: OOTFTable?
  private let alphaScale: CodeScale
  /// For premultiplied linear values.
  private var emission: EmissionCurves?

  /// Prepares for images of one layout and color.
  package init(_ layout: ImageLayout, _ color: ColorEncoding) {
    self.init(layout, color, followedBy: nil)
  }

  /// Whether linear values are a function of each signal component, which another function can
  /// follow.
  static func hasCurves(_ encoding: ColorEncoding) -> Bool {
    encoding.transfer != .linear && encoding.transfer != .hlg && encoding.matrix != .ictcp
  }

  /// Prepares for images of one layout and color.
  ///
  /// - Parameters:
  ///   - format: The layout.
  ///   - encoding: The color.
  ///   - function: Function of each linear component, applied in the same step.
  ///   - keepsEmission: Whether alpha stays premultiplied; see `EmissionCurves`. The layout is then
  ///     one of straight alpha.
  /// - Precondition: `hasCurves`, if there is such a function.
  init(
    _ format: ImageLayout, _ encoding: ColorEncoding,
    followedBy function: (@Sendable (Double) -> Double)?, keepsEmission: Bool = false
  ) {
    precondition(function == nil || Self.hasCurves(encoding), "nothing to follow")
    self.format = format
    chromaLocation = encoding.chromaLocation
    ootf = encoding.transfer == .hlg ? OOTFTable(displayFor: encoding) : nil
    guard case .integer(let bits) = format.samples else {
      samples = .float
      components = .rgb
      curves = encoding.curvesToLight(from: format, followedBy: function)
      alphaScale = CodeScale(offset: 0, scale: 1)
      return
    }
    let luma = Quantization(bits: bits, isFullRange: encoding.isFullRange)
    alphaScale = CodeScale(offset: 0, scale: 1 / Float((1 << bits) - 1))
    if case .ycbcr = format.components {
      components = ComponentDecoder(encoding: encoding, levels: luma)
    } else if !format.isAlphaPremultiplied, !keepsEmission {
      samples = .codes(
        tables: encoding.transfer.tableComponents.map { component in
          (0..<1 << bits).map { code in
            let signal = luma.signal(ofCode: UInt16(code))
            let light = encoding.componentLight(ofSignal: signal, component: component)
            return Float(function?(light) ?? light)
          }
        })
      components = .rgb
      curves = []
      return
    } else {
      components = .rgb
    }
    samples = Self.signal(luma, encoding.matrix, format)
    curves =
      components.yieldsLight ? [] : encoding.curvesToLight(from: format, followedBy: function)
    if keepsEmission { emission = EmissionCurves(curves: curves, peak: 1, yieldsSignal: false) }
  }

  /// Scale from codes of this depth and range to the input of `ComponentDecoder`.
  private static func signal(
    _ levels: Quantization, _ matrix: CICP.Matrix, _ format: ImageLayout
  ) -> Samples {
    guard case .ycbcr = format.components else {
      let scale = CodeScale(
        offset: Float(levels.signalOffset), scale: Float(1 / levels.signalScale))
      return .signal(luma: scale, chroma: scale)
    }
    if YCgCo.extraBits(of: matrix) != nil {
      return .signal(
        luma: CodeScale(offset: 0, scale: 1),
        chroma: CodeScale(offset: Float(levels.chromaOffset), scale: 1))
    }
    let chromaScale = matrix == .yCgCo ? levels.signalScale : levels.chromaScale
    return .signal(
      luma: CodeScale(offset: Float(levels.signalOffset), scale: Float(1 / levels.signalScale)),
      chroma: CodeScale(offset: Float(levels.chromaOffset), scale: Float(1 / chromaScale)))
  }

  /// Adjacent rows that decoding a strip needs, above and below.
  package var context: Int { format.chroma.vertical > 1 ? 2 : 0 }

  /// Scratch rows for decoding, and the running count of pixels that are not finite.
  package struct Scratch: Sendable {
    fileprivate var near: [Float]
    fileprivate var far: [Float]
    fileprivate var full: [Float]
    fileprivate(set) var clipped = pk_clip_count()

    package init(width: Int) {
      near = [Float](repeating: 0, count: (width + 1) / 2)
      far = [Float](repeating: 0, count: (width + 1) / 2)
      full = [Float](repeating: 0, count: width)
    }
  }

  /// Decodes one row.
  ///
  /// - Parameters:
  ///   - strip: A strip that contains the row and `context` rows above and below it.
  ///   - y: The row within the strip.
  ///   - row: Receives the linear values.
  ///   - scratch: As wide as the image.
  package func decode(
    _ strip: borrowing ImagePlanes, row y: Int, into row: inout LinearRow, scratch: inout Scratch
  ) {
    decodeSignal(strip, row: y, into: &row, scratch: &scratch)
    if let emission { return emission.apply(to: &row) }
    row.apply(curves)
    ootf?.apply(to: &row, scratch: &scratch.full)
  }

  /// Decodes up to the curves, or to linear values without curves.
  private func decodeSignal(
    _ strip: borrowing ImagePlanes, row y: Int, into row: inout LinearRow, scratch: inout Scratch
  ) {
    switch (strip.planes, samples) {
    case (.integer(let planes), .codes(let tables)):
      row.red.assign(planes[0], row: y, table: tables[0])
      if !isGray {
        row.green.assign(planes[1], row: y, table: tables[min(1, tables.count - 1)])
        row.blue.assign(planes[2], row: y, table: tables[tables.count - 1])
      }
    case (.integer(let planes), .signal(let luma, let chroma)):
      row.red.assign(planes[0], row: y, offset: luma.offset, scale: luma.scale)
      if case .ycbcr(let subsampling) = format.components {
        decodeChroma(planes[1], subsampling, y, chroma, into: &row.green, scratch: &scratch)
        decodeChroma(planes[2], subsampling, y, chroma, into: &row.blue, scratch: &scratch)
      } else if !isGray {
        row.green.assign(planes[1], row: y, offset: luma.offset, scale: luma.scale)
        row.blue.assign(planes[2], row: y, offset: luma.offset, scale: luma.scale)
      }
    case (.float(let planes), .float):
      row.red.assign(planes[0], row: y)
      if !isGray {
        row.green.assign(planes[1], row: y)
        row.blue.assign(planes[2], row: y)
      }
    case (.half(let planes), .float):
      row.red.assign(halves: planes[0], row: y)
      if !isGray {
        row.green.assign(halves: planes[1], row: y)
        row.blue.assign(halves: planes[2], row: y)
      }
    default: preconditionFailure("a strip whose samples are not of its format")
    }
    if isGray { row.copyRed() }
    if format.hasAlpha { decodeAlpha(strip, y, into: &row) }
    if format.isFloatingPoint { row.makeFinite(largest: Self.infinite, counting: &scratch.clipped) }
    components.decode(&row)
  }

  /// Whether the largest linear component is the curve of the largest signal component.
  var hasOneCurve: Bool { curves.count <= 1 && ootf == nil && !format.hasAlpha }

  /// Decodes the largest component of each pixel, at least 0.
  ///
  /// - Precondition: `hasOneCurve`.
  func decodeMaxima(
    _ strip: borrowing ImagePlanes, row y: Int, into maxima: inout [Float],
    by row: inout LinearRow, scratch: inout Scratch
  ) {
    precondition(hasOneCurve, "components that differ have no common maximum")
    decodeSignal(strip, row: y, into: &row, scratch: &scratch)
    row.maximum(into: &maxima)
    curves.first?.apply(to: &maxima)
  }

  /// Replacement of infinite values: finite after any matrix, and above any image's peak.
  ///
  /// An infinity would become NaN where a matrix subtracts it.
  private static let infinite: Float = 1e30

  private var isGray: Bool { format.components == .gray }

  /// Reads alpha, and divides the components by it if they are premultiplied.
  private func decodeAlpha(_ strip: borrowing ImagePlanes, _ y: Int, into row: inout LinearRow) {
    let index = format.componentCount
    switch strip.planes {
    case .integer(let planes):
      row.alpha.assign(planes[index], row: y, offset: alphaScale.offset, scale: alphaScale.scale)
    case .float(let planes): row.alpha.assign(planes[index], row: y)
    case .half(let planes): row.alpha.assign(halves: planes[index], row: y)
    }
    if format.isAlphaPremultiplied {
      row.red.unpremultiply(by: row.alpha)
      row.green.unpremultiply(by: row.alpha)
      row.blue.unpremultiply(by: row.alpha)
    }
    row.alpha.clampToShares()
  }

  /// Decodes one row of a color difference, interpolated to the positions of luma.
  private func decodeChroma(
    _ plane: Plane<UInt16>, _ subsampling: ChromaSubsampling, _ y: Int, _ scale: CodeScale,
    into row: inout [Float], scratch: inout Scratch
  ) {
    guard subsampling.horizontal == 2 else {
      return row.assign(plane, row: y, offset: scale.offset, scale: scale.scale)
    }
    let nearest = subsampling.vertical == 2 ? y / 2 : y
    scratch.near.assign(plane, row: nearest, offset: scale.offset, scale: scale.scale)
    if subsampling.vertical == 2, let (neighbor, weight) = verticalNeighbor(of: y) {
      let far = min(max(neighbor, 0), plane.height - 1)
      scratch.far.assign(plane, row: far, offset: scale.offset, scale: scale.scale)
      scratch.near.mix(scratch.far, weight: weight)
    }
    row.assign(doubling: scratch.near, chromaLocation: chromaLocation)
  }

  /// The second chroma row that contributes to a luma row of 4:2:0, and its weight.
  private func verticalNeighbor(of y: Int) -> (row: Int, weight: Float)? {
    let isOdd = y % 2 == 1
    if chromaLocation == .topLeft { return isOdd ? (y / 2 + 1, 0.5) : nil }
    return (isOdd ? y / 2 + 1 : y / 2 - 1, 0.25)
  }
}

extension TransferFunction {
  /// The components that need separate tables: the first for all, or all three.
  fileprivate var tableComponents: Range<Int> {
    if case .sampled = self { return 0..<3 }
    return 0..<1
  }
}

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
