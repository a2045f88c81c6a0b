#if JPEG
package import HDRCore
internal import ImageContainers
package import ImageFiles

extension JPEGCodec {
  /// What a file says beside its samples.
  package struct Attachments {
    package var icc: [UInt8]?
    package var exif: [UInt8]?
    package var xmp: [UInt8]?
    package var orientation: Orientation
    /// Whether the color is that of sRGB; `nil` if nobody knows.
    package var isSRGB: Bool?
    package var diffuseWhite: Double?
    package var further = FurtherMetadata()

    package init(
      icc: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, orientation: Orientation, isSRGB: Bool?,
      diffuseWhite: Double?, further: FurtherMetadata = FurtherMetadata()
    ) {
      self.icc = icc
      self.exif = exif
      self.xmp = xmp
      self.orientation = orientation
      self.isSRGB = isSRGB
      self.diffuseWhite = diffuseWhite
      self.further = further
    }
  }

  /// Writes 8-bit gray or Y'CbCr of BT.601 in full range, baseline.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    let image = output.image
    let coder = try begin(image.layout, cicp: image.color.cicp, options: options)
    try coder.append(try image.planes())
    let attachments = Attachments(
      icc: output.icc, exif: output.exif, xmp: output.xmp, orientation: image.orientation,
      isSRGB: output.isSRGB, diffuseWhite: image.light.diffuseWhite,
      further: output.furtherMetadata)
    try write(try coder.finish(), attachments, to: sink)
  }

  /// Begins a file for a picture of this layout and meaning.
  static func begin(
    _ format: ImageLayout, cicp: CICP, options: EncoderOptions
  ) throws(ImageError) -> JPEGCoder {
    guard format.samples == .integer(bits: 8), !format.hasAlpha, cicp.isFullRange,
      format.components != .rgb,
      format.components == .gray || cicp.matrix == .bt601 || cicp.matrix == .bt470BG
    else {
      throw ImageError(.jpegColorNotStorable)
    }
    guard max(format.width, format.height) <= 65_500 else {
      throw ImageError(.jpegTooLarge)
    }
    guard !options.isLossless else {
      throw ImageError(.jpegNotLossless)
    }
    return try JPEGCoder.begin(format, JPEGQuantization(quality: options.quality))
  }

  /// Writes a file that has been coded, with what shall be in it beside samples.
  static func write(
    _ coded: [UInt8], _ attachments: Attachments, to sink: any ByteSink
  ) throws(ImageError) {
    var file = try JPEGFile(parsing: ByteSource(coded))
    try file.primary.setProfile(attachments.icc)
    try file.primary.setExif(
      try ExifBlock.consistent(
        attachments.exif, with: attachments.orientation, isSRGB: attachments.isSRGB))
    try file.primary.setXMP(
      try XMPPacket.consistent(attachments.xmp, withDiffuseWhite: attachments.diffuseWhite))
    try file.primary.setFurtherMetadata(attachments.further)
    try sink.append(file.serialized())
  }
}
#endif
