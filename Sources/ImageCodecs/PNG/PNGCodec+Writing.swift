// SPDX-License-Identifier: Apache-2.0
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
    let file = try metadata(of: output, header: header, bits: bits)
    try sink.append(file.serializedStart())
    try PNGSampleWriter(planes, bits: bits, header: header, options: options).write(to: sink)
    try sink.append(PNGFile.serializedEnd)
  }

  /// Returns a file with the chunks that precede the samples.
  private static func metadata(
    of output: OutputImage, header: PNGHeader, bits: Int
  ) throws(ImageError) -> PNGFile {
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
    return file
  }
}
#endif
