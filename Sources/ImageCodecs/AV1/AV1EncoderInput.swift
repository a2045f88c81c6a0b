// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageFiles

/// An image as input of libavif, with borrowed planes.
@safe struct AV1EncoderInput: ~Copyable {
  let handle: UnsafeMutablePointer<avifImage>

  /// Describes an image without alpha to libavif.
  ///
  /// AV1 does not have a code for centered chroma, so that location is signaled as unknown.
  init(
    format: ImageLayout, bits: Int, cicp: CICP, chromaLocation: ChromaLocation
  ) throws(ImageError) {
    let pixelFormat =
      switch format.chroma {
      case .yuv400: AVIF_PIXEL_FORMAT_YUV400
      case .yuv420: AVIF_PIXEL_FORMAT_YUV420
      case .yuv422: AVIF_PIXEL_FORMAT_YUV422
      case .yuv444: AVIF_PIXEL_FORMAT_YUV444
      }
    let (width, height) = (UInt32(clamping: format.width), UInt32(clamping: format.height))
    // SAFETY: this image owns `handle` until `deinit`.
    guard let handle = unsafe avifImageCreate(width, height, UInt32(bits), pixelFormat) else {
      throw ImageError(.outOfMemory, ["library": "libavif"])
    }
    unsafe self.handle = handle
    unsafe handle.pointee.colorPrimaries = cicp.primaries.rawValue
    unsafe handle.pointee.transferCharacteristics = cicp.transfer.rawValue
    unsafe handle.pointee.matrixCoefficients = cicp.matrix.rawValue
    unsafe handle.pointee.yuvRange = cicp.isFullRange ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED
    unsafe handle.pointee.yuvChromaSamplePosition =
      switch (format.chroma, chromaLocation) {
      case (.yuv420, .left): AVIF_CHROMA_SAMPLE_POSITION_VERTICAL
      case (.yuv420, .topLeft): AVIF_CHROMA_SAMPLE_POSITION_COLOCATED
      default: AVIF_CHROMA_SAMPLE_POSITION_UNKNOWN
      }
  }

  deinit {
    // SAFETY: `handle` is not shared, and libavif does not free planes that it does not own.
    unsafe avifImageDestroy(handle)
  }

  /// Runs `body` with borrowed planes: bytes for 8 bits, 16-bit integers above.
  func withPlanes<Sample, Result>(
    _ planes: [Plane<Sample>],
    _ body: (borrowing AV1EncoderInput) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    try lend(planes[...], body)
  }

  private func lend<Sample, Result>(
    _ planes: ArraySlice<Plane<Sample>>,
    _ body: (borrowing AV1EncoderInput) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard let plane = planes.first else { return try body(self) }
    // SAFETY: libavif only reads the planes, and only before this closure returns; it does not own
    // them.
    return try unsafe plane.span.withUnsafeBytes {
      (samples) throws(ImageError) -> Result in
      let start = unsafe UnsafeMutablePointer(
        mutating: samples.baseAddress?.assumingMemoryBound(to: UInt8.self))
      let bytesPerRow = UInt32(clamping: plane.width * MemoryLayout<Sample>.stride)
      switch planes.startIndex {
      case 0:
        unsafe handle.pointee.yuvPlanes.0 = start
        unsafe handle.pointee.yuvRowBytes.0 = bytesPerRow
      case 1:
        unsafe handle.pointee.yuvPlanes.1 = start
        unsafe handle.pointee.yuvRowBytes.1 = bytesPerRow
      default:
        unsafe handle.pointee.yuvPlanes.2 = start
        unsafe handle.pointee.yuvRowBytes.2 = bytesPerRow
      }
      return try lend(planes.dropFirst(), body)
    }
  }
}
#endif
