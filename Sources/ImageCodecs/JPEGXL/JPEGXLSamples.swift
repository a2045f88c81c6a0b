// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

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
