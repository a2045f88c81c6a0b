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

/// The interleaved samples of an image for libjxl.
struct JPEGXLSamples {
  private enum Storage {
    /// Integers of 8 bits.
    case bytes([UInt8])
    /// Integers scaled to 16 bits.
    case words([UInt16])
    /// Bit patterns of binary16.
    case halves([UInt16])
    case floats([Float])
  }

  private let layout: ImageLayout
  private let storage: Storage

  /// Interleaves planes; integers of other depths than 8 are scaled to 16 bits.
  init(_ image: ImagePlanes) throws(ImageError) {
    layout = image.layout
    switch (image.planes, layout.samples) {
    case (.integer(let planes), .integer(let bits)) where bits <= 8:
      let maximum = UInt32(1) << UInt32(bits) - 1
      storage = .bytes(
        Self.interleaved(planes) {
          UInt8(truncatingIfNeeded: (min(UInt32($0), maximum) * 255 + maximum / 2) / maximum)
        })
    case (.integer(let planes), .integer(let bits)):
      let maximum = UInt64(1) << UInt64(bits) - 1
      storage = .words(
        Self.interleaved(planes) {
          UInt16(truncatingIfNeeded: (min(UInt64($0), maximum) * 65_535 + maximum / 2) / maximum)
        })
    case (.half(let planes), _): storage = .halves(Self.interleaved(planes) { $0 })
    case (.float(let planes), _): storage = .floats(Self.interleaved(planes) { $0 })
    default: throw ImageError(.libraryResultUnexpected, ["library": "libjxl"])
    }
  }

  private static func interleaved<Input: BitwiseCopyable & Sendable, Output: BitwiseCopyable>(
    _ planes: [Plane<Input>], _ convert: (Input) -> Output
  ) -> [Output] {
    let (width, height, channels) = (planes[0].width, planes[0].height, planes.count)
    return unsafe [Output](unsafeUninitializedCapacity: width * height * channels) {
      target, count in
      for (channel, plane) in planes.enumerated() {
        let source = plane.span
        // SAFETY: the capacity is that of all channels of all pixels.
        for pixel in source.indices {
          unsafe target.initializeElement(
            at: pixel * channels + channel, to: convert(source[pixel]))
        }
      }
      count = width * height * channels
    }
  }

  /// Memory of libjxl: a copy in floating point, XYB, coefficients and tokens.
  ///
  /// Measured with libjxl 0.7 as peak resident memory, with smooth images and with noise.
  func encoderMemory(_ options: EncoderOptions, extraChannels: Int) -> Int {
    let bytes =
      switch options.jpegXLEffort {
      case ...5: 28
      case ...7: 40
      case 8 where options.isJPEGXLLossless: 40
      case 9 where options.isJPEGXLLossless: 64
      default: 96
      }
    return layout.width * layout.height * (layout.planeCount + extraChannels) * bytes
  }

  /// Encodes the samples.
  ///
  /// - Throws: As `JPEGXLEncoder.encode`.
  func encoded(
    _ info: JxlBasicInfo, _ color: JPEGXLEncoder.Color, _ channels: [JPEGXLChannel],
    _ options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    func format(_ type: JxlDataType) -> JxlPixelFormat {
      JxlPixelFormat(
        num_channels: UInt32(layout.planeCount), data_type: type, endianness: JXL_NATIVE_ENDIAN,
        align: 0)
    }
    let encoder = try JPEGXLEncoder()
    return switch storage {
    case .bytes(let samples):
      try encoder.encode(info, color, options, format(JXL_TYPE_UINT8), samples, channels)
    case .words(let samples):
      try encoder.encode(info, color, options, format(JXL_TYPE_UINT16), samples, channels)
    case .halves(let samples):
      try encoder.encode(info, color, options, format(JXL_TYPE_FLOAT16), samples, channels)
    case .floats(let samples):
      try encoder.encode(info, color, options, format(JXL_TYPE_FLOAT), samples, channels)
    }
  }
}
#endif
