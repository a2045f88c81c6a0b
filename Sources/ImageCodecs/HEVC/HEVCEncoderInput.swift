// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibHEIF
internal import HDRCore
internal import ImageFiles

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
