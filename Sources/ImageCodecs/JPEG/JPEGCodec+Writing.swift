// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles
internal import Synchronization

extension JPEGCodec {
  /// Writes 8-bit gray or Y'CbCr of BT.601 in full range, baseline.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let image = output.image
    let coder = try begin(image.layout, cicp: image.color.cicp, options: options)
    let reader = try image.makeReader()
    for rows in strips(of: image.layout.height) {
      try coder.append(try reader.read(rows: rows))
      try Execution.current.report(Double(rows.upperBound) / Double(image.layout.height))
    }
    try write(try coder.finish(), StreamedImage(output), to: sink)
  }

  /// Begins a file for an image of this layout and meaning.
  static func begin(
    _ format: ImageLayout, cicp: CICP, options: EncoderOptions
  ) throws(ImageError) -> JPEGCoder {
    guard format.samples == .integer(bits: 8), !format.hasAlpha, cicp.isFullRange,
      format.components != .rgb,
      format.components == .gray || cicp.matrix == .bt601 || cicp.matrix == .bt470BG
    else {
      throw ImageError(.invalidArgument, "JPEG stores 8-bit gray or Y'CbCr of BT.601 in full range")
    }
    guard max(format.width, format.height) <= 65_500 else {
      throw ImageError(.jpegTooLarge)
    }
    guard !options.isLossless else {
      throw ImageError(.jpegNotLossless)
    }
    return try JPEGCoder.begin(format, JPEGQuantization(quality: options.quality))
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    // Only whole rows of blocks can be appended.
    isRotated ? nil : try JPEGFileStream(header.image, to: sink, options: options)
  }

  /// Writes the file of a coded image, with its metadata.
  static func write(
    _ coded: [UInt8], _ header: StreamedImage, to sink: any ByteSink
  ) throws(ImageError) {
    let image = header.image
    var file = try JPEGFile(parsing: ByteSource(coded))
    try file.primary.setProfile(header.icc)
    try file.primary.setExif(
      try ExifBlock.consistent(
        header.exif, with: image.orientation, isSRGB: image.color.isSRGB))
    try file.primary.setPixelsPerInch(try ExifBlock.pixelsPerInch(of: header.exif))
    try file.primary.setXMP(
      try XMPPacket.consistent(header.xmp, withDiffuseWhite: image.light.diffuseWhite))
    try file.primary.setAuxiliaryMetadata(header.auxiliaryMetadata)
    try sink.write(file.serialized())
  }
}

/// A file whose rows are encoded on a separate thread while the next ones are produced.
final class JPEGStream: Sendable {
  private let coding: Coding

  /// The encoder, and what it does on the other thread.
  private final class Coding: Sendable {
    let coder: Mutex<JPEGCoder>
    let pending = Mutex<PendingResult<Void>?>(nil)

    init(_ coder: consuming sending JPEGCoder) { self.coder = Mutex(coder) }

    /// Waits for the rows that are being encoded.
    func wait() throws(ImageError) { try pending.withLock { $0.take() }?.wait().get() }
  }

  /// Begins a file for an image.
  init(_ image: ImageDescription, options: EncoderOptions) throws(ImageError) {
    coding = Coding(try JPEGCodec.begin(image.layout, cicp: image.color.cicp, options: options))
  }

  // The thread ends with the operation, also if the file is not finished.
  deinit { try? coding.wait() }

  /// Starts to encode the next rows: whole blocks, except at the end of the image.
  ///
  /// - Throws: Errors of earlier rows; `.cancelled`.
  func append(_ piece: ImagePlanes) throws(ImageError) {
    try coding.wait()
    let rows = PendingResult(of: .current) { [coding] () throws(ImageError) in
      try Execution.current.checkCancellation()
      try coding.coder.withLock { (coder) throws(ImageError) in try coder.append(piece) }
    }
    coding.pending.withLock { $0 = rows }
  }

  /// Returns the encoded file after all rows were appended.
  func finish() throws(ImageError) -> [UInt8] {
    try coding.wait()
    return try coding.coder.withLock { (coder) throws(ImageError) in try coder.finish() }
  }
}

/// A JPEG file whose rows are encoded as they are produced.
final class JPEGFileStream: ImageStream {
  private let coding: JPEGStream
  private let sink: any ByteSink

  init(
    _ image: ImageDescription, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    coding = try JPEGStream(image, options: options)
    self.sink = sink
  }

  func append(_ rows: ImagePlanes) throws(ImageError) { try coding.append(rows) }

  func finish(_ header: StreamedImage) throws(ImageError) {
    try JPEGCodec.write(try coding.finish(), header, to: sink)
  }
}

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
