// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

/// A libjxl encoder for one image.
@safe struct JPEGXLEncoder: ~Copyable {
  private let handle: OpaquePointer

  /// The color that a codestream declares.
  enum Color {
    case enumerated(JxlColorEncoding)
    case profile([UInt8])
  }

  init() throws(ImageError) {
    // SAFETY: this encoder owns `handle` until `deinit`.
    guard let handle = unsafe JxlEncoderCreate(nil) else {
      throw ImageError(.outOfMemory, ["library": "libjxl"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe JxlEncoderDestroy(handle)
  }

  /// Encodes a still image.
  ///
  /// - Parameters:
  ///   - info: Size, bit depth, alpha and luminance.
  ///   - color: The color of the samples.
  ///   - options: Quality and speed.
  ///   - format: Format of the interleaved samples.
  ///   - samples: The samples.
  ///   - channels: Channels after color and alpha; `info` counts them as well.
  /// - Returns: A codestream, in boxes if its level requires them.
  /// - Throws: `.codecFailure` if libjxl fails; `.cancelled`.
  consuming func encode<Sample: BitwiseCopyable>(
    _ info: JxlBasicInfo, _ color: Color, _ options: EncoderOptions, _ format: JxlPixelFormat,
    _ samples: [Sample], _ channels: [JPEGXLChannel] = []
  ) throws(ImageError) -> [UInt8] {
    var (info, format) = (info, format)
    // SAFETY: this encoder owns `handle`; libjxl copies all arguments, and reads samples only within
    // the given size; frame settings belong to the encoder.
    try check(unsafe JxlEncoderSetParallelRunner(handle, runJPEGXLTasks, nil), "runner")
    try check(unsafe JxlEncoderSetBasicInfo(handle, &info), "basic info")
    // libjxl 0.7 does not include the bit depth of lossy images.
    let level = max(
      unsafe JxlEncoderGetRequiredCodestreamLevel(handle), info.bits_per_sample > 16 ? 10 : 5)
    if level == 10 { try check(unsafe JxlEncoderSetCodestreamLevel(handle, level), "level") }
    switch color {
    case .enumerated(var encoding):
      try check(unsafe JxlEncoderSetColorEncoding(handle, &encoding), "color encoding")
    case .profile(let bytes):
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe JxlEncoderSetICCProfile(handle, $0.baseAddress, $0.count)
      }
      try check(status, "ICC profile")
    }
    let firstChannel = Int(info.num_extra_channels) - channels.count
    for (index, channel) in channels.enumerated() {
      try describe(channel, at: firstChannel + index)
    }
    let settings = unsafe JxlEncoderFrameSettingsCreate(handle, nil)
    try check(
      unsafe JxlEncoderFrameSettingsSetOption(
        settings, JXL_ENC_FRAME_SETTING_EFFORT, options.jpegXLEffort), "effort")
    if options.isJPEGXLLossless {
      try check(unsafe JxlEncoderSetFrameLossless(settings, JXL_TRUE), "lossless")
    } else {
      try check(unsafe JxlEncoderSetFrameDistance(settings, options.jpegXLDistance), "distance")
    }
    let status = unsafe samples.withUnsafeBytes {
      unsafe JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count)
    }
    try check(status, "samples")
    for (index, channel) in channels.enumerated() {
      var format = JxlPixelFormat(
        num_channels: 1, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 0)
      let status = unsafe channel.samples.withUnsafeBytes {
        unsafe JxlEncoderSetExtraChannelBuffer(
          settings, &format, $0.baseAddress, $0.count, UInt32(clamping: firstChannel + index))
      }
      try check(status, "channel \(index + 1)")
    }
    unsafe JxlEncoderCloseInput(handle)
    return try output()
  }

  /// Declares an extra channel.
  private func describe(_ channel: JPEGXLChannel, at index: Int) throws(ImageError) {
    var info = JxlExtraChannelInfo()
    // SAFETY: libjxl fills in `info`, and copies it and the name.
    unsafe JxlEncoderInitExtraChannelInfo(channel.type, &info)
    info.bits_per_sample = UInt32(clamping: channel.bits)
    try check(unsafe JxlEncoderSetExtraChannelInfo(handle, index, &info), "channel \(index + 1)")
    var name = channel.name
    let status = name.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) {
        unsafe JxlEncoderSetExtraChannelName(handle, index, $0.baseAddress, $0.count)
      }
    }
    try check(status, "name of channel \(index + 1)")
  }

  /// Transcodes a JPEG file without loss.
  ///
  /// - Parameters:
  ///   - jpeg: The file.
  ///   - options: The speed.
  /// - Returns: A JPEG XL file with the data for an exact reconstruction.
  /// - Throws: `.unsupported` for a JPEG file that libjxl cannot transcode; `.codecFailure`.
  consuming func transcode(
    _ jpeg: [UInt8], _ options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    // SAFETY: this encoder owns `handle`; libjxl copies all arguments, and reads the file only within
    // its size; frame settings belong to the encoder.
    try check(unsafe JxlEncoderSetParallelRunner(handle, runJPEGXLTasks, nil), "runner")
    try check(unsafe JxlEncoderUseContainer(handle, JXL_TRUE), "container")
    try check(unsafe JxlEncoderStoreJPEGMetadata(handle, JXL_TRUE), "JPEG metadata")
    let settings = unsafe JxlEncoderFrameSettingsCreate(handle, nil)
    try check(
      unsafe JxlEncoderFrameSettingsSetOption(
        settings, JXL_ENC_FRAME_SETTING_EFFORT, options.jpegXLEffort), "effort")
    let status = unsafe jpeg.withUnsafeBufferPointer {
      unsafe JxlEncoderAddJPEGFrame(settings, $0.baseAddress, $0.count)
    }
    guard status == JXL_ENC_SUCCESS else {
      let error = unsafe JxlEncoderGetError(handle)
      throw ImageError(.jpegxlJPEGUnsupported, ["code": Int(error.rawValue)])
    }
    unsafe JxlEncoderCloseInput(handle)
    return try output()
  }

  /// Runs the encoder and returns its output.
  private func output() throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      // SAFETY: libjxl writes at most as many bytes as the block has.
      let (status, count) = unsafe block.withUnsafeMutableBufferPointer { block in
        var (next, available) = (block.baseAddress, block.count)
        let status = unsafe JxlEncoderProcessOutput(handle, &next, &available)
        return (status, block.count - available)
      }
      bytes += block.prefix(count)
      switch status {
      case JXL_ENC_SUCCESS: return bytes
      case JXL_ENC_NEED_MORE_OUTPUT: continue
      default: try check(status, "encoding")
      }
    }
  }

  private func check(_ status: JxlEncoderStatus, _ step: String) throws(ImageError) {
    guard status != JXL_ENC_SUCCESS else { return }
    try Execution.current.checkCancellation()
    // SAFETY: this encoder owns `handle`.
    let error = unsafe JxlEncoderGetError(handle)
    throw ImageError(
      .libraryFailed, ["library": "libjxl", "detail": "\(step), error \(error.rawValue)"])
  }
}

extension EncoderOptions {
  /// Whether JPEG XL is encoded without loss, as cjxl does at quality 100.
  var isJPEGXLLossless: Bool { isLossless || quality >= Self.bestQuality }

  /// Butteraugli distance of the quality, up to the largest that libjxl 0.7 accepts.
  ///
  /// Source: libjxl, JxlEncoderDistanceFromQuality: the scale of libjpeg.
  var jpegXLDistance: Float {
    let quality = Float(min(max(quality, 0), Self.bestQuality))
    let distance =
      quality >= 30
      ? 0.1 + (100 - quality) * 0.09 : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
    return min(distance, 15)
  }

  /// Effort of libjxl, 9...1.
  var jpegXLEffort: Int64 { [9, 9, 8, 8, 7, 7, 6, 5, 4, 3, 1][min(max(speed, 0), 10)] }
}
#endif
