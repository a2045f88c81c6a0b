#if EXR
internal import CShims
internal import HDRCore

/// An OpenEXR file that grows in memory, row by row.
@safe struct EXRWriter: ~Copyable {
  private let handle: OpaquePointer
  private let output: EXROutput

  private init(handle: OpaquePointer, output: EXROutput) {
    unsafe self.handle = handle
    self.output = output
  }

  /// What the header says beside the size.
  struct Header {
    var channels: [String]
    var isHalf: Bool
    var primaries: ColorPrimaries
    /// cd/m² of 1.0.
    var whiteLuminance: Double
    var exif: [UInt8]?
    var xmp: [UInt8]?
    var threads: Int
  }

  static func begin(
    width: Int, height: Int, header: Header
  ) throws(ImageError) -> EXRWriter {
    let output = EXROutput()
    // SAFETY: the writer uses `output` until `deinit` frees it, and `output` lives as long.
    let context = unsafe Unmanaged.passUnretained(output).toOpaque()
    guard let handle = unsafe exr_writer_create(context, writeBytes) else {
      throw ImageError(.codecFailure, "not enough memory to write an OpenEXR file")
    }
    let writer = unsafe EXRWriter(handle: handle, output: output)
    var names: [CChar] = []
    for channel in header.channels { names += channel.utf8CString }
    var description = unsafe exr_description()
    unsafe description.width = Int32(clamping: width)
    unsafe description.height = Int32(clamping: height)
    unsafe description.is_half = header.isHalf ? 1 : 0
    unsafe description.threads = Int32(clamping: header.threads)
    unsafe description.white_luminance = Float(header.whiteLuminance)
    let p = header.primaries
    unsafe description.chromaticities = (
      Float(p.red.x), Float(p.red.y), Float(p.green.x), Float(p.green.y), Float(p.blue.x),
      Float(p.blue.y), Float(p.white.x), Float(p.white.y)
    )
    // SAFETY: the arrays live for the call, which copies what it keeps.
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
    try writer.check(status)
    return writer
  }

  deinit { unsafe exr_writer_free(handle) }

  /// Writes the next rows: a plane per channel, one after the other in `samples`.
  func write(_ samples: [Float], rows: Int, width: Int) throws(ImageError) {
    // SAFETY: the array lives for the call.
    let status = unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return EXR_OK }
      return unsafe exr_writer_write(handle, Int32(clamping: rows), start, width, width * rows)
    }
    try check(status)
  }

  /// The file, complete after its last row.
  func finish() throws(ImageError) -> [UInt8] {
    try check(unsafe exr_writer_finish(handle))
    return output.bytes
  }

  private func check(_ status: exr_status) throws(ImageError) {
    guard status != EXR_OK else { return }
    // SAFETY: the message lives as long as the writer.
    let message =
      status == EXR_OUT_OF_MEMORY
      ? "not enough memory for OpenEXR" : unsafe String(cString: exr_writer_message(handle))
    throw ImageError(.codecFailure, message)
  }
}

/// What OpenEXR writes to; it goes back to fill in a table.
private final class EXROutput {
  private(set) var bytes: [UInt8] = []

  func put(_ source: UnsafeRawBufferPointer, at offset: Int) {
    let end = offset + source.count
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    // SAFETY: the array was made long enough for these bytes.
    unsafe bytes.withUnsafeMutableBytes { target in
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<end])
        .copyMemory(from: source)
    }
  }
}

/// Called by the library, by one thread at a time.
private func writeBytes(
  context: UnsafeMutableRawPointer, offset: UInt64, source: UnsafeRawPointer, count: Int32
) -> Int32 {
  // SAFETY: `context` is the `EXROutput` that outlives the writer, and `source` has `count` bytes.
  let output = unsafe Unmanaged<EXROutput>.fromOpaque(context).takeUnretainedValue()
  let bytes = unsafe UnsafeRawBufferPointer(start: source, count: Int(count))
  unsafe output.put(bytes, at: Int(offset))
  return 0
}
#endif
