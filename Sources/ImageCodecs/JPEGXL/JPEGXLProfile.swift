// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles

/// The ICC profile of a JPEG XL image, and the color of its decoded samples.
///
/// Samples that are not coded in XYB are those of the profile. XYB is converted to the color space
/// of the profile if libjxl can express it, else to BT.2020 primaries with the transfer function of
/// sRGB, which contain the gamut of the profiles in use.
struct JPEGXLProfile {
  /// The profile that the codestream contains.
  let bytes: [UInt8]
  /// The color to request from libjxl; `nil` for that of the codestream.
  let requestedColor: JxlColorEncoding?
  private let convertedColor: ColorDescription?

  /// The color of the decoded samples.
  var color: ColorDescription { convertedColor ?? ColorDescription(icc: bytes) }

  /// Decodes the profile of an image; `nil` if it does not have one.
  ///
  /// - Throws: Errors of the codestream; `.malformed` if it is not an ICC profile.
  init?(of file: JPEGXLFile, _ header: JPEGXLImageHeader) throws(ImageError) {
    guard header.color.hasProfile else { return nil }
    // The profile is before the first frame and smaller than its decoded form.
    bytes = try JPEGXLDecoder().profile(of: file.wholeCodestream(), limit: Self.largestProfile)
    guard header.isXYB else {
      (requestedColor, convertedColor) = (nil, nil)
      return
    }
    let isGray = header.color.colorSpace == .gray
    let meaning = try ProfileColor(ICCProfile(parsing: bytes), isGray: isGray)
    let (primaries, transfer) = Self.expressible(meaning)
    var color = JxlColorEncoding()
    color.color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
    color.setPrimaries(isGray ? .bt709 : primaries)
    var description = ColorDescription(primaries: isGray ? .bt709 : primaries)
    let code: CICP.Transfer
    switch transfer {
    case .gamma(let exponent):
      (color.transfer_function, color.gamma) = (JXL_TRANSFER_FUNCTION_GAMMA, 1 / exponent)
      (description.gamma, code) = (1 / exponent, .unspecified)
    default:
      code = transfer.cicp ?? .srgb
      color.transfer_function = JxlTransferFunction(UInt32(code.rawValue))
    }
    description.cicp = CICP(
      primaries: .unspecified, transfer: code, matrix: .identity, isFullRange: true)
    color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    (requestedColor, convertedColor) = (color, description)
  }

  /// Decompresses the profile of a gain map box.
  ///
  /// libjxl 0.7 decompresses profiles only in codestreams, where they have the same form.
  ///
  /// - Throws: Errors of the codestream; `.limitExceeded` for a profile above 16 MiB.
  static func decompressed(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    // The header of an image of 8x8 pixels with a profile; it has 41 bits, and the last is 1.
    var codestream: [UInt8] = [0xFF, 0x0A, 0x41, 0x40, 0x08, 1]
    codestream.reserveCapacity(codestream.count + bytes.count)
    for byte in bytes {
      codestream[codestream.count - 1] |= byte << 1
      codestream.append(byte >> 7)
    }
    return try JPEGXLDecoder().profile(of: codestream, limit: largestProfile)
  }

  private static let largestProfile = 1 << 24

  /// The color space of a profile if libjxl can express it.
  private static func expressible(_ meaning: ProfileColor) -> (ColorPrimaries, TransferFunction) {
    let primaries = meaning.primaries.flatMap { $0.isUsable ? $0 : nil }
    switch meaning.transfer {
    case .some(.linear), .some(.srgb), .some(.pq), .some(.hlg):
      return (primaries ?? .bt2020, meaning.transfer ?? .srgb)
    case .some(.bt1886): return (primaries ?? .bt2020, .gamma(2.4))
    case .some(.gamma(let exponent)) where (1...8).contains(exponent):
      return (primaries ?? .bt2020, .gamma(exponent))
    default: return (primaries ?? .bt2020, .srgb)
    }
  }
}

extension JxlColorEncoding {
  /// Sets primaries and white: named ones if they have a name, else chromaticities.
  mutating func setPrimaries(_ wanted: ColorPrimaries) {
    func isNamed(_ name: ColorPrimaries) -> Bool { wanted.isClose(to: name, tolerance: 5e-4) }
    (white_point, primaries) = (JXL_WHITE_POINT_D65, JXL_PRIMARIES_CUSTOM)
    if isNamed(.bt709) {
      primaries = JXL_PRIMARIES_SRGB
    } else if isNamed(.bt2020) {
      primaries = JXL_PRIMARIES_2100
    } else if isNamed(.displayP3) {
      primaries = JXL_PRIMARIES_P3
    } else if isNamed(.dciP3) {
      (white_point, primaries) = (JXL_WHITE_POINT_DCI, JXL_PRIMARIES_P3)
    } else {
      white_point = JXL_WHITE_POINT_CUSTOM
      white_point_xy = (wanted.white.x, wanted.white.y)
      primaries_red_xy = (wanted.red.x, wanted.red.y)
      primaries_green_xy = (wanted.green.x, wanted.green.y)
      primaries_blue_xy = (wanted.blue.x, wanted.blue.y)
    }
  }
}
#endif
