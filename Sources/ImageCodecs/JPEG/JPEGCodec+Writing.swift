// SPDX-License-Identifier: Apache-2.0
#if JPEG
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
#endif
