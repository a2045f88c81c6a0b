// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// One codestream of half-float samples that jxrlib encodes, a row of macroblocks at a time.
@safe final class JPEGXREncoder {
  /// Quantization parameters (QP_INDEX) of luma and chroma; 1 is lossless.
  struct Quantization {
    let luma: UInt8
    let chroma: UInt8
    static let lossless = Quantization(luma: 1, chroma: 1)
  }

  private let handle: OpaquePointer
  /// Number of samples of a row.
  private let rowCount: Int
  /// The memory of the library.
  private let memory: Execution.Reservation

  /// Starts a codestream.
  ///
  /// - Throws: `.outOfMemory`; `.limitExceeded` if the budget does not suffice.
  init(
    width: Int, height: Int, isGray: Bool, _ quantization: Quantization
  ) throws(ImageError) {
    let count = isGray ? 1 : 3
    rowCount = width * count
    // Two rows of macroblocks of 32-bit coefficients, their prediction, and bytes that were not taken.
    let columns = (width + 15) / 16
    memory = try Execution.current.budget.reserve(
      memory: 1 << 19 + columns * (count * 4096 + 4096), for: "JPEG XR encoder")
    guard let handle = unsafe jpegxr_writer_create() else {
      throw ImageError(.outOfMemory, ["library": "jxrlib"])
    }
    unsafe self.handle = handle
    try Self.check(
      unsafe jpegxr_writer_open(
        handle, UInt32(clamping: width), UInt32(clamping: height), isGray ? 1 : 0,
        quantization.luma, quantization.chroma))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpegxr_writer_free(handle)
  }

  /// Encodes the next 16 rows, or the rest at the end of the image.
  ///
  /// - Parameter samples: The bits of half floats, interleaved.
  /// - Returns: Bytes of the codestream that are complete.
  /// - Throws: Errors of the library; `.cancelled`.
  func encode(_ samples: [UInt16]) throws(ImageError) -> [UInt8] {
    try Execution.current.checkCancellation()
    let rows = UInt32(clamping: samples.count / rowCount)
    // SAFETY: the library reads `rows` rows of `rowCount` samples, which `samples` has.
    let status = unsafe samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return JPEGXR_REJECTED }
      return unsafe jpegxr_writer_next(handle, start, rows, 2 * rowCount)
    }
    return try taken(status)
  }

  /// Completes the codestream.
  ///
  /// - Returns: Its last bytes.
  /// - Throws: Errors of the library.
  func finish() throws(ImageError) -> [UInt8] { try taken(unsafe jpegxr_writer_finish(handle)) }

  private func taken(_ status: jpegxr_status) throws(ImageError) -> [UInt8] {
    try Self.check(status)
    var count = 0
    // SAFETY: `count` bytes are valid until the next call, and are copied before.
    let bytes = unsafe jpegxr_writer_bytes(handle, &count)
    let copy = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    unsafe jpegxr_writer_discard(handle)
    return copy
  }

  private static func check(_ status: jpegxr_status) throws(ImageError) {
    switch status {
    case JPEGXR_OK: return
    case JPEGXR_OUT_OF_MEMORY: throw ImageError(.outOfMemory, ["library": "jxrlib"])
    default:
      throw ImageError(.libraryRejectedData, ["library": "jxrlib", "detail": "no reason given"])
    }
  }
}
#endif
