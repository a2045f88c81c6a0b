// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The pixel format of a JPEG XR image, which the container specifies as a GUID.
///
/// Padding is omitted: the codestream does not contain it.
///
/// Source: ITU-T T.832 (06/2019), A.7.18 and table A.6; Windows Imaging Component, "Native Pixel
/// Formats", for the color spaces of the numeric formats.
package struct JPEGXRPixelFormat: Hashable, Sendable {
  /// Type of the samples.
  package enum Samples: Hashable, Sendable {
    /// One bit; 1 is white.
    case bit
    case byte
    case word
    case half
    case float
    /// s2.13: 1.0 is 2^13.
    case fixed16
    /// s7.24: 1.0 is 2^24.
    case fixed32
    /// Three components in 32, 15 or 16 bits.
    case packed101010
    case packed555
    case packed565
    /// Three mantissas of 8 bits and their exponent.
    case rgbe
  }

  /// Alpha of the samples.
  package enum Alpha: Hashable, Sendable {
    case none
    case straight
    case premultiplied
  }

  /// Luminance of 1.0 in scRGB, in cd/m².
  ///
  /// Source: IEC 61966-2-2; Microsoft, "Use DirectX with Advanced Color on high/standard dynamic
  /// range displays": (1, 1, 1) is white of 80 nits.
  package static let referenceWhite = 80.0

  /// The name in the standard.
  package let name: String
  package let samples: Samples
  package let isGray: Bool
  package let alpha: Alpha
  /// Color model that is not supported; `nil` for gray and RGB.
  package let unsupportedModel: String?

  private init(
    _ name: String, _ samples: Samples, isGray: Bool = false, alpha: Alpha = .none,
    unsupported model: String? = nil
  ) {
    self.name = name
    self.samples = samples
    self.isGray = isGray
    self.alpha = alpha
    unsupportedModel = model
  }

  /// Whether samples are scRGB: linear, of BT.709 primaries, with 1.0 at 80 cd/m².
  ///
  /// Source: IEC 61966-2-2; Windows Imaging Component, "Native Pixel Formats": formats of
  /// floating-point and fixed-point samples are scRGB.
  package var isLinear: Bool {
    switch samples {
    case .half, .float, .fixed16, .fixed32, .rgbe: true
    case .bit, .byte, .word, .packed101010, .packed555, .packed565: false
    }
  }

  /// Whether samples can be limited to a range: integers of 8 bits or more.
  var hasRange: Bool {
    switch samples {
    case .byte, .word, .packed101010: true
    case .bit, .packed555, .packed565, .half, .float, .fixed16, .fixed32, .rgbe: false
    }
  }

  /// Bits of a floating-point sample; `nil` for other samples.
  package var floatBits: Int? {
    switch samples {
    case .half: 16
    case .float: 32
    default: nil
    }
  }

  /// Bits of a pixel as the codestream is decoded, without alpha.
  package var colorBits: Int {
    let count = isGray ? 1 : 3
    return switch samples {
    case .bit: 1
    case .byte: 8 * count
    case .word, .half, .fixed16: 16 * count
    case .float, .fixed32: 32 * count
    case .packed101010, .rgbe: 32
    case .packed555, .packed565: 16
    }
  }

  /// Bits of an alpha sample.
  package var alphaBits: Int { alpha == .none ? 0 : colorBits / (isGray ? 1 : 3) }

  /// Layout of the decoded image.
  package func layout(width: Int, height: Int) -> ImageLayout {
    let type: ImageLayout.Samples =
      switch samples {
      case .bit: .integer(bits: 1)
      case .byte, .packed565: .integer(bits: 8)
      case .word: .integer(bits: 16)
      case .packed101010: .integer(bits: 10)
      case .packed555: .integer(bits: 5)
      case .half, .float, .fixed16, .fixed32, .rgbe: .float
      }
    return ImageLayout(
      width: width, height: height, components: isGray ? .gray : .rgb, samples: type,
      hasAlpha: alpha != .none, isAlphaPremultiplied: alpha == .premultiplied)
  }

  /// Values of OUTPUT_CLR_FMT and OUTPUT_BITDEPTH in a codestream of this format.
  ///
  /// Source: T.832, tables 27 and 28; A.7.18.
  package var coded: (colorFormat: Int, bitDepths: [Int]) {
    let depths =
      switch samples {
      case .bit: [0, 15]
      case .byte, .rgbe: [1]
      case .word: [2]
      case .fixed16: [3]
      case .half: [4]
      case .fixed32: [6]
      case .float: [7]
      case .packed555: [8]
      case .packed101010: [9]
      case .packed565: [10]
      }
    return (samples == .rgbe ? 8 : isGray ? 0 : 7, depths)
  }
}

extension JPEGXRPixelFormat {
  /// The bytes before the last one of most formats.
  private static let common: [UInt8] = [
    0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9,
  ]
  /// The GUID of a half-float format; one of gray with alpha does not exist, so that it is that of RGB.
  static func half(isGray: Bool, hasAlpha: Bool) -> [UInt8] {
    common + [hasAlpha ? 0x3A : isGray ? 0x3E : 0x3B]
  }

  /// Formats with GUIDs of their own.
  private static let others: [[UInt8]: JPEGXRPixelFormat] = [
    [
      0x95, 0x6B, 0x8C, 0xD9, 0xFE, 0x3E, 0xD6, 0x47, 0xBB, 0x25, 0xEB, 0x17, 0x48, 0xAB, 0x0C,
      0xF1,
    ]: .init("32bppRGB", .byte),
    [
      0x2D, 0xAD, 0xC7, 0xF5, 0x8D, 0x6A, 0xDD, 0x43, 0xA7, 0xA8, 0xA2, 0x99, 0x35, 0x26, 0x1A,
      0xE9,
    ]: .init("32bppRGBA", .byte, alpha: .straight),
    [
      0x50, 0xA6, 0xC4, 0x3C, 0x27, 0xA5, 0x37, 0x4D, 0xA9, 0x16, 0x31, 0x42, 0xC7, 0xEB, 0xED,
      0xBA,
    ]: .init("32bppPRGBA", .byte, alpha: .premultiplied),
    [
      0x8F, 0xD7, 0xFE, 0xE3, 0xDB, 0xE8, 0xCF, 0x4A, 0x84, 0xC1, 0xE9, 0x7F, 0x61, 0x36, 0xB3,
      0x27,
    ]: .init("96bppRGBFloat", .float),
  ]

  /// The bytes of a GUID as hexadecimal digits, for messages.
  package static func digits(of guid: [UInt8]) -> String {
    guid.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Finds the format of a GUID; `nil` if the standard does not define it.
  package init?(guid: [UInt8]) {
    if let format = Self.others[guid] {
      self = format
      return
    }
    guard guid.count == 16, Array(guid.prefix(15)) == Self.common,
      let format = Self.format(guid[15])
    else { return nil }
    self = format
  }

  /// The format of the last byte of a common GUID.
  private static func format(_ number: UInt8) -> JPEGXRPixelFormat? {
    switch number {
    case 0x05: .init("BlackWhite", .bit, isGray: true)
    case 0x08: .init("8bppGray", .byte, isGray: true)
    case 0x09: .init("16bppBGR555", .packed555)
    case 0x0A: .init("16bppBGR565", .packed565)
    case 0x0B: .init("16bppGray", .word, isGray: true)
    case 0x0C: .init("24bppBGR", .byte)
    case 0x0D: .init("24bppRGB", .byte)
    case 0x0E: .init("32bppBGR", .byte)
    case 0x0F: .init("32bppBGRA", .byte, alpha: .straight)
    case 0x10: .init("32bppPBGRA", .byte, alpha: .premultiplied)
    case 0x11: .init("32bppGrayFloat", .float, isGray: true)
    case 0x12: .init("48bppRGBFixedPoint", .fixed16)
    case 0x13: .init("16bppGrayFixedPoint", .fixed16, isGray: true)
    case 0x14: .init("32bppBGR101010", .packed101010)
    case 0x15: .init("48bppRGB", .word)
    case 0x16: .init("64bppRGBA", .word, alpha: .straight)
    case 0x17: .init("64bppPRGBA", .word, alpha: .premultiplied)
    case 0x18: .init("96bppRGBFixedPoint", .fixed32)
    case 0x19: .init("128bppRGBAFloat", .float, alpha: .straight)
    case 0x1A: .init("128bppPRGBAFloat", .float, alpha: .premultiplied)
    case 0x1B: .init("128bppRGBFloat", .float)
    case 0x1D: .init("64bppRGBAFixedPoint", .fixed16, alpha: .straight)
    case 0x1E: .init("128bppRGBAFixedPoint", .fixed32, alpha: .straight)
    case 0x3A: .init("64bppRGBAHalf", .half, alpha: .straight)
    case 0x3B: .init("48bppRGBHalf", .half)
    case 0x3D: .init("32bppRGBE", .rgbe)
    case 0x3E: .init("16bppGrayHalf", .half, isGray: true)
    case 0x3F: .init("32bppGrayFixedPoint", .fixed32, isGray: true)
    case 0x40: .init("64bppRGBFixedPoint", .fixed16)
    case 0x41: .init("128bppRGBFixedPoint", .fixed32)
    case 0x42: .init("64bppRGBHalf", .half)
    default: unsupported(number)
    }
  }

  /// A format whose color model is not read.
  private static func unsupported(_ number: UInt8) -> JPEGXRPixelFormat? {
    func inks(_ name: String, _ samples: Samples) -> JPEGXRPixelFormat {
      .init(name, samples, unsupported: FileImage.inks)
    }
    /// `count` components, and alpha if the format has it.
    func channels(_ count: Int, bits: Int, alpha: Bool) -> JPEGXRPixelFormat {
      let name = "\(bits * (count + (alpha ? 1 : 0)))bpp\(count)Channels\(alpha ? "Alpha" : "")"
      return .init(name, bits == 8 ? .byte : .word, unsupported: "n-channel")
    }
    func luma(_ name: String, _ samples: Samples) -> JPEGXRPixelFormat {
      .init(name, samples, unsupported: "Y'CbCr")
    }
    let number = Int(number)
    return switch number {
    case 0x1C: inks("32bppCMYK", .byte)
    case 0x1F: inks("64bppCMYK", .word)
    case 0x2C: inks("40bppCMYKAlpha", .byte)
    case 0x2D: inks("80bppCMYKAlpha", .word)
    case 0x43: inks("80bppCMYKDIRECTAlpha", .word)
    case 0x54: inks("32bppCMYKDIRECT", .byte)
    case 0x55: inks("64bppCMYKDIRECT", .word)
    case 0x56: inks("40bppCMYKDIRECTAlpha", .byte)
    case 0x20...0x25: channels(number - 0x20 + 3, bits: 8, alpha: false)
    case 0x26...0x2B: channels(number - 0x26 + 3, bits: 16, alpha: false)
    case 0x2E...0x33: channels(number - 0x2E + 3, bits: 8, alpha: true)
    case 0x34...0x39: channels(number - 0x34 + 3, bits: 16, alpha: true)
    case 0x44: luma("12bppYCC420", .byte)
    case 0x45: luma("16bppYCC422", .byte)
    case 0x46: luma("20bppYCC422", .word)
    case 0x47: luma("32bppYCC422", .word)
    case 0x48: luma("24bppYCC444", .byte)
    case 0x49: luma("30bppYCC444", .word)
    case 0x4A: luma("48bppYCC444", .word)
    case 0x4B: luma("48bppYCC444FixedPoint", .fixed16)
    case 0x4C: luma("20bppYCC420Alpha", .byte)
    case 0x4D: luma("24bppYCC422Alpha", .byte)
    case 0x4E: luma("30bppYCC422Alpha", .word)
    case 0x4F: luma("48bppYCC422Alpha", .word)
    case 0x50: luma("32bppYCC444Alpha", .byte)
    case 0x51: luma("40bppYCC444Alpha", .word)
    case 0x52: luma("64bppYCC444Alpha", .word)
    case 0x53: luma("64bppYCC444AlphaFixedPoint", .fixed16)
    default: nil
    }
  }
}
