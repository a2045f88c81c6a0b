// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import HDRCore
internal import ImageFiles
internal import PixelKernels
internal import Platform

extension JPEGXRCodec {
  /// Writes linear BT.709 values as half floats of scRGB, whose 1.0 is 80 cd/m², with straight alpha.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let header = StreamedImage(output)
    let stream = try JPEGXRStream(header, to: sink, options: options)
    try stream.append(try output.image.planes())
    try stream.finish(header)
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    try JPEGXRStream(header, to: sink, options: options)
  }
}

/// A JPEG XR file that is written row by row, with the metadata that was known at its beginning.
private final class JPEGXRStream: ImageStream {
  private let sink: any ByteSink
  /// Offset in the sink at which the file begins.
  private let start: Int
  private let file: NewJPEGXRFile
  private let layout: ImageLayout
  /// Factor from linear values to scRGB.
  private let scale: Float
  /// The largest magnitude of color; errors of a lossy codestream must not reach the bits of infinity.
  private let limit: Float
  /// Samples of a pixel in the codestream of color; a format of gray with alpha does not exist.
  private let componentCount: Int
  private let color: JPEGXREncoder
  private let alpha: JPEGXREncoder?
  /// Rows that were not encoded yet: half floats, interleaved.
  private var pending: (color: [UInt16], alpha: [UInt16]) = ([], [])
  private var colorCount = 0
  /// The codestream of alpha, which follows that of color.
  private var alphaBytes: [UInt8] = []
  /// The memory of `alphaBytes`.
  private var reservations: [Execution.Reservation] = []

  /// Begins the file.
  ///
  /// - Throws: `.invalidArgument` for another color than linear BT.709; errors of the sink.
  init(
    _ content: StreamedImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let encoding = content.image.color
    layout = content.image.layout
    guard layout.isFloatingPoint, encoding.transfer == .linear, encoding.primaries == .bt709,
      !(layout.hasAlpha && layout.isAlphaPremultiplied)
    else {
      throw ImageError(
        .invalidArgument,
        "JPEG XR is written with linear values of BT.709 primaries and straight alpha, not CICP "
          + "{cicp}",
        ["cicp": "\(encoding.cicp)"])
    }
    self.sink = sink
    start = sink.count
    file = try NewJPEGXRFile(content)
    scale = Float(encoding.referenceWhite / JPEGXRPixelFormat.referenceWhite)
    let (width, height) = (layout.width, layout.height)
    let quantization = JPEGXREncoder.Quantization(options)
    limit = quantization.luma == 1 ? .infinity : 16_384
    componentCount = layout.components == .gray && !layout.hasAlpha ? 1 : 3
    color = try JPEGXREncoder(
      width: width, height: height, isGray: componentCount == 1, quantization)
    alpha =
      layout.hasAlpha
      ? try JPEGXREncoder(width: width, height: height, isGray: true, .lossless) : nil
    try sink.write(try file.head(codestream: 0, alpha: 0))
  }

  func append(_ rows: ImagePlanes) throws(ImageError) {
    for y in 0..<rows.layout.height {
      append(y, of: rows)
      if pending.color.count == JPEGXRDecoder.height * layout.width * componentCount {
        try encode()
      }
    }
  }

  func finish(_ header: StreamedImage) throws(ImageError) {
    if !pending.color.isEmpty { try encode() }
    try take(try color.finish())
    if let alpha { try takeAlpha(try alpha.finish()) }
    try sink.write(alphaBytes)
    try sink.rewrite(
      try file.head(codestream: colorCount, alpha: alphaBytes.count), at: start)
  }

  /// Encodes the pending rows.
  private func encode() throws(ImageError) {
    try take(try color.encode(pending.color))
    pending.color.removeAll(keepingCapacity: true)
    guard let alpha else { return }
    try takeAlpha(try alpha.encode(pending.alpha))
    pending.alpha.removeAll(keepingCapacity: true)
  }

  private func take(_ bytes: [UInt8]) throws(ImageError) {
    colorCount += bytes.count
    try sink.write(bytes)
  }

  private func takeAlpha(_ bytes: [UInt8]) throws(ImageError) {
    guard !bytes.isEmpty else { return }
    reservations.append(
      try Execution.current.budget.reserve(memory: 2 * bytes.count, for: "JPEG XR alpha"))
    alphaBytes += bytes
  }

  /// Adds row `y` to the pending rows.
  private func append(_ y: Int, of rows: ImagePlanes) {
    let (count, width) = (componentCount, layout.width)
    let first = pending.color.count
    pending.color.append(contentsOf: repeatElement(0, count: count * width))
    let isGray = layout.components == .gray
    for plane in 0..<(isGray ? 1 : 3) {
      let halves = Self.halves(y, of: rows, plane, times: scale, limit: limit)
      for index in isGray ? 0..<count : plane..<plane + 1 {
        for x in 0..<width { pending.color[first + x * count + index] = halves[x] }
      }
    }
    if alpha != nil { pending.alpha += Self.halves(y, of: rows, layout.planeCount - 1) }
  }

  /// A row of a plane as finite half floats.
  private static func halves(
    _ y: Int, of rows: ImagePlanes, _ plane: Int, times scale: Float = 1,
    limit: Float = .infinity
  ) -> [UInt16] {
    let width = rows.layout.width
    var halves = [UInt16](repeating: 0, count: width)
    var floats = [Float](repeating: 0, count: width)
    switch rows.planes {
    case .integer: preconditionFailure("JPEG XR is written with linear values")
    case .half(let planes):
      let source = planes[plane]
      let row = source.row(y)
      for x in 0..<width { halves[x] = row[x] }
      // SAFETY: both arrays have `width` elements.
      unsafe pk_half_to_float(halves, &floats, width)
    case .float(let planes):
      let source = planes[plane]
      let row = source.row(y)
      for x in 0..<width { floats[x] = row[x] }
    }
    if scale != 1 || limit.isFinite {
      for index in floats.indices {
        let value = floats[index] * scale
        floats[index] =
          value.isNaN ? (limit.isFinite ? 0 : value) : min(max(value, -limit), limit)
      }
    }
    // SAFETY: both arrays have `width` elements.
    unsafe pk_float_to_finite_half(floats, &halves, width)
    return halves
  }
}

extension JPEGXREncoder.Quantization {
  /// Parameters for a quality.
  ///
  /// 90 has as much visible difference as JPEG with 90; the steps of other qualities relate to its steps as in
  /// libjpeg.
  ///
  /// Half floats are nearly logarithmic, so that a step has the same relative error at all luminances. 16 parameters
  /// double it.
  ///
  /// Source: T.832, 9.3 (QP_INDEX); Decision 22.
  fileprivate init(_ options: EncoderOptions) {
    guard !options.isLossless, options.quality < EncoderOptions.bestQuality else {
      self = .lossless
      return
    }
    let quality = Double(max(options.quality, 1))
    let scale = quality < 50 ? 50 / quality : (200 - 2 * quality) / 100
    let luma = 107 + 16 * log2(scale / 0.2)
    self.init(luma: UInt8(clamping: luma.rounded()), chroma: UInt8(clamping: (luma + 8).rounded()))
  }
}
#endif
