// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore
internal import ImageFiles

extension PNGCodec {
  /// Writes RGB or gray of up to 16 bits, with alpha or without.
  ///
  /// Samples are widened to 8 or 16 bits by repeating their upper bits; `sBIT` specifies the
  /// original bit depth.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let (header, bits) = try header(for: output.image.description)
    guard case .integer(let planes) = try output.image.planes().planes else {
      preconditionFailure("PNG stores integers")
    }
    try sink.write(metadata(of: StreamedImage(output)).serializedStart())
    var writer = PNGSampleWriter(bits: bits, header: header, options: options)
    try writer.append(planes) { chunk throws(ImageError) in
      try PNGSampleWriter.append(chunk, to: sink)
    }
    try sink.write(PNGFile.serializedEnd)
  }

  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    try PNGFileStream(header.image, to: sink, options: options)
  }

  /// Returns the header of a file for an image, and the bits per sample of the image.
  ///
  /// - Throws: `.invalidArgument` for an image that PNG cannot store.
  static func header(for image: ImageDescription) throws(ImageError) -> (PNGHeader, bits: Int) {
    let (format, cicp) = (image.layout, image.color.cicp)
    guard case .integer(let bits) = format.samples,
      !format.isAlphaPremultiplied, cicp.matrix == .identity,
      format.components == .rgb || format.components == .gray
    else {
      throw ImageError(
        .invalidArgument, "PNG stores RGB or gray integers with straight alpha, not {cicp}",
        ["cicp": "\(cicp)"])
    }
    let isGray = format.components == .gray
    let header = PNGHeader(
      width: format.width, height: format.height, bitDepth: bits <= 8 ? 8 : 16,
      colorType: isGray
        ? (format.hasAlpha ? .grayAlpha : .gray) : (format.hasAlpha ? .rgbAlpha : .rgb))
    return (header, bits)
  }

  /// Returns a file with the chunks that precede the samples.
  ///
  /// - Throws: Errors of the Exif data and of `header(for:)`.
  static func metadata(of output: StreamedImage) throws(ImageError) -> PNGFile {
    let (header, bits) = try header(for: output.image)
    var file = PNGFile(header: header)
    if bits != header.bitDepth {
      let count = header.colorType.channels
      file.set(PNGSignificantBits(bits: [UInt8](repeating: UInt8(bits), count: count)))
    }
    if output.signalsCICP {
      file.set(PNGCodePoints(output.image.color.cicp))
      // A profile and this chunk exclude each other.
      if output.icc == nil, output.image.color.isSRGB {
        file.set(PNGStandardRGB(renderingIntent: 1))
      }
    }
    try file.setProfile(output.icc)
    file.setExif(
      try ExifBlock.consistent(
        output.exif, with: output.image.orientation, isSRGB: output.image.color.isSRGB))
    if let resolution = try ExifBlock.pixelsPerInch(of: output.exif),
      let size = PNGPixelSize(pixelsPerInch: resolution)
    {
      file.set(size)
    }
    file.setXMP(output.xmp)
    try file.add(output.auxiliaryMetadata)
    // The caller reports metadata that PNG cannot store.
    try file.setLightMetadata(output.image.light)
    return file
  }
}

/// A PNG file whose rows are encoded as they are produced.
///
/// The coded data are in memory until the end, since the chunks with measured light levels precede them.
final class PNGFileStream: ImageStream {
  private let sink: any ByteSink
  private var writer: PNGSampleWriter
  private var chunks: [[UInt8]] = []
  /// The memory of `chunks`.
  private var reservations: [Execution.Reservation] = []

  /// Begins a file for an image.
  ///
  /// - Throws: `.invalidArgument` for an image that PNG cannot store.
  init(
    _ image: ImageDescription, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let (header, bits) = try PNGCodec.header(for: image)
    self.sink = sink
    writer = PNGSampleWriter(bits: bits, header: header, options: options)
  }

  func append(_ rows: ImagePlanes) throws(ImageError) {
    guard case .integer(let planes) = rows.planes else {
      preconditionFailure("PNG stores integers")
    }
    try writer.append(planes) { chunk throws(ImageError) in
      reservations.append(
        try Execution.current.budget.reserve(memory: chunk.count, for: "encoded blocks"))
      chunks.append(chunk)
    }
  }

  func finish(_ header: StreamedImage) throws(ImageError) {
    try sink.write(PNGCodec.metadata(of: header).serializedStart())
    for chunk in chunks { try PNGSampleWriter.append(chunk, to: sink) }
    try sink.write(PNGFile.serializedEnd)
  }
}
#endif
