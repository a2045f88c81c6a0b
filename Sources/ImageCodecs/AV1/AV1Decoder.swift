// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CDav1d
internal import HDRCore
internal import ImageFiles
internal import Platform

/// Decodes one AV1 still image to the planes as coded, using dav1d.
@safe struct AV1Decoder: ~Copyable {
  private let context: OpaquePointer
  /// The spatial layer to decode; `nil` for the highest of the operating point.
  private let layer: Int?

  /// - Parameters:
  ///   - operatingPoint: Index in the sequence header, 0...31.
  ///   - layer: The spatial layer to decode; `nil` for the highest of the operating point.
  ///   - limits: Limits of the size that the bitstream declares, which may not be that of its item.
  /// - Throws: `.outOfMemory`.
  init(operatingPoint: UInt8, layer: Int?, limits: ImageLimits) throws(ImageError) {
    self.layer = layer
    let budget = Execution.current.budget
    let affordable = (budget.memory - budget.usedMemory) / 2
    // SAFETY: dav1d copies the settings; this decoder owns `context` until `deinit`.
    var settings = unsafe Dav1dSettings()
    unsafe dav1d_default_settings(&settings)
    unsafe settings.n_threads = Int32(min(max(Execution.current.threads, 1), 64))
    // Threads work on one frame.
    unsafe settings.max_frame_delay = 1
    unsafe settings.operating_point = Int32(operatingPoint)
    unsafe settings.all_layers = layer == nil ? 0 : 1
    unsafe settings.frame_size_limit = UInt32(clamping: max(min(limits.pixels, affordable), 1))
    unsafe settings.logger.callback = nil
    var context: OpaquePointer?
    let status = unsafe dav1d_open(&context, &settings)
    guard let context = unsafe context, status == 0 else { throw Self.error(status) }
    unsafe self.context = context
  }

  deinit {
    // SAFETY: `context` is not shared; images keep what they need.
    var context: OpaquePointer? = unsafe context
    unsafe dav1d_close(&context)
  }

  /// Decodes the only image in the OBUs of an item.
  ///
  /// - Throws: `.malformed` for damaged data, `.limitExceeded` for too large an image.
  consuming func decode(_ units: [UInt8]) throws(ImageError) -> DecodedItem {
    let image = AV1Image()
    try unsafe units.withUnsafeBufferPointer { (bytes) throws(ImageError) in
      guard let start = bytes.baseAddress else {
        throw ImageError(.bitstreamNoImage, ["codec": "AV1"])
      }
      // SAFETY: dav1d refers to the bytes until both calls below, which end this closure also with errors.
      var data = unsafe Dav1dData()
      unsafe dav1d_data_wrap(&data, start, bytes.count, { _, _ in }, nil)
      defer {
        unsafe dav1d_data_unref(&data)
        unsafe dav1d_flush(context)
      }
      try unsafe decode(&data, into: image)
    }
    return try image.decodedItem()
  }

  private func decode(
    _ data: inout Dav1dData, into image: AV1Image
  ) throws(ImageError) {
    while true {
      let isLast = unsafe data.sz == 0
      if !isLast { try Self.check(unsafe dav1d_send_data(context, &data)) }
      let status = unsafe dav1d_get_picture(context, &image.image)
      if status == 0 {
        if layer == nil || image.spatialID == layer { return }
        image.release()
      } else if status != -EAGAIN {
        throw Self.error(status)
      } else if isLast {
        throw ImageError(.bitstreamNoImage, ["codec": "AV1"])
      }
    }
  }

  private static func check(_ status: Int32) throws(ImageError) {
    // More data are accepted after the next image.
    if status != 0, status != -EAGAIN { throw error(status) }
  }

  private static func error(_ status: Int32) -> ImageError {
    switch status {
    case -ENOMEM: ImageError(.outOfMemory, ["library": "dav1d"])
    case -ERANGE: ImageError(.limitExceeded, "the coded AV1 image is too large")
    default:
      ImageError(
        .libraryRejectedData, ["library": "dav1d", "detail": "invalid or incomplete data"])
    }
  }
}

/// An image in dav1d's memory.
@safe private final class AV1Image {
  var image = unsafe Dav1dPicture()

  deinit { release() }

  func release() {
    // SAFETY: this value has the only reference; dav1d ignores an image without data.
    unsafe dav1d_picture_unref(&image)
  }

  var spatialID: Int? {
    // SAFETY: the header lives as long as the image.
    unsafe image.frame_hdr.map { Int(unsafe $0.pointee.spatial_id) }
  }

  /// The planes, which retain this image.
  func decodedItem() throws(ImageError) -> DecodedItem {
    // SAFETY: dav1d declares these sizes for the planes, which live as long as the image.
    let parameters = unsafe image.p
    let chroma: ChromaSubsampling
    switch parameters.layout {
    case DAV1D_PIXEL_LAYOUT_I444: chroma = .yuv444
    case DAV1D_PIXEL_LAYOUT_I422: chroma = .yuv422
    case DAV1D_PIXEL_LAYOUT_I420: chroma = .yuv420
    default: chroma = .yuv400
    }
    let bits = Int(parameters.bpc)
    let layout = ImageLayout(
      codedWidth: Int(parameters.w), height: Int(parameters.h), chroma: chroma, bits: bits)
    let starts = unsafe [image.data.0, image.data.1, image.data.2]
    let strides = unsafe [image.stride.0, image.stride.1, image.stride.1]
    var planes: [DecodedItem.LibraryPlane] = []
    for index in 0..<layout.componentCount {
      let size = layout.planeSize(index)
      guard let start = unsafe starts[index], size.width > 0, size.height > 0 else {
        throw ImageError(.libraryResultUnexpected, ["library": "dav1d"])
      }
      planes.append(unsafe .init(start: start, bytesPerRow: strides[index]))
    }
    return unsafe DecodedItem(layout, bits: bits, planes: planes, owner: self)
  }
}
#endif
