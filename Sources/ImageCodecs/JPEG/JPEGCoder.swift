// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Encodes planes with libjpeg, one row of blocks at a time.
@safe struct JPEGCoder: ~Copyable {
  private let handle: OpaquePointer
  private let format: ImageLayout

  /// Number of pixel rows in a row of blocks.
  private var blockHeight: Int { 8 * format.chroma.vertical }

  private init(handle: OpaquePointer, format: ImageLayout) {
    // SAFETY: this writer owns the handle until `deinit`.
    unsafe self.handle = handle
    self.format = format
  }

  static func begin(
    _ format: ImageLayout, _ tables: JPEGQuantization
  ) throws(ImageError) -> JPEGCoder {
    // SAFETY: `writer` owns the handle once it is created.
    guard let handle = unsafe jpeg_writer_create() else {
      throw ImageError(.outOfMemory, ["library": "libjpeg"])
    }
    let writer = unsafe JPEGCoder(handle: handle, format: format)
    // SAFETY: both tables have 64 entries, which are copied.
    try writer.check(
      unsafe jpeg_writer_begin(
        handle, Int32(clamping: format.width), Int32(clamping: format.height),
        Int32(format.componentCount), Int32(format.chroma.horizontal),
        Int32(format.chroma.vertical), tables.luma, tables.chroma))
    return writer
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpeg_writer_free(handle)
  }

  /// Encodes the next rows: whole blocks, except for the last ones of the image.
  func append(_ piece: ImagePlanes) throws(ImageError) {
    guard case .integer(let planes) = piece.planes else {
      preconditionFailure("pieces have the samples of their image")
    }
    for first in stride(from: 0, to: piece.layout.height, by: blockHeight) {
      try Execution.current.checkCancellation()
      try write(planes, from: first)
    }
  }

  /// Encodes the blocks that begin with row `first`; beyond the image, its last row and column are
  /// repeated.
  private func write(_ planes: [Plane<UInt16>], from first: Int) throws(ImageError) {
    let unit = 8 * format.chroma.horizontal
    let paddedWidth = (format.width + unit - 1) / unit * unit
    var layout: [(offset: Int, stride: Int)] = []
    var samples = [UInt8](repeating: 0, count: paddedWidth * blockHeight * format.componentCount)
    var next = 0
    for (index, plane) in planes.enumerated() {
      let (across, down) = index == 0 ? (1, 1) : (format.chroma.horizontal, format.chroma.vertical)
      let width = paddedWidth / across
      layout.append((next, width))
      for y in first / down..<(first + blockHeight) / down {
        samples.write(plane, row: min(y, plane.height - 1), at: next)
        let last = samples[next + plane.width - 1]
        for x in plane.width..<width { samples[next + x] = last }
        next += width
      }
    }
    // SAFETY: the planes contain the rows and columns of whole blocks, and live for the call.
    let status = unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return Int32(1) }
      let planes = unsafe layout.map {
        unsafe jpeg_plane(samples: start + $0.offset, row_stride: $0.stride)
      }
      return unsafe planes.withUnsafeBufferPointer { planes in
        guard let planes = planes.baseAddress else { return Int32(1) }
        return unsafe jpeg_writer_blocks(handle, planes)
      }
    }
    try check(status)
  }

  /// Returns the file after its last row.
  func finish() throws(ImageError) -> [UInt8] {
    // SAFETY: libjpeg's buffer has `count` bytes and lives as long as the writer; they are copied.
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    try check(unsafe jpeg_writer_finish(handle, &bytes, &count))
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    // SAFETY: the message lives as long as the writer.
    let message = unsafe String(cString: jpeg_writer_message(handle))
    throw ImageError(.libraryFailed, ["library": "libjpeg", "detail": message])
  }
}
#endif
