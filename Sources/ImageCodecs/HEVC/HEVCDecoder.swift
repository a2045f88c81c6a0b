// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibDE265
internal import HDRCore
internal import ImageFiles

/// Decodes one HEVC picture to the planes as coded, using libde265.
@safe final class HEVCDecoder {
  private let context: UnsafeMutableRawPointer
  private let limits: ImageLimits
  /// Warnings of the library that do not affect whether all samples are decoded.
  private var warnings: [String] = []

  /// Creates a decoder; it uses several threads if the bitstream was encoded for parallel decoding.
  init(limits: ImageLimits) throws(ImageError) {
    // SAFETY: this decoder owns `context` until `deinit`.
    guard let context = unsafe de265_new_decoder() else {
      throw ImageError(.outOfMemory, ["library": "libde265"])
    }
    unsafe self.context = context
    self.limits = limits
    unsafe de265_set_parameter_bool(context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 1)
    unsafe de265_set_parameter_bool(context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1)
    // libde265 allows at most 32 threads. Without any, it does not report damaged substreams.
    unsafe _ = de265_start_worker_threads(context, Int32(min(Execution.current.threads, 32)))
  }

  deinit {
    // SAFETY: `context` is not shared; an image in its memory retains this decoder.
    unsafe _ = de265_free_decoder(context)
  }

  /// Decodes the only image in `bytes`.
  ///
  /// - Parameters:
  ///   - configuration: The parameter sets and the size of NAL unit lengths.
  ///   - bytes: Length-prefixed NAL units.
  /// - Returns: The planes inside the conformance window, which retain this decoder.
  /// - Throws: `.truncated` or `.malformed` for damaged data, `.limitExceeded` for too large an
  ///   image.
  func decode(
    _ configuration: HEVCConfigurationBox, bytes: [UInt8]
  ) throws(ImageError) -> DecodedItem {
    try decode(Self.units(configuration, bytes: bytes, limits: limits))
  }

  /// Decodes the only image in NAL units that `units(_:bytes:limits:)` returned.
  func decode(_ units: [HEVCNALUnit]) throws(ImageError) -> DecodedItem {
    for unit in units { try push(unit) }
    // SAFETY: this decoder owns `context`.
    try check(unsafe de265_flush_data(context))
    return try decodedItem()
  }

  /// The NAL units of an image, without those of enhancement layers.
  ///
  /// - Throws: As `decode(_:bytes:)`.
  static func units(
    _ configuration: HEVCConfigurationBox, bytes: [UInt8], limits: ImageLimits
  ) throws(ImageError) -> [HEVCNALUnit] {
    // libde265 reads the byte after the header without a bounds check.
    let units =
      try
      (configuration.parameterSets
      + HEVCNALUnit.split(bytes, lengthSize: configuration.nalLengthSize))
      .filter { $0.layerID == 0 && $0.bytes.count > 2 }
    for unit in units where unit.type == .sequenceParameterSet {
      try checkSize(HEVCSequenceParameterSet(parsing: unit), limits)
    }
    return units
  }

  private func push(_ unit: HEVCNALUnit) throws(ImageError) {
    // SAFETY: libde265 copies the bytes.
    let status = unsafe unit.bytes.withUnsafeBytes {
      unsafe de265_push_NAL(context, $0.baseAddress, Int32(clamping: $0.count), 0, nil)
    }
    try check(status)
  }

  /// Checks the size that libde265 would allocate; up to 64 samples per side may be padding.
  private static func checkSize(
    _ set: HEVCSequenceParameterSet, _ limits: ImageLimits
  ) throws(ImageError) {
    try limits.check(width: max(set.codedWidth - 64, 1), height: max(set.codedHeight - 64, 1))
    try Execution.current.budget.require(
      memory: 2 * set.codedWidth * set.codedHeight, for: "samples")
  }

  private func decodedItem() throws(ImageError) -> DecodedItem {
    // SAFETY: `more` lives for the call; libde265 owns the image and does not decode another one
    // before it is freed.
    var more: Int32 = 1
    while more != 0 {
      let status = unsafe de265_decode(context, &more)
      if let image = unsafe de265_get_next_picture(context) {
        try checkWarnings()
        return try unsafe decoded(image)
      }
      if status == DE265_ERROR_WAITING_FOR_INPUT_DATA { break }
      try check(status)
    }
    try checkWarnings()
    throw ImageError(.bitstreamNoImage, ["codec": "HEVC"])
  }

  private func decoded(_ image: OpaquePointer) throws(ImageError) -> DecodedItem {
    // SAFETY: libde265 declares these sizes for the planes of `image`; they live as long as the
    // decoder, which is not used again.
    let bits = unsafe Int(de265_get_bits_per_pixel(image, 0))
    let chroma: ChromaSubsampling =
      switch unsafe de265_get_chroma_format(image) {
      case de265_chroma_420: .yuv420
      case de265_chroma_422: .yuv422
      case de265_chroma_444: .yuv444
      default: .yuv400
      }
    let format = ImageLayout(
      codedWidth: unsafe Int(de265_get_image_width(image, 0)),
      height: unsafe Int(de265_get_image_height(image, 0)), chroma: chroma, bits: bits)
    guard format.width > 0, format.height > 0 else {
      throw ImageError(.malformed, "the conformance window removes the whole image")
    }
    var planes: [DecodedItem.LibraryPlane] = []
    for channel in 0..<format.componentCount {
      let index = Int32(channel)
      let size = format.planeSize(channel)
      guard unsafe Int(de265_get_bits_per_pixel(image, index)) == bits else {
        throw ImageError(.hevcDepthsDiffer)
      }
      var bytesPerRow: Int32 = 0
      guard let start = unsafe de265_get_image_plane(image, index, &bytesPerRow),
        unsafe Int(de265_get_image_width(image, index)) == size.width,
        unsafe Int(de265_get_image_height(image, index)) == size.height
      else { throw ImageError(.libraryResultUnexpected, ["library": "libde265"]) }
      planes.append(unsafe .init(start: start, bytesPerRow: Int(bytesPerRow)))
    }
    return unsafe DecodedItem(format, bits: bits, planes: planes, owner: self, warnings: warnings)
  }

  /// Throws for warnings of libde265 that leave samples without data, and keeps the others.
  ///
  /// libde265 has errors for parameters it cannot use only; where data end or are damaged, it warns
  /// and leaves blocks as they are.
  private func checkWarnings() throws(ImageError) {
    let lossy = [
      DE265_WARNING_PREMATURE_END_OF_SLICE_SEGMENT, DE265_WARNING_INCORRECT_ENTRY_POINT_OFFSET,
      DE265_WARNING_CTB_OUTSIDE_IMAGE_AREA, DE265_WARNING_SLICEHEADER_INVALID,
      DE265_WARNING_NONEXISTING_PPS_REFERENCED, DE265_WARNING_NONEXISTING_SPS_REFERENCED,
      DE265_WARNING_EOSS_BIT_NOT_SET,
      DE265_WARNING_SLICE_SEGMENT_ADDRESS_INVALID,
      DE265_WARNING_DEPENDENT_SLICE_WITH_ADDRESS_ZERO,
      DE265_WARNING_CANNOT_APPLY_SAO_OUT_OF_MEMORY, DE265_WARNING_INVALID_SLICE_HEADER_INDEX_ACCESS,
      // A missing reference of an image that is not intra coded.
      de265_error(1012),
    ]
    // About threads of this process, not about the image.
    let technical = [
      DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING, DE265_WARNING_WARNING_BUFFER_FULL,
      DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
      DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI,
    ]
    while true {
      // SAFETY: this decoder owns `context`.
      let warning = unsafe de265_get_warning(context)
      if warning == DE265_OK { return }
      if lossy.contains(warning) { throw Self.error(warning) }
      if !technical.contains(warning) { warnings.append(Self.text(of: warning)) }
    }
  }

  private func check(_ status: de265_error) throws(ImageError) {
    if status != DE265_OK { throw Self.error(status) }
  }

  private static func text(of status: de265_error) -> String {
    // SAFETY: the texts are constant.
    unsafe String(cString: de265_get_error_text(status))
  }

  private static func error(_ status: de265_error) -> ImageError {
    let text = text(of: status)
    return switch status {
    case DE265_ERROR_OUT_OF_MEMORY:
      ImageError(.limitExceeded, "libde265: {detail}", ["detail": text])
    case DE265_ERROR_NOT_IMPLEMENTED_YET:
      ImageError(.unsupported, "libde265: {detail}", ["detail": text])
    default: ImageError(.libraryRejectedData, ["library": "libde265", "detail": text])
    }
  }
}
#endif
