#if PNG
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension PNGCodec {
  /// Writes RGB or gray of up to 16 bits, with alpha or without.
  ///
  /// Samples are widened to 8 or 16 bits by repeating their upper bits; `sBIT` specifies the
  /// original bit depth.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let format = output.image.layout
    let cicp = output.image.color.cicp
    guard case .integer(let planes) = try output.image.planes().planes,
      case .integer(let bits) = format.samples,
      !format.isAlphaPremultiplied, cicp.matrix == .identity,
      format.components == .rgb || format.components == .gray
    else {
      throw ImageError(.pngColorNotStorable, ["cicp": "\(cicp)"])
    }
    let isGray = format.components == .gray
    let header = PNGHeader(
      width: format.width, height: format.height, bitDepth: bits <= 8 ? 8 : 16,
      colorType: isGray
        ? (format.hasAlpha ? .grayAlpha : .gray) : (format.hasAlpha ? .rgbAlpha : .rgb))
    let writer = try PNGSampleWriter.begin(header, options: options, to: sink)
    try sink.append(metadata(of: output, header: header, bits: bits))
    var row: [UInt8] = []
    for y in 0..<format.height {
      if y.isMultiple(of: bandHeight) { try Execution.current.checkCancellation() }
      fill(&row, from: planes, at: y, bits: bits, depth: header.bitDepth)
      try writer.writeRow(row)
    }
    try writer.finish()
  }

  /// Returns the chunks between the header and the samples.
  private static func metadata(
    of output: OutputImage, header: PNGHeader, bits: Int
  ) throws(ImageError) -> SplicedBytes {
    var file = PNGFile(header: header)
    if bits != header.bitDepth {
      let count = header.colorType.channels
      file.set(PNGSignificantBits(bits: [UInt8](repeating: UInt8(bits), count: count)))
    }
    if output.signalsCICP {
      file.set(PNGCodePoints(output.image.color.cicp))
      if output.isSRGB {
        file.set(PNGStandardRGB(renderingIntent: 1))
      }
    }
    try file.setProfile(output.icc)
    file.setExif(
      try ExifBlock.consistent(
        output.exif, with: output.image.orientation, isSRGB: output.isSRGB))
    file.setXMP(output.xmp)
    // The caller reports metadata that PNG cannot store.
    _ = try file.setLightMetadata(output.image.light)
    return file.serializedMetadata()
  }

  /// Interleaves row `y` of the planes.
  private static func fill(
    _ row: inout [UInt8], from planes: [Plane<UInt16>], at y: Int, bits: Int, depth: Int
  ) {
    let channels = planes.count
    let bytesPerSample = depth / 8
    let width = planes[0].width
    if row.isEmpty { row = [UInt8](repeating: 0, count: width * channels * bytesPerSample) }
    for (channel, plane) in planes.enumerated() {
      let source = plane.row(y)
      for x in 0..<width {
        let sample = source[x].widened(from: bits, to: depth)
        let index = (x * channels + channel) * bytesPerSample
        if bytesPerSample == 1 {
          row[index] = UInt8(truncatingIfNeeded: sample)
        } else {
          #if _endian(little)
          let ordered = sample
          #else
          let ordered = sample.byteSwapped
          #endif
          row[index] = UInt8(truncatingIfNeeded: ordered)
          row[index + 1] = UInt8(truncatingIfNeeded: ordered >> 8)
        }
      }
    }
  }
}
#endif
