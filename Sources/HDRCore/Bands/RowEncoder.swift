// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Encodes rows of linear values as samples of a file.
///
/// Input is display-linear, 1.0 for the encoding's reference white, in the encoding's primaries.
/// For integer samples it must already be in range; see `ColorPipeline`.
struct RowEncoder: Sendable {
  private let format: ImageLayout
  private let chromaLocation: ChromaLocation
  private let ootf: OOTFTable?
  private let curves: [ComponentCurve]
  /// From linear values directly to code values, if no other step is in between.
  private let codes: CodeTable?
  private let matrix: [Float]?
  /// Replaces each component with the luminance of the pixel; for gray images.
  private let grayMatrix: [Float]
  private let luma: QuantizationScale
  private let chroma: QuantizationScale
  private let alpha: QuantizationScale
  private let isDithered: Bool
  /// For premultiplied linear values.
  private let emission: EmissionCurves?

  /// Prepares for images of one layout and color.
  ///
  /// - Parameters:
  ///   - format: The layout of rows; the height is ignored.
  ///   - encoding: Color of the samples.
  ///   - chromaBits: Depth of color differences if different from that of luma.
  ///   - isDithered: Whether integer samples are dithered.
  ///   - keepsEmission: Whether linear values are premultiplied, and the signal keeps luminance
  ///     without coverage; see `EmissionCurves`.
  /// - Precondition: The matrix is the identity, or Y'CbCr with constant coefficients; chroma is
  ///   sited left or in the center.
  init(
    _ format: ImageLayout, _ encoding: ColorEncoding, chromaBits: Int? = nil,
    isDithered: Bool = false, keepsEmission: Bool = false
  ) {
    precondition(encoding.chromaLocation != .topLeft, "chroma is written left or centered")
    self.format = format
    chromaLocation = encoding.chromaLocation
    self.isDithered = isDithered
    ootf = encoding.transfer == .hlg ? OOTFTable(sceneFor: encoding) : nil
    codes =
      isDithered || keepsEmission || format.hasAlpha && format.isAlphaPremultiplied
      ? nil : encoding.codeTable(for: format)
    curves = codes == nil ? encoding.curvesToSignal(in: format) : []
    emission =
      keepsEmission
      ? EmissionCurves(
        curves: curves, peak: Float(PQ.peakLuminance / encoding.referenceWhite), yieldsSignal: true)
      : nil
    if case .ycbcr = format.components {
      guard let coefficients = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries)
      else { preconditionFailure("no matrix for Y'CbCr") }
      matrix = coefficients.fromRGB.elements.map { Float($0) }
    } else {
      matrix = nil
    }
    let weights = ootf == nil ? encoding.primaries.luminanceWeights : encoding.hlgLuminanceWeights
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

  /// Scratch rows for encoding, a row of chroma that waits for its pair, and the running count of
  /// clipped pixels.
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

  /// Encodes row `y` of the image, which is one of the rows of `destination`.
  ///
  /// Rows of a band come in order; bands and destinations start at even rows.
  func encode(
    _ row: inout LinearRow, y: Int, into destination: Destination, scratch: inout Scratch
  ) {
    if let ootf {
      ootf.apply(to: &row, scratch: &scratch.full)
      // The peak is one of scene light; the slack is relative to the peak of the reference display.
      let slack = Float(ColorPipeline.slackLuminance / HLG.Display.reference.peakLuminance)
      row.clip(peak: 1, low: -slack, high: 1 + slack, counting: &scratch.clipped)
    }
    let line = y - destination.rows.lowerBound
    if format.components == .gray { row.multiply(by: grayMatrix) }
    if let codes, case .integer(let planes) = destination.planes {
      store(row, of: codes, line, planes)
      return
    }
    encodeSignal(&row)
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
      let place = RowPosition(y: y, line: line, isLast: line == destination.rows.count - 1)
      quantize(&row, place, planes, &scratch)
    }
  }

  private func encodeSignal(_ row: inout LinearRow) {
    if let emission { return emission.apply(to: &row) }
    if format.components == .gray {
      curves.first?.apply(to: &row.red)
    } else {
      row.apply(curves)
    }
    if format.hasAlpha, format.isAlphaPremultiplied { row.multiply(byGain: row.alpha) }
  }

  /// Passes each component to `write` with the index of its plane.
  private func store(_ row: LinearRow, _ write: (_ component: [Float], _ plane: Int) -> Void) {
    write(row.red, 0)
    if format.components != .gray {
      write(row.green, 1)
      write(row.blue, 2)
    }
    if format.hasAlpha { write(row.alpha, format.componentCount) }
  }

  /// Writes the codes of linear values.
  private func store(
    _ row: LinearRow, of codes: CodeTable, _ line: Int, _ planes: SharedPlanes<UInt16>
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

  /// Position of a row.
  private struct RowPosition {
    /// In the image.
    var y: Int
    /// In the destination.
    var line: Int
    var isLast: Bool

    /// Position in planes of half the height.
    var halved: RowPosition { RowPosition(y: y / 2, line: line / 2, isLast: isLast) }
  }

  private func quantize(
    _ row: inout LinearRow, _ place: RowPosition, _ planes: SharedPlanes<UInt16>,
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

  /// Writes a row of a plane; all planes use the same dither, so that gray stays neutral.
  private func quantize(
    _ row: inout [Float], _ scale: QuantizationScale, _ place: RowPosition, _ plane: Int,
    _ planes: SharedPlanes<UInt16>
  ) {
    if isDithered { row.dither(y: place.y, scale) }
    planes.withRow(place.line, of: plane) { row.quantize(scale, into: &$0) }
  }

  /// Encodes one row of a color difference, filtered to the positions of chroma.
  private func encodeChroma(
    _ row: inout [Float], _ subsampling: ChromaSubsampling, _ place: RowPosition, _ plane: Int,
    _ planes: SharedPlanes<UInt16>, _ waiting: inout [Float], _ half: inout [Float]
  ) {
    switch subsampling {
    case .yuv444, .yuv400: quantize(&row, chroma, place, plane, planes)
    case .yuv422:
      half.assign(halving: row, chromaLocation: chromaLocation)
      quantize(&half, chroma, place, plane, planes)
    case .yuv420:
      // Left and center sites are both halfway between the two rows.
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

/// Code values of linear values, for the row kernels, with one entry for each step of the bit
/// pattern, as in `SampledFunction`.
///
/// The next code begins at most once within a step. An entry contains the first code, shifted left
/// by the bits of a step, plus the distance from that transition to the end of the step. Adding the
/// bits of the linear value within the step therefore carries into the next code exactly at the
/// transition. Rounding is exact.
final class CodeTable: Sendable {
  private let entries: [UInt32]
  private let first: UInt32
  private let shift: UInt32

  /// Kernels count steps in 16 bits; a larger table would also exceed the caches close to a core.
  private static let largestCount = 1 << 16

  /// Samples the codes of linear values; `nil` if the table would be too large.
  ///
  /// - Parameters:
  ///   - levels: Quantization of the codes.
  ///   - light: The linear value of a signal; increasing and not negative.
  init?(_ levels: Quantization, light: (Double) -> Double) {
    let lowest = levels.code(ofSignal: 0)
    let highest = levels.code(ofSignal: 1)
    /// Linear values at which the next code begins.
    let thresholds = (lowest..<highest).map { code in
      Float(light((Double(code) + 0.5 - levels.signalOffset) / levels.signalScale))
    }
    guard let least = thresholds.first, let most = thresholds.last, least.isNormal else {
      return nil
    }
    let narrowest =
      zip(thresholds.dropFirst(), thresholds)
      .map { Int($0.bitPattern) - Int($1.bitPattern) }.min() ?? 0
    guard narrowest > 0 else { return nil }
    let bits = Int(highest).bitWidth - Int(highest).leadingZeroBitCount
    let shift = UInt32(
      min(narrowest.bitWidth - 1 - narrowest.leadingZeroBitCount, UInt32.bitWidth - bits))
    // The first step is entirely below the first threshold; the last step is entirely above the
    // last.
    let first = (least.bitPattern >> shift - 1) << shift
    let count = Int((most.bitPattern - first) >> shift) + 2
    guard count <= Self.largestCount else { return nil }
    var code = 0
    entries = (0..<count).map { step in
      let start = first + UInt32(step) << shift
      while code < thresholds.count, thresholds[code].bitPattern <= start { code += 1 }
      let entry = (UInt32(lowest) + UInt32(code)) << shift
      let next = code < thresholds.count ? thresholds[code].bitPattern - start : 1 << shift
      return next < 1 << shift ? entry + ((1 << shift) - next) : entry
    }
    self.shift = shift
    self.first = first
  }

  /// Passes the table to a kernel.
  ///
  /// Kernels clamp arguments, so they read only steps that exist. `body` must not let the pointer
  /// escape.
  fileprivate func withKernelTable(_ body: (UnsafePointer<pk_code_table>) -> Void) {
    unsafe entries.withUnsafeBufferPointer { entries in
      guard let start = entries.baseAddress else { preconditionFailure("a table without entries") }
      // SAFETY: the entries stay in place until the closure returns; patterns of positive numbers
      // are positive.
      var table = unsafe pk_code_table(
        entries: start, first: Int32(bitPattern: first),
        last: Int32(bitPattern: first + UInt32(entries.count - 1) << shift), shift: shift)
      unsafe body(&table)
    }
  }
}

extension ColorEncoding {
  /// A table for red, green and blue; `nil` for encodings that need arithmetic, a curve for each
  /// component, or more bits than a table has steps for.
  func codeTable(for format: ImageLayout) -> CodeTable? {
    guard case .integer(let bits) = format.samples, bits <= 12 else { return nil }
    if case .ycbcr = format.components { return nil }
    switch transfer {
    case .linear, .sampled: return nil
    default:
      return CodeTable(Quantization(bits: bits, isFullRange: isFullRange)) {
        componentLight(ofSignal: $0, component: 0)
      }
    }
  }
}

extension [Float] {
  /// Writes the codes of linear values that are not NaN.
  func encode(_ table: CodeTable, into codes: inout MutableSpan<UInt16>) {
    precondition(codes.count == count)
    unsafe codes.withUnsafeMutableBufferPointer { codes in
      guard let start = codes.baseAddress else { return }
      unsafe table.withKernelTable { table in
        // SAFETY: both rows are `count` long.
        unsafe pk_light_to_codes(self, start, codes.count, table)
      }
    }
  }
}

/// Filters full-resolution chroma down to its subsampled positions.
///
/// A rotated image cannot be filtered row by row, because its rows become columns while the chroma
/// location refers to rows.
struct ChromaReduction {
  /// Depth of the full-resolution chroma; large enough that rounding twice does not change the
  /// result.
  static let largeBits = 16

  private let format: ImageLayout
  private let isFullRange: Bool
  private let chromaLocation: ChromaLocation
  private let isDithered: Bool

  init(_ target: ImageDescription, isDithered: Bool) {
    format = target.layout
    isFullRange = target.color.isFullRange
    chromaLocation = target.color.chromaLocation
    self.isDithered = isDithered
  }

  /// Reduces planes with full chroma of `largeBits` to the planes of `format`.
  func reduced(_ planes: [Plane<UInt16>]) throws(ImageError) -> [Plane<UInt16>] {
    var planes = planes
    // One plane after the other, so that each large plane is released early.
    for index in 1...2 { planes[index] = try reduced(planes[index]) }
    return planes
  }

  private func reduced(_ plane: Plane<UInt16>) throws(ImageError) -> Plane<UInt16> {
    guard case .integer(let bits) = format.samples else { preconditionFailure("chroma of floats") }
    let size = format.planeSize(1)
    let single = ImageLayout(
      width: size.width, height: size.height, components: .gray, samples: format.samples)
    let large = Quantization(bits: Self.largeBits, isFullRange: isFullRange)
    let (offset, scale) = (Float(large.chromaOffset), Float(1 / large.chromaScale))
    let codes = QuantizationScale(chromaOf: Quantization(bits: bits, isFullRange: isFullRange))
    let (chromaLocation, isDithered, step) = (chromaLocation, isDithered, format.chroma.vertical)
    return try SharedPlanes<UInt16>.makePlanes(single) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<size.height) { band in
        var row = [Float](repeating: 0, count: plane.width)
        var half = [Float](repeating: 0, count: size.width)
        var below = half
        for y in band {
          row.assign(plane, row: y * step, offset: offset, scale: scale)
          half.assign(halving: row, chromaLocation: chromaLocation)
          if step == 2, y * 2 + 1 < plane.height {
            // Left and center sites are both halfway between the two rows.
            row.assign(plane, row: y * 2 + 1, offset: offset, scale: scale)
            below.assign(halving: row, chromaLocation: chromaLocation)
            half.mix(below, weight: 0.5)
          }
          if isDithered { half.dither(y: y, codes) }
          shared.withRow(y, of: 0) { half.quantize(codes, into: &$0) }
        }
      }
    }[0]
  }
}
