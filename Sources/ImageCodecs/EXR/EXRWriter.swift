#if EXR
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// An OpenEXR file that is written row by row.
@safe struct EXRWriter: ~Copyable {
  private let handle: OpaquePointer
  private let output: SinkWriter

  private init(handle: OpaquePointer, output: SinkWriter) {
    // SAFETY: this writer owns the handle until `deinit`.
    unsafe self.handle = handle
    self.output = output
  }

  /// Content of the header except the size.
  struct Header {
    var channels: [String]
    var isHalf: Bool
    var primaries: ColorPrimaries
    /// Luminance of 1.0, in cd/m².
    var referenceWhite: Double
    var exif: [UInt8]?
    var xmp: [UInt8]?
  }

  static func begin(
    width: Int, height: Int, header: Header, to sink: any ByteSink
  ) throws(ImageError) -> EXRWriter {
    let output = SinkWriter(sink)
    // SAFETY: OpenEXR uses `output` until `deinit` frees its writer; `writer` retains `output` that
    // long.
    let context = unsafe Unmanaged.passUnretained(output).toOpaque()
    guard let handle = unsafe exr_writer_create(context, writeBytes) else {
      throw ImageError(.outOfMemory, ["library": "OpenEXR"])
    }
    let writer = unsafe EXRWriter(handle: handle, output: output)
    try writer.open(width: width, height: height, header)
    return writer
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe exr_writer_free(handle)
  }

  /// Writes the header.
  private func open(width: Int, height: Int, _ header: Header) throws(ImageError) {
    var names: [CChar] = []
    for channel in header.channels { names += channel.utf8CString }
    // SAFETY: the pointers in `description` are valid for the call, which copies the data it keeps;
    // `names` contains a string for each channel.
    var description = unsafe exr_description()
    unsafe description.width = Int32(clamping: width)
    unsafe description.height = Int32(clamping: height)
    unsafe description.is_half = header.isHalf ? 1 : 0
    unsafe description.threads = Int32(clamping: Execution.current.threads)
    unsafe description.white_luminance = Float(header.referenceWhite)
    let p = header.primaries
    unsafe description.chromaticities = (
      Float(p.red.x), Float(p.red.y), Float(p.green.x), Float(p.green.y), Float(p.blue.x),
      Float(p.blue.y), Float(p.white.x), Float(p.white.y)
    )
    let status = unsafe (header.exif ?? []).withUnsafeBufferPointer { exif in
      unsafe (header.xmp ?? []).withUnsafeBytes { xmp in
        unsafe names.withUnsafeBufferPointer { names in
          guard let names = names.baseAddress else { return EXR_OK }
          unsafe description.exif = header.exif == nil ? nil : exif.baseAddress
          unsafe description.exif_size = exif.count
          let text = unsafe xmp.bindMemory(to: CChar.self)
          unsafe description.xmp = header.xmp == nil ? nil : text.baseAddress
          unsafe description.xmp_size = text.count
          return unsafe exr_writer_open(
            handle, &description, names, Int32(clamping: header.channels.count))
        }
      }
    }
    try check(status)
  }

  /// Writes the next rows: one plane per channel, one after the other in `samples`.
  func write(_ samples: [Float], rows: Int, width: Int) throws(ImageError) {
    // SAFETY: the array lives for the call, which reads `rows` rows of `width` samples from each
    // plane.
    let status = unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return EXR_OK }
      return unsafe exr_writer_write(handle, Int32(clamping: rows), start, width, width * rows)
    }
    try check(status)
  }

  /// Writes the next rows of half-float samples, one plane per channel.
  func write(_ rows: Range<Int>, of planes: [Plane<UInt16>]) throws(ImageError) {
    // SAFETY: `starts` is empty, since no plane is borrowed yet.
    try check(unsafe lend(planes[...], rows, []))
  }

  /// Writes rows of planes; those of `starts` are borrowed already, those of `planes` are not yet.
  private func lend(
    _ planes: ArraySlice<Plane<UInt16>>, _ rows: Range<Int>, _ starts: [UnsafePointer<UInt16>]
  ) -> exr_status {
    // SAFETY: each plane contains these rows and is borrowed until the innermost call has written
    // them.
    guard let plane = planes.first else {
      return unsafe starts.withUnsafeBufferPointer { starts in
        guard let starts = starts.baseAddress else { return EXR_OK }
        return unsafe exr_writer_write_halves(handle, Int32(clamping: rows.count), starts)
      }
    }
    return unsafe plane.span.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return EXR_OK }
      return unsafe lend(
        planes.dropFirst(), rows, starts + [start + rows.lowerBound * plane.width])
    }
  }

  /// Completes the file after its last row.
  func finish() throws(ImageError) {
    // SAFETY: this writer owns the handle.
    try check(unsafe exr_writer_finish(handle))
  }

  private func check(_ status: exr_status) throws(ImageError) {
    guard status != EXR_OK else { return }
    if let failure = output.failure { throw failure }
    // SAFETY: the message lives as long as the writer.
    let message =
      status == EXR_OUT_OF_MEMORY
      ? "not enough memory for OpenEXR" : unsafe String(cString: exr_writer_message(handle))
    throw ImageError(.libraryFailed, ["library": "OpenEXR", "detail": message])
  }
}

/// Write callback, called by one thread at a time; OpenEXR seeks back to fill in its offset table.
private func writeBytes(
  context: UnsafeMutableRawPointer, offset: UInt64, source: UnsafeRawPointer, count: Int
) -> Int32 {
  // SAFETY: `context` is the `SinkWriter` that outlives the writer, and `source` has `count` bytes.
  let output = unsafe Unmanaged<SinkWriter>.fromOpaque(context).takeUnretainedValue()
  let bytes = unsafe Array(UnsafeRawBufferPointer(start: source, count: count))
  return output.put(bytes, at: Int(clamping: offset)) ? 0 : 1
}
#endif
