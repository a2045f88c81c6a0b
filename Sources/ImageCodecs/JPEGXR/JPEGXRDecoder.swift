// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// One codestream that jxrlib decodes, a row of macroblocks at a time.
@safe final class JPEGXRDecoder {
  private let handle: OpaquePointer
  private let offset: Int
  /// Size of a row, in bytes.
  let rowSize: Int
  /// The memory of the library, and of its copy of the codestream.
  private let memory: Execution.Reservation
  /// Rows that were decoded last, `rowSize` bytes each.
  private(set) var rows: [UInt8]
  /// Number of rows of macroblocks that were decoded.
  private(set) var decoded = 0

  /// Starts to decode a codestream.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - range: The codestream in the file.
  ///   - header: Its header.
  ///   - bits: Bits of a decoded pixel, with alpha if `hasAlpha`.
  ///   - hasAlpha: Whether interleaved alpha is decoded.
  /// - Throws: Errors of the library; `.limitExceeded` if the budget does not suffice.
  init(
    _ source: ByteSource, _ range: Range<Int>, _ header: JPEGXRCodestream, bits: Int,
    hasAlpha: Bool
  ) throws(ImageError) {
    offset = range.lowerBound
    rowSize = (header.width * bits + 7) / 8
    memory = try Execution.current.budget.reserve(
      memory: 2 * range.count + header.decoderMemory + Self.height * rowSize,
      for: "JPEG XR decoder")
    rows = [UInt8](repeating: 0, count: Self.height * rowSize)
    let bytes = try source.bytes(in: range)
    // SAFETY: the library copies the bytes before it returns.
    let handle = unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe jpegxr_reader_create(start, bytes.count)
    }
    guard let handle = unsafe handle else {
      throw ImageError(.outOfMemory, ["library": "jxrlib"])
    }
    unsafe self.handle = handle
    var layout = jpegxr_layout()
    // SAFETY: `layout` lives for the call.
    try check(
      unsafe jpegxr_reader_open(
        handle, UInt32(clamping: bits), hasAlpha ? 1 : 0, UInt32(clamping: header.margins.top),
        &layout))
    guard layout.width == header.width, layout.height == header.height,
      layout.color_format == header.colorFormat, layout.bit_depth == header.bitDepth
    else {
      throw ImageError(
        .libraryResultUnexpected, ["library": "jxrlib"], at: .init(offset: offset))
    }
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpegxr_reader_free(handle)
  }

  /// Number of rows of a macroblock.
  static let height = 16

  /// Decodes the next row of macroblocks.
  func decodeNext() throws(ImageError) {
    try Execution.current.budget.debit(steps: 1 + rowSize >> 6, for: "JPEG XR macroblocks")
    for index in rows.indices { rows[index] = 0 }
    // SAFETY: the library writes at most 16 rows of `rowSize` bytes, for which `rows` has room.
    let status = unsafe rows.withUnsafeMutableBufferPointer { rows in
      guard let start = rows.baseAddress else { return JPEGXR_REJECTED }
      return unsafe jpegxr_reader_next(handle, start, rowSize)
    }
    try check(status)
    decoded += 1
  }

  private func check(_ status: jpegxr_status) throws(ImageError) {
    switch status {
    case JPEGXR_OK: return
    case JPEGXR_OUT_OF_MEMORY: throw ImageError(.outOfMemory, ["library": "jxrlib"])
    case JPEGXR_TRUNCATED: throw ImageError(.samplesTruncated, at: .init(offset: offset))
    default:
      throw ImageError(
        .libraryRejectedData, ["library": "jxrlib", "detail": "no reason given"],
        at: .init(offset: offset))
    }
  }
}
#endif
