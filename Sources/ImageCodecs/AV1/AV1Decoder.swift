// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageFiles

/// Decodes one AV1 still image to the planes as coded.
///
/// Uses libavif with dav1d or another decoder.
@safe final class AV1Decoder {
  private let handle: UnsafeMutablePointer<avifDecoder>

  init(limits: ImageLimits) throws(ImageError) {
    // SAFETY: this decoder owns `handle` until `deinit`.
    guard let handle = unsafe avifDecoderCreate() else {
      throw ImageError(.outOfMemory, ["library": "libavif"])
    }
    unsafe self.handle = handle
    unsafe handle.pointee.maxThreads = Int32(min(Execution.current.threads, 64))
    unsafe handle.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
    // The bitstream may declare another size than its item.
    let budget = Execution.current.budget
    let affordable = (budget.memory - budget.usedMemory) / 2
    unsafe handle.pointee.imageSizeLimit = UInt32(
      min(max(min(limits.pixels, affordable), 1), Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT)))
    unsafe handle.pointee.imageDimensionLimit = UInt32(clamping: max(limits.side, 1))
  }

  deinit {
    // SAFETY: `handle` is not shared; an image in its memory retains this decoder.
    unsafe avifDecoderDestroy(handle)
  }

  /// Decodes the only image, an item of type `av01`, of an AVIF file.
  ///
  /// - Throws: `.malformed` for damaged data, `.limitExceeded` for too large an image.
  /// - Returns: The image, which retains this decoder.
  func decode(file: [UInt8]) throws(ImageError) -> DecodedItem {
    // SAFETY: libavif reads the file's bytes only inside this closure; the image is decoded then.
    try unsafe file.withUnsafeBufferPointer { (bytes) throws(ImageError) -> DecodedItem in
      try check(unsafe avifDecoderSetIOMemory(handle, bytes.baseAddress, bytes.count))
      try check(unsafe avifDecoderParse(handle))
      try check(unsafe avifDecoderNextImage(handle))
      guard let image = unsafe handle.pointee.image else {
        throw ImageError(.libraryResultUnexpected, ["library": "libavif"])
      }
      return try unsafe item(image.pointee)
    }
  }

  private func item(_ image: avifImage) throws(ImageError) -> DecodedItem {
    // SAFETY: libavif declares these sizes for the planes of `image`; the planes live until the
    // decoder decodes again, which it does not, or is destroyed.
    let chroma: ChromaSubsampling
    switch unsafe image.yuvFormat {
    case AVIF_PIXEL_FORMAT_YUV444: chroma = .yuv444
    case AVIF_PIXEL_FORMAT_YUV422: chroma = .yuv422
    case AVIF_PIXEL_FORMAT_YUV420: chroma = .yuv420
    case AVIF_PIXEL_FORMAT_YUV400: chroma = .yuv400
    default: throw ImageError(.libraryResultUnexpected, ["library": "libavif"])
    }
    let bits = unsafe Int(image.depth)
    let format = unsafe ImageLayout(
      codedWidth: Int(image.width), height: Int(image.height), chroma: chroma, bits: bits)
    let starts = unsafe [image.yuvPlanes.0, image.yuvPlanes.1, image.yuvPlanes.2]
    let strides = unsafe [image.yuvRowBytes.0, image.yuvRowBytes.1, image.yuvRowBytes.2]
    var planes: [DecodedItem.LibraryPlane] = []
    for index in 0..<format.componentCount {
      let size = format.planeSize(index)
      guard let start = unsafe starts[index], size.width > 0, size.height > 0 else {
        throw ImageError(.libraryResultUnexpected, ["library": "libavif"])
      }
      planes.append(unsafe .init(start: start, bytesPerRow: Int(strides[index])))
    }
    return unsafe DecodedItem(format, bits: bits, planes: planes, owner: self)
  }

  private func check(_ result: avifResult) throws(ImageError) {
    guard result != AVIF_RESULT_OK else { return }
    // SAFETY: libavif's result names are constants, and its diagnosis is zero-terminated; both are
    // copied immediately.
    var reason = unsafe String(cString: avifResultToString(result))
    let detail = unsafe withUnsafePointer(to: handle.pointee.diag) {
      unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
    }
    if !detail.isEmpty { reason += ": \(detail)" }
    switch result {
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
      throw ImageError(.missingCodec, "libavif: {detail}", ["detail": reason])
    case AVIF_RESULT_TRUNCATED_DATA:
      throw ImageError(.truncated, "{library}: {detail}", ["library": "libavif", "detail": reason])
    case AVIF_RESULT_OUT_OF_MEMORY, AVIF_RESULT_NOT_IMPLEMENTED:
      throw ImageError(.limitExceeded, "libavif: {detail}", ["detail": reason])
    default: throw ImageError(.libraryRejectedData, ["library": "libavif", "detail": reason])
    }
  }
}
#endif
