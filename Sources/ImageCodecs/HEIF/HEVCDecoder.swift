#if HEIF
internal import CLibDE265
internal import HDRCore

/// Decodes one HEVC picture to exactly the planes that were coded: libde265.
@safe struct HEVCDecoder: ~Copyable {
  private let context: UnsafeMutableRawPointer

  /// Prepares a decoder; more threads help where a picture was coded for them.
  init(limits: ImageLimits, threads: Int) throws(ImageError) {
    guard let context = unsafe de265_new_decoder() else {
      throw ImageError(.codecFailure, "libde265 has no memory for a decoder")
    }
    unsafe self.context = context
    unsafe de265_set_parameter_bool(
      context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1)
    unsafe de265_set_parameter_bool(context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1)
    unsafe Self.limitAllocations(of: context, to: limits.pixels)
    if threads > 1 {
      // At most 32 threads are allowed.
      unsafe _ = de265_start_worker_threads(context, Int32(min(threads, 32)))
    }
  }

  deinit { unsafe _ = de265_free_decoder(context) }

  /// Makes libde265 refuse pictures of more than `pixels`, whatever parameter sets are in the data.
  private static func limitAllocations(of context: UnsafeMutableRawPointer, to pixels: Int) {
    // SAFETY: libde265 copies the two functions; the first calls the one it stands for with the
    // same arguments. The limit travels as the bits of a pointer that is never followed.
    guard let standard = unsafe de265_get_default_image_allocation_functions() else { return }
    var functions = unsafe standard.pointee
    unsafe functions.get_buffer = { context, spec, image, limit in
      guard let spec = unsafe spec,
        let standard = unsafe de265_get_default_image_allocation_functions()
      else { return 0 }
      let (width, height) = unsafe (Int(spec.pointee.width), Int(spec.pointee.height))
      guard width > 0, height > 0, width <= Int(bitPattern: limit) / height else { return 0 }
      return unsafe standard.pointee.get_buffer(context, spec, image, nil)
    }
    unsafe de265_set_image_allocation_functions(
      context, &functions, UnsafeMutableRawPointer(bitPattern: max(pixels, 1)))
  }

  /// Decodes the one picture in `bytes`.
  ///
  /// - Parameters:
  ///   - parameterSets: NAL units of the configuration record: VPS, SPS, PPS, SEI.
  ///   - bytes: NAL units, each behind its length.
  ///   - lengthSize: Bytes of each length.
  /// - Returns: The planes inside the conformance window.
  /// - Throws: `.truncated` or `.malformed` for damaged data, `.limitExceeded` for too large a
  ///   picture.
  consuming func decode(
    parameterSets: [[UInt8]], bytes: [UInt8], lengthSize: Int
  ) throws(ImageError) -> CodedPlanes {
    for unit in parameterSets { try push(unit[...]) }
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= lengthSize else {
        throw ImageError(.truncated, "the length of a NAL unit is cut off")
      }
      let length = bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length <= bytes.count - position else {
        throw ImageError(
          .truncated, "a NAL unit of \(length) bytes, of which \(bytes.count - position) are there")
      }
      try push(bytes[position..<position + length])
      position += length
    }
    try check(unsafe de265_flush_data(context))
    return try decodedPicture()
  }

  private func push(_ unit: ArraySlice<UInt8>) throws(ImageError) {
    // Two bytes of header; libde265 reads them unchecked.
    guard unit.count > 2 else { return }
    // SAFETY: libde265 copies the bytes.
    let status = unsafe unit.withUnsafeBytes {
      unsafe de265_push_NAL(context, $0.baseAddress, Int32(clamping: $0.count), 0, nil)
    }
    try check(status)
  }

  private func decodedPicture() throws(ImageError) -> CodedPlanes {
    var more: Int32 = 1
    while more != 0 {
      let status = unsafe de265_decode(context, &more)
      // SAFETY: the picture is libde265's own; its samples are copied before the next call.
      if let picture = unsafe de265_get_next_picture(context) {
        try checkWarnings()
        return try unsafe planes(of: picture)
      }
      if status == DE265_ERROR_WAITING_FOR_INPUT_DATA { break }
      try check(status)
    }
    try checkWarnings()
    throw ImageError(.malformed, "no complete HEVC picture in the data")
  }

  private func planes(of picture: OpaquePointer) throws(ImageError) -> CodedPlanes {
    let bits = unsafe Int(de265_get_bits_per_pixel(picture, 0))
    let chroma: ChromaSubsampling =
      switch unsafe de265_get_chroma_format(picture) {
      case de265_chroma_420: .yuv420
      case de265_chroma_422: .yuv422
      case de265_chroma_444: .yuv444
      default: .yuv400
      }
    let format = StoredFormat(
      width: unsafe Int(de265_get_image_width(picture, 0)),
      height: unsafe Int(de265_get_image_height(picture, 0)),
      components: chroma == .yuv400 ? .gray : .ycbcr(chroma), samples: .integer(bits: bits))
    guard format.width > 0, format.height > 0 else {
      throw ImageError(.malformed, "the conformance window leaves nothing of the picture")
    }
    var planes: [Plane<UInt16>] = []
    for channel in 0..<format.componentCount {
      let index = Int32(channel)
      let size = format.planeSize(channel)
      guard unsafe Int(de265_get_bits_per_pixel(picture, index)) == bits else {
        throw ImageError(.unsupported, "luma and chroma of different depths")
      }
      var bytesPerRow: Int32 = 0
      guard let start = unsafe de265_get_image_plane(picture, index, &bytesPerRow),
        unsafe Int(de265_get_image_width(picture, index)) == size.width,
        unsafe Int(de265_get_image_height(picture, index)) == size.height
      else { throw ImageError(.codecFailure, "libde265 yields planes of unexpected size") }
      // SAFETY: libde265 says that the plane has this size.
      planes.append(
        unsafe Plane(
          copying: start, width: size.width, height: size.height, bytesPerRow: Int(bytesPerRow),
          bits: bits))
    }
    return CodedPlanes(
      width: format.width, height: format.height, chroma: chroma, bits: bits, planes: planes)
  }

  /// Turns what libde265 found odd into an error, except for what cannot change samples.
  private func checkWarnings() throws(ImageError) {
    let harmless = [
      DE265_OK, DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING, DE265_WARNING_WARNING_BUFFER_FULL,
      DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
      DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI,
    ]
    while true {
      let warning = unsafe de265_get_warning(context)
      if warning == DE265_OK { return }
      if !harmless.contains(warning) { throw Self.error(warning) }
    }
  }

  private func check(_ status: de265_error) throws(ImageError) {
    if status != DE265_OK { throw Self.error(status) }
  }

  private static func error(_ status: de265_error) -> ImageError {
    let text = unsafe String(cString: de265_get_error_text(status))
    return switch status {
    case DE265_ERROR_OUT_OF_MEMORY:
      ImageError(.limitExceeded, "libde265: \(text), or the picture exceeds the limit of pixels")
    case DE265_ERROR_NOT_IMPLEMENTED_YET: ImageError(.unsupported, "libde265: \(text)")
    default: ImageError(.malformed, "libde265: \(text)")
    }
  }
}
#endif
