// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Encodes images as data URLs.
struct DataURLEncoder {
  /// sRGB as JPEG, or as PNG in builds without JPEG.
  func standard(_ image: Canvas) throws(ImageError) -> String {
    let format = FileFormat.jpeg.isWritable ? FileFormat.jpeg : .png
    return try dataURL(
      image, as: format, ColorEncoding(primaries: .bt709, transfer: .srgb), bits: 8,
      CICP(
        primaries: .bt709, transfer: .srgb,
        matrix: format.traits.subsamplings.isEmpty ? .identity : .bt601,
        isFullRange: true))
  }

  /// PQ as AVIF, or as PNG in builds without AVIF.
  func pq(_ image: Canvas) throws(ImageError) -> String {
    let format = FileFormat.avif.isWritable ? FileFormat.avif : .png
    return try dataURL(
      image, as: format, ColorEncoding(primaries: .bt2020, transfer: .pq), bits: 10,
      CICP(
        primaries: .bt2020, transfer: .pq,
        matrix: format.traits.isVideoCoded ? .bt2020NonConstant : .identity,
        isFullRange: true))
  }

  private func dataURL(
    _ image: Canvas, as format: FileFormat, _ encoding: ColorEncoding, bits: Int, _ cicp: CICP
  ) throws(ImageError) -> String {
    var encoding = encoding
    encoding.matrix = cicp.matrix
    encoding.chromaLocation = format.traits.chromaLocation
    let components: ImageLayout.Components =
      cicp.matrix == .identity ? .rgb : .ycbcr(.yuv420)
    var target = ImageDescription(
      layout: ImageLayout(
        width: image.width, height: image.height, components: components,
        samples: .integer(bits: bits)), color: encoding)
    let stored = try image.output(as: target)
    let isPQ = encoding.transfer == .pq
    if isPQ { target.light.contentLightLevel = stored.lightLevels.contentLightLevel }
    let output = OutputImage(Image(target, stored.image), signalsCICP: format.traits.carriesCICP)
    let bytes = try output.encoded(
      as: format,
      options: EncoderOptions(quality: isPQ ? 65 : 75, speed: 8))
    return "data:\(format.traits.mediaType ?? "");base64," + Data(bytes).base64EncodedString()
  }
}

extension FileFormat {
  fileprivate var isWritable: Bool {
    CodecSupport.all.contains { $0.format == self && $0.canEncode }
  }
}
