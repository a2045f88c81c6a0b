internal import PixelKernels

/// Encodes rows of linear values as samples of a file.
///
/// Takes display-linear values, 1.0 for the encoding's reference white, in the encoding's primaries;
/// integer samples need it to be in range already, see `ColorPipeline`.
struct RowEncoder: Sendable {
  private let format: ImageLayout
  private let chromaLocation: ChromaLocation
  private let ootf: OOTFTable?
  private let curves: [ComponentCurve]
  /// From linear values directly to code values, if no other step is between.
  private let codes: CodeTable?
  private let matrix: [Float]?
  /// Replaces each component with the luminance of the pixel; for gray images.
  private let grayMatrix: [Float]
  private let luma: QuantizationScale
  private let chroma: QuantizationScale
  private let alpha: QuantizationScale
  private let isDithered: Bool

  /// Prepares for images of one layout and color.
  ///
  /// - Parameters:
  ///   - format: The layout of rows; height does not matter.
  ///   - encoding: Color of the samples.
  ///   - chromaBits: Depth of color differences where it is not that of the luma.
  ///   - isDithered: Whether integer samples are dithered.
  /// - Precondition: The matrix is the identity, or Y'CbCr with constant coefficients; chroma is
  ///   sited left or in the center.
  init(
    _ format: ImageLayout, _ encoding: ColorEncoding, chromaBits: Int? = nil,
    isDithered: Bool = false
  ) {
    precondition(encoding.chromaLocation != .topLeft, "chroma is written left or centered")
    self.format = format
    chromaLocation = encoding.chromaLocation
    self.isDithered = isDithered
    ootf = encoding.transfer == .hlg ? OOTFTable(sceneFor: encoding) : nil
    codes =
      isDithered || format.hasAlpha && format.isAlphaPremultiplied
      ? nil : encoding.codeTable(for: format)
    curves = codes == nil ? encoding.curvesToSignal(in: format) : []
    if case .ycbcr = format.components {
      guard let coefficients = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries)
      else { preconditionFailure("no matrix for Y'CbCr") }
      matrix = coefficients.fromRGB.elements.map { Float($0) }
    } else {
      matrix = nil
    }
    let weights =
      ootf == nil ? encoding.primaries.luminanceWeights : encoding.hlgLuminanceWeights
    grayMatrix = Matrix3x3(weights, weights, weights).elements.map { Float($0) }
    guard case .integer(let bits) = format.samples else {
      luma = QuantizationScale(offset: 0, scale: 1, highest: 1)
      chroma = luma
      alpha = luma
      return
    }
    let levels = Quantization(bits: bits, isFullRange: encoding.isFullRange)
    let highest = Float((1 << bits) - 1)
    luma = QuantizationScale(
      offset: Float(levels.signalOffset), scale: Float(levels.signalScale), highest: highest)
    chroma = QuantizationScale(
      chromaOf: Quantization(bits: chromaBits ?? bits, isFullRange: encoding.isFullRange))
    alpha = QuantizationScale(offset: 0, scale: highest, highest: highest)
  }

  /// Rows to work with while rows are encoded, the chroma of a row that waits for its pair, and the
  /// pixels so far that were clipped.
  struct Scratch {
    fileprivate var full: [Float]
    fileprivate var half: [Float]
    fileprivate var waiting: (cb: [Float], cr: [Float])
    fileprivate(set) var clipped = pk_clip_count()

    init(width: Int) {
      full = [Float](repeating: 0, count: width)
      half = [Float](repeating: 0, count: (width + 1) / 2)
      waiting = (half, half)
    }
  }

  /// Encodes row `y` of the image, which is one of those that `destination` holds.
  ///
  /// Rows of a band come in order; bands and destinations start at even rows.
  func encode(
    _ row: inout LightRow, y: Int, into destination: Destination, scratch: inout Scratch
  ) {
    if let ootf {
      ootf.apply(to: &row, scratch: &scratch.full)
      // The peak of scene light; the slack is that of display light at the reference display's
      // peak.
      let slack = Float(ColorPipeline.slackLuminance / HLG.Display.reference.peakLuminance)
      row.clip(peak: 1, low: -slack, high: 1 + slack, counting: &scratch.clipped)
    }
    let line = y - destination.rows.lowerBound
    if format.components == .gray { row.multiply(by: grayMatrix) }
    if let codes, case .integer(let planes) = destination.planes {
      store(row, of: codes, line, planes)
      return
    }
    if format.components == .gray {
      curves.first?.apply(to: &row.red)
    } else {
      row.apply(curves)
    }
    if format.hasAlpha, format.isAlphaPremultiplied { row.multiply(byGain: row.alpha) }
    switch destination.planes {
    case .float(let planes):
      store(row) { component, plane in
        planes.withRow(line, of: plane) { component.copy(into: &$0) }
      }
    case .half(let planes):
      store(row) { component, plane in
        planes.withRow(line, of: plane) { component.writeFiniteHalves(to: &$0) }
      }
    case .integer(let planes):
      let place = Place(y: y, line: line, isLast: line == destination.rows.count - 1)
      quantize(&row, place, planes, &scratch)
    }
  }

  /// Hands each component to `write` with the plane it belongs to.
  private func store(_ row: LightRow, _ write: (_ component: [Float], _ plane: Int) -> Void) {
    write(row.red, 0)
    if format.components != .gray {
      write(row.green, 1)
      write(row.blue, 2)
    }
    if format.hasAlpha { write(row.alpha, format.componentCount) }
  }

  /// Writes the codes of light.
  private func store(
    _ row: LightRow, of codes: CodeTable, _ line: Int, _ planes: SharedPlanes<UInt16>
  ) {
    planes.withRow(line, of: 0) { row.red.encode(codes, into: &$0) }
    if format.components != .gray {
      planes.withRow(line, of: 1) { row.green.encode(codes, into: &$0) }
      planes.withRow(line, of: 2) { row.blue.encode(codes, into: &$0) }
    }
    if format.hasAlpha {
      planes.withRow(line, of: format.componentCount) { row.alpha.quantize(alpha, into: &$0) }
    }
  }

  /// Where a row is.
  private struct Place {
    /// In the image.
    var y: Int
    /// In the destination.
    var line: Int
    var isLast: Bool

    /// In planes of half the height.
    var halved: Place { Place(y: y / 2, line: line / 2, isLast: isLast) }
  }

  private func quantize(
    _ row: inout LightRow, _ place: Place, _ planes: SharedPlanes<UInt16>,
    _ scratch: inout Scratch
  ) {
    if let matrix { row.multiply(by: matrix) }
    quantize(&row.red, luma, place, 0, planes)
    switch format.components {
    case .gray: break
    case .rgb:
      quantize(&row.green, luma, place, 1, planes)
      quantize(&row.blue, luma, place, 2, planes)
    case .ycbcr(let subsampling):
      encodeChroma(&row.green, subsampling, place, 1, planes, &scratch.waiting.cb, &scratch.half)
      encodeChroma(&row.blue, subsampling, place, 2, planes, &scratch.waiting.cr, &scratch.half)
    }
    if format.hasAlpha {
      planes.withRow(place.line, of: format.componentCount) { row.alpha.quantize(alpha, into: &$0) }
    }
  }

  /// Writes a row of a plane; all planes are dithered alike, so that gray stays gray.
  private func quantize(
    _ row: inout [Float], _ scale: QuantizationScale, _ place: Place, _ plane: Int,
    _ planes: SharedPlanes<UInt16>
  ) {
    if isDithered { row.dither(y: place.y, scale) }
    planes.withRow(place.line, of: plane) { row.quantize(scale, into: &$0) }
  }

  /// One row of a color difference, filtered down to the chroma's positions.
  private func encodeChroma(
    _ row: inout [Float], _ subsampling: ChromaSubsampling, _ place: Place, _ plane: Int,
    _ planes: SharedPlanes<UInt16>, _ waiting: inout [Float], _ half: inout [Float]
  ) {
    switch subsampling {
    case .yuv444, .yuv400: quantize(&row, chroma, place, plane, planes)
    case .yuv422:
      half.assign(halving: row, chromaLocation: chromaLocation)
      quantize(&half, chroma, place, plane, planes)
    case .yuv420:
      // Left and center both lie between the two rows.
      if place.line % 2 == 0 {
        waiting.assign(halving: row, chromaLocation: chromaLocation)
        guard place.isLast else { return }
      } else {
        half.assign(halving: row, chromaLocation: chromaLocation)
        waiting.mix(half, weight: 0.5)
      }
      quantize(&waiting, chroma, place.halved, plane, planes)
    }
  }
}
