// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

extension JPEGXLCodec: ImageEncoder {
  /// Writes RGB or gray, with alpha or without: integers of up to 16 bits and floating point.
  ///
  /// Color is enumerated if it has code points; the ICC profile is embedded otherwise.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    var file = NewJPEGXLFile(codestream: [])
    let encoded = try codestream(of: output, options: options)
    (file.codestream, file.level) = (encoded.bytes, encoded.level)
    file.exif = try ExifBlock.consistent(
      output.exif, with: output.exif == nil ? .upright : output.image.orientation,
      isSRGB: output.isSRGB)
    let light = output.image.light
    file.xmp = try XMPPacket.consistent(
      XMPPacket.consistent(output.xmp, withDiffuseWhite: light.diffuseWhite),
      withLightLevel: light.contentLightLevel)
    try file.write(to: sink)
  }

  /// Encodes the samples of an image.
  ///
  /// - Returns: The bare codestream, and its level.
  static func codestream(
    of output: OutputImage, options: EncoderOptions
  ) throws(ImageError) -> (bytes: [UInt8], level: Int) {
    let image = output.image
    guard image.color.matrix == .identity, image.color.isFullRange,
      image.layout.components == .rgb || image.layout.components == .gray
    else {
      throw ImageError(.jpegxlColorNotStorable, ["cicp": "\(image.color.cicp)"])
    }
    // libjxl 0.7 aborts (libjxl issue 1869).
    guard !image.layout.isAlphaPremultiplied else {
      throw ImageError(.unsupported, "premultiplied alpha is not written in JPEG XL")
    }
    let samples = try JPEGXLSamples(try image.planes())
    var channels: [JPEGXLChannel] = []
    for auxiliary in output.auxiliaries {
      channels.append(
        try JPEGXLChannel(auxiliary, width: image.layout.width, height: image.layout.height))
    }
    var info = info(image, options)
    info.num_extra_channels += UInt32(clamping: channels.count)
    let color = try color(output)
    let bytes = try Execution.current.callLibrary(
      seconds: format.traits.encodingTime(of: image.layout, options)
    ) { [info, channels] () throws(ImageError) in
      try Execution.current.budget.reserving(
        memory: samples.encoderMemory(options, extraChannels: channels.count),
        for: "JPEG XL encoder"
      ) { () throws(ImageError) in
        try samples.encoded(info, color, channels, options)
      }
    }
    let file = try JPEGXLFile(parsing: ByteSource(bytes))
    return (try file.wholeCodestream(), try file.level())
  }

  private static func info(_ image: Image, _ options: EncoderOptions) -> JxlBasicInfo {
    var info = JxlBasicInfo()
    // SAFETY: libjxl fills in `info`.
    unsafe JxlEncoderInitBasicInfo(&info)
    let layout = image.layout
    info.xsize = UInt32(clamping: layout.width)
    info.ysize = UInt32(clamping: layout.height)
    switch layout.samples {
    case .integer(let bits): info.bits_per_sample = UInt32(bits)
    case .half: (info.bits_per_sample, info.exponent_bits_per_sample) = (16, 5)
    case .float: (info.bits_per_sample, info.exponent_bits_per_sample) = (32, 8)
    }
    info.num_color_channels = UInt32(layout.componentCount)
    if layout.hasAlpha {
      info.num_extra_channels = 1
      info.alpha_bits = info.bits_per_sample
      info.alpha_exponent_bits = info.exponent_bits_per_sample
    }
    info.orientation = JxlOrientation(UInt32(image.orientation.rawValue))
    info.uses_original_profile = options.isJPEGXLLossless ? JXL_TRUE : JXL_FALSE
    info.setLuminance(of: image)
    return info
  }

  private static func color(_ output: OutputImage) throws(ImageError) -> JPEGXLEncoder.Color {
    let color = output.image.color
    if output.signalsCICP, let code = color.transfer.cicp {
      let isGray = output.image.layout.components == .gray
      var encoding = JxlColorEncoding()
      encoding.color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
      encoding.setPrimaries(isGray ? .bt709 : color.primaries)
      encoding.transfer_function = JxlTransferFunction(UInt32(code.rawValue))
      encoding.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
      return .enumerated(encoding)
    }
    if let icc = output.icc { return .profile(icc) }
    guard !output.signalsCICP else {
      throw ImageError(.jpegxlColorNotStorable, ["cicp": "\(color.cicp)"])
    }
    // Samples without color, such as those of gain maps; sRGB is the default of the format.
    var encoding = JxlColorEncoding()
    // SAFETY: libjxl fills in `encoding`.
    unsafe JxlColorEncodingSetToSRGB(
      &encoding, output.image.layout.components == .gray ? JXL_TRUE : JXL_FALSE)
    return .enumerated(encoding)
  }
}

extension JxlBasicInfo {
  /// Sets the bounds of the luminance of the image; libjxl chooses a default for 0.
  fileprivate mutating func setLuminance(of image: Image) {
    let light = image.light
    switch image.color.transfer {
    case .pq:
      let levels = [
        light.contentColorVolume?.maximumLuminance, light.masteringDisplay?.maximumLuminance,
        light.contentLightLevel.map { $0.maximum.rounded(.up) },
      ]
      let maximum = levels.compactMap(\.self).first { $0 > 0 } ?? 10_000
      intensity_target = Float(min(max(maximum, 1), 10_000))
      let minimum =
        light.contentColorVolume?.minimumLuminance ?? light.masteringDisplay?.minimumLuminance
      min_nits = Float(min(max(minimum ?? 0, 0), maximum / 2))
    case .linear: intensity_target = Float(image.color.referenceWhite)
    default: break
    }
  }
}
#endif
