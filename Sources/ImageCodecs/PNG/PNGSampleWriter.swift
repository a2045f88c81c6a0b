#if PNG
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Encodes rows with libpng as a PNG file of header, samples and end.
///
/// Other chunks are written to the sink between `begin` and the first row.
@safe struct PNGSampleWriter: ~Copyable {
  private let handle: OpaquePointer
  private let output: SinkWriter

  private init(handle: OpaquePointer, output: SinkWriter) {
    // SAFETY: this writer owns the handle until `deinit`.
    unsafe self.handle = handle
    self.output = output
  }

  static func begin(
    _ header: PNGHeader, options: EncoderOptions, to sink: any ByteSink
  ) throws(ImageError) -> PNGSampleWriter {
    let output = SinkWriter(sink)
    // SAFETY: libpng uses `output` until `deinit` frees its writer; `writer` retains `output` that
    // long.
    let context = unsafe Unmanaged.passUnretained(output).toOpaque()
    guard let handle = unsafe png_writer_create(context, writeBytes) else {
      throw ImageError(.outOfMemory, ["library": "libpng"])
    }
    let writer = unsafe PNGSampleWriter(handle: handle, output: output)
    try writer.check(
      unsafe png_writer_begin(
        handle, UInt32(clamping: header.width), UInt32(clamping: header.height),
        Int32(clamping: header.bitDepth), Int32(header.colorType.rawValue),
        Int32(clamping: options.deflateLevel), options.speed <= 7 ? 1 : 0))
    return writer
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe png_writer_free(handle)
  }

  /// Encodes the next row: whole bytes, 16-bit samples in native byte order.
  func writeRow(_ row: [UInt8]) throws(ImageError) {
    // SAFETY: libpng reads the row before the call returns.
    let status = unsafe row.withUnsafeBufferPointer { row in
      guard let start = row.baseAddress else { return Int32(1) }
      return unsafe png_writer_row(handle, start)
    }
    try check(status)
  }

  /// Completes the file after its last row.
  func finish() throws(ImageError) {
    // SAFETY: this writer owns the handle.
    try check(unsafe png_writer_finish(handle))
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    if let failure = output.failure { throw failure }
    // SAFETY: the message lives as long as the writer.
    let message = unsafe String(cString: png_writer_message(handle))
    throw ImageError(.libraryFailed, ["library": "libpng", "detail": message])
  }
}

private func writeBytes(
  context: UnsafeMutableRawPointer, source: UnsafePointer<UInt8>, count: Int
) -> Int32 {
  // SAFETY: `context` is the `SinkWriter` that outlives the writer, and `source` has `count` bytes.
  let output = unsafe Unmanaged<SinkWriter>.fromOpaque(context).takeUnretainedValue()
  let bytes = unsafe Array(UnsafeBufferPointer(start: source, count: count))
  return output.append(bytes) ? 0 : 1
}
#endif
