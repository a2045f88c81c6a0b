// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibHEIF
internal import HDRCore
internal import ImageFiles

/// Encodes images as HEVC intra pictures, using x265 through libheif.
@safe struct HEVCEncoder: ~Copyable {
  private let context: OpaquePointer
  private let encoder: OpaquePointer

  /// - Throws: `.missingCodec` without libheif, or if it does not include an HEVC encoder.
  init() throws(ImageError) {
    // SAFETY: this encoder owns both handles until `deinit`, or frees the context if libheif does
    // not have an encoder.
    guard let context = unsafe heif_context_alloc() else {
      throw ImageError(.outOfMemory, ["library": "libheif"])
    }
    var encoder: OpaquePointer?
    let status = unsafe heif_context_get_encoder_for_format(
      context, heif_compression_HEVC, &encoder)
    guard let encoder = unsafe encoder, unsafe status.code == heif_error_Ok else {
      unsafe heif_context_free(context)
      throw ImageError(.heifEncoderMissing)
    }
    unsafe self.context = context
    unsafe self.encoder = encoder
  }

  deinit {
    // SAFETY: the handles are not shared.
    unsafe heif_encoder_release(encoder)
    unsafe heif_context_free(context)
  }

  /// Encodes an image.
  ///
  /// The coded image is even and at least 64 samples wide and high, so that no version of libheif
  /// wraps or crops it. Smaller and odd images repeat their last column and row, which the
  /// conformance window removes. With subsampled chroma one odd column or row remains.
  ///
  /// - Throws: `.invalidArgument` for samples that this encoder does not support, `.codecFailure`
  ///   if x265 fails.
  consuming func encode(
    _ image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation, options: EncoderOptions
  ) throws(ImageError) -> CodedItem {
    guard case .integer(let bits) = image.layout.samples, [8, 10, 12].contains(bits) else {
      throw ImageError(.invalidArgument, "HEVC images are written with 8, 10 or 12 bits")
    }
    try configure(chroma: image.layout.chroma, cicp: cicp, options: options)
    // HEVC infers the left if the location is not signaled.
    if image.layout.chroma == .yuv420, chromaLocation != .left {
      try set("x265:chromaloc", chromaLocation == .center ? "1" : "2")
    }
    var padded = image.layout
    padded.width = max((padded.width + 1) & ~1, 64)
    padded.height = max((padded.height + 1) & ~1, 64)
    let profile = try HEIFColorProfile(cicp)
    let input = try HEVCEncoderInput(format: padded)
    try input.set(profile)
    let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
    for (index, plane) in try image.planesInCodingOrder().enumerated() {
      let size = padded.planeSize(index)
      try input.addPlane(
        plane, to: channels[index], width: size.width, height: size.height, bits: bits)
    }
    try code(input, profile)
    var coded = try CodedItem(takenFrom: written())
    let shown = (image.layout.width, image.layout.height)
    if (coded.width, coded.height) != shown { try coded.crop(width: shown.0, height: shown.1) }
    try coded.signalProfile()
    return coded
  }

  private func code(
    _ image: borrowing HEVCEncoderInput, _ profile: borrowing HEIFColorProfile
  ) throws(ImageError) {
    // SAFETY: this function owns the options; libheif copies what it keeps of image and profile.
    guard let encodingOptions = unsafe heif_encoding_options_alloc() else {
      throw ImageError(.outOfMemory, ["library": "libheif"])
    }
    defer { unsafe heif_encoding_options_free(encodingOptions) }
    unsafe encodingOptions.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
    unsafe encodingOptions.pointee.output_nclx_profile = profile.handle
    try unsafe checkHEIF(
      heif_context_encode_image(context, image.handle, encoder, encodingOptions, nil))
  }

  private func configure(
    chroma: ChromaSubsampling, cicp: CICP, options: EncoderOptions
  ) throws(ImageError) {
    // SAFETY: this value owns `encoder`.
    let isLossless = options.isLossless || options.quality >= EncoderOptions.bestQuality
    try unsafe checkHEIF(heif_encoder_set_lossless(encoder, isLossless ? 1 : 0))
    if !isLossless {
      try unsafe checkHEIF(
        heif_encoder_set_lossy_quality(
          encoder, Int32(max(options.quality, 0))))
    }
    let presets = [
      "placebo", "veryslow", "slower", "slower", "slow", "medium", "fast", "faster", "veryfast",
      "superfast", "ultrafast",
    ]
    try set("preset", presets[min(max(options.speed, 0), 10)])
    try set("tune", "ssim")
    try set("chroma", chroma == .yuv400 ? "420" : chroma.rawValue)
    try set("x265:pools", "\(min(Execution.current.threads, 64))")
    if !isLossless, cicp.matrix != .identity, cicp.matrix != .ictcp {
      try set("x265:cbqpoffs", "-3")
      try set("x265:crqpoffs", "-6")
    }
  }

  private func set(_ parameter: String, _ value: String) throws(ImageError) {
    // SAFETY: libheif copies both strings.
    try unsafe checkHEIF(heif_encoder_set_parameter(encoder, parameter, value))
  }

  /// The file in which libheif stores the encoded image.
  private func written() throws(ImageError) -> [UInt8] {
    // SAFETY: `target` is the array below, which lives until libheif has written; libheif keeps the
    // `size` bytes at `data` until the callback, which copies them, returns.
    var writer = unsafe heif_writer(
      writer_api_version: 1,
      write: { _, data, size, target in
        unsafe target?.assumingMemoryBound(to: [UInt8].self).pointee
          .append(contentsOf: UnsafeRawBufferPointer(start: data, count: size))
        return unsafe heif_error(
          code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: nil)
      })
    var bytes: [UInt8] = []
    let status = unsafe withUnsafeMutablePointer(to: &bytes) {
      unsafe heif_context_write(context, &writer, $0)
    }
    try unsafe checkHEIF(status)
    return bytes
  }
}

extension CodedItem {
  /// Extracts the only coded image from a file that libheif wrote.
  ///
  /// - Throws: `.codecFailure` if the file does not contain an HEVC item.
  fileprivate init(takenFrom file: [UInt8]) throws(ImageError) {
    let graph = try HEIFFile(parsing: ByteSource(file))
    guard let item = graph.items.first(where: { $0.type == "hvc1" }),
      let configuration = item.property(HEVCConfigurationBox.self),
      let size = item.property(ImageSpatialExtentsBox.self)
    else { throw ImageError(.codecFailure, "libheif did not write an HEVC image") }
    self.init(
      configuration: .hevcConfiguration(configuration), bytes: try graph.data(of: item.id),
      width: Int(size.width), height: Int(size.height))
  }

  /// Reduces the conformance window as far as chroma subsampling allows.
  fileprivate mutating func crop(width: Int, height: Int) throws(ImageError) {
    guard case .hevcConfiguration(let record) = configuration else { return }
    // libde265 counts a row of 4:2:2 as two when it checks that the window is not empty.
    let coded = try record.sequenceParameterSet
    let isMistaken =
      coded.chroma == .yuv422 && 2 * (coded.codedHeight - height) >= coded.codedHeight
    let cropped = try record.cropped(width: width, height: isMistaken ? self.height : height)
    let set = try cropped.sequenceParameterSet
    configuration = .hevcConfiguration(cropped)
    (self.width, self.height) = (set.width, set.height)
  }

  /// Signals Main 10 where it applies, and synchronizes the record with the sequence parameter set.
  fileprivate mutating func signalProfile() throws(ImageError) {
    guard case .hevcConfiguration(let record) = configuration else { return }
    let marked = try record.markedMain10
    configuration = .hevcConfiguration(
      try HEVCConfigurationBox(parameterSets: marked.parameterSets))
  }
}

/// An image in libheif's memory, as input of its encoder.
@safe struct HEVCEncoderInput: ~Copyable {
  let handle: OpaquePointer

  /// Creates an image without planes.
  init(format: ImageLayout) throws(ImageError) {
    let (space, chroma) =
      switch format.chroma {
      case .yuv400: (heif_colorspace_monochrome, heif_chroma_without_color)
      case .yuv420: (heif_colorspace_YCbCr, heif_chroma_420)
      case .yuv422: (heif_colorspace_YCbCr, heif_chroma_422)
      case .yuv444: (heif_colorspace_YCbCr, heif_chroma_444)
      }
    // SAFETY: this image owns `handle` until `deinit`.
    var handle: OpaquePointer?
    try unsafe checkHEIF(
      heif_image_create(
        Int32(clamping: format.width), Int32(clamping: format.height), space, chroma, &handle))
    guard let handle = unsafe handle else { throw ImageError(.outOfMemory, ["library": "libheif"]) }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared; an encoder holds its own reference.
    unsafe heif_image_release(handle)
  }

  func set(_ profile: borrowing HEIFColorProfile) throws(ImageError) {
    // SAFETY: libheif copies the profile.
    try unsafe checkHEIF(heif_image_set_nclx_color_profile(handle, profile.handle))
  }

  /// Adds a plane and copies samples into it; a larger plane repeats the last column and row.
  func addPlane(
    _ plane: Plane<UInt16>, to channel: heif_channel, width: Int, height: Int, bits: Int
  ) throws(ImageError) {
    // SAFETY: libheif declares that each of `height` rows has room for `width` samples, of one byte
    // up to 8 bits and of two above; the plane belongs to the image, which outlives this function.
    try unsafe checkHEIF(
      heif_image_add_plane(
        handle, channel, Int32(clamping: width), Int32(clamping: height), Int32(clamping: bits)))
    var bytesPerRow: Int32 = 0
    guard let start = unsafe heif_image_get_plane(handle, channel, &bytesPerRow) else {
      throw ImageError(.outOfMemory, ["library": "libheif"])
    }
    for y in 0..<height {
      let samples = plane.row(min(y, plane.height - 1))
      let row = unsafe UnsafeMutableRawPointer(start + y * Int(bytesPerRow))
      if bits > 8 {
        let target = unsafe row.assumingMemoryBound(to: UInt16.self)
        for x in 0..<width { unsafe target[x] = samples[min(x, samples.count - 1)] }
      } else {
        let target = unsafe row.assumingMemoryBound(to: UInt8.self)
        for x in 0..<width {
          unsafe target[x] = UInt8(truncatingIfNeeded: samples[min(x, samples.count - 1)])
        }
      }
    }
  }
}

/// Code points in libheif's memory.
@safe struct HEIFColorProfile: ~Copyable {
  let handle: UnsafeMutablePointer<heif_color_profile_nclx>

  init(_ cicp: CICP) throws(ImageError) {
    // SAFETY: this value owns `handle` until `deinit`.
    guard let handle = unsafe heif_nclx_color_profile_alloc() else {
      throw ImageError(.outOfMemory, ["library": "libheif"])
    }
    unsafe self.handle = handle
    unsafe handle.pointee.color_primaries = .init(UInt32(cicp.primaries.rawValue))
    unsafe handle.pointee.transfer_characteristics = .init(UInt32(cicp.transfer.rawValue))
    unsafe handle.pointee.matrix_coefficients = .init(UInt32(cicp.matrix.rawValue))
    unsafe handle.pointee.full_range_flag = cicp.isFullRange ? 1 : 0
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe heif_nclx_color_profile_free(handle)
  }
}

/// Converts a libheif status to an `ImageError`.
func checkHEIF(_ status: heif_error) throws(ImageError) {
  // SAFETY: the message is a constant, or valid until libheif's next call; it is copied
  // immediately.
  guard unsafe status.code != heif_error_Ok else { return }
  let message = unsafe status.message.map { unsafe String(cString: $0) } ?? "no message"
  throw ImageError(.libraryFailed, ["library": "libheif", "detail": message])
}
#endif
