// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import CShims
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
    try sink.rewrite(try file.head(codestream: colorCount, alpha: alphaBytes.count), at: start)
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
        floats[index] = value.isNaN ? (limit.isFinite ? 0 : value) : min(max(value, -limit), limit)
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

/// One codestream of half-float samples that jxrlib encodes, a row of macroblocks at a time.
@safe final class JPEGXREncoder {
  /// Quantization parameters (QP_INDEX) of luma and chroma; 1 is lossless.
  struct Quantization {
    let luma: UInt8
    let chroma: UInt8
    static let lossless = Quantization(luma: 1, chroma: 1)
  }

  private let handle: OpaquePointer
  /// Number of samples of a row.
  private let rowCount: Int
  /// The memory of the library.
  private let memory: Execution.Reservation

  /// Starts a codestream.
  ///
  /// - Throws: `.outOfMemory`; `.limitExceeded` if the budget does not suffice.
  init(width: Int, height: Int, isGray: Bool, _ quantization: Quantization) throws(ImageError) {
    let count = isGray ? 1 : 3
    rowCount = width * count
    // Two rows of macroblocks of 32-bit coefficients, their prediction, and bytes that were not taken.
    let columns = (width + 15) / 16
    memory = try Execution.current.budget.reserve(
      memory: 1 << 19 + columns * (count * 4096 + 4096), for: "JPEG XR encoder")
    guard let handle = unsafe jpegxr_writer_create() else {
      throw ImageError(.outOfMemory, ["library": "jxrlib"])
    }
    unsafe self.handle = handle
    try Self.check(
      unsafe jpegxr_writer_open(
        handle, UInt32(clamping: width), UInt32(clamping: height), isGray ? 1 : 0,
        quantization.luma, quantization.chroma))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpegxr_writer_free(handle)
  }

  /// Encodes the next 16 rows, or the rest at the end of the image.
  ///
  /// - Parameter samples: The bits of half floats, interleaved.
  /// - Returns: Bytes of the codestream that are complete.
  /// - Throws: Errors of the library; `.cancelled`.
  func encode(_ samples: [UInt16]) throws(ImageError) -> [UInt8] {
    try Execution.current.checkCancellation()
    let rows = UInt32(clamping: samples.count / rowCount)
    // SAFETY: the library reads `rows` rows of `rowCount` samples, which `samples` has.
    let status = unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return JPEGXR_REJECTED }
      return unsafe jpegxr_writer_next(handle, start, rows, 2 * rowCount)
    }
    return try taken(status)
  }

  /// Completes the codestream.
  ///
  /// - Returns: Its last bytes.
  /// - Throws: Errors of the library.
  func finish() throws(ImageError) -> [UInt8] { try taken(unsafe jpegxr_writer_finish(handle)) }

  private func taken(_ status: jpegxr_status) throws(ImageError) -> [UInt8] {
    try Self.check(status)
    var count = 0
    // SAFETY: `count` bytes are valid until the next call, and are copied before.
    let bytes = unsafe jpegxr_writer_bytes(handle, &count)
    let copy = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    unsafe jpegxr_writer_discard(handle)
    return copy
  }

  private static func check(_ status: jpegxr_status) throws(ImageError) {
    switch status {
    case JPEGXR_OK: return
    case JPEGXR_OUT_OF_MEMORY: throw ImageError(.outOfMemory, ["library": "jxrlib"])
    default:
      throw ImageError(.libraryRejectedData, ["library": "jxrlib", "detail": "no reason given"])
    }
  }
}
#endif
