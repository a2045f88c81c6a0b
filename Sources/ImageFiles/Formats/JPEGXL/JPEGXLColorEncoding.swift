// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Color encoding of a JPEG XL image.
///
/// Source: ISO/IEC 18181-1, E.2.
package struct JPEGXLColorEncoding: Hashable, Sendable {
  package enum ColorSpace: UInt32, Hashable, Sendable {
    case rgb = 0
    case gray = 1
    case xyb = 2
    case unknown = 3
  }

  package var colorSpace: ColorSpace
  /// Whether an ICC profile follows the header; if so, it is the only color description.
  package var hasProfile: Bool
  /// White point: 1 for D65, 2 for custom chromaticities, 10 for E, 11 for DCI.
  package var whitePoint: UInt32
  /// Primaries as in H.273, except 11 for P3; 2 for custom chromaticities.
  package var primaries: UInt32
  /// Transfer function as in H.273; 17 for DCI.
  package var transfer: CICP.Transfer
  /// Chromaticity of a custom white point.
  private var customWhite: Chromaticity?
  /// Chromaticities of custom primaries: red, green, blue.
  private var customPrimaries: [Chromaticity] = []
  /// Encoding exponent, if the transfer function is a pure power function.
  package var gamma: Double?
  /// Rendering intent as in ICC profiles.
  private(set) var renderingIntent: UInt32 = 1

  /// sRGB, the default encoding (all_default).
  static let standing = JPEGXLColorEncoding(
    colorSpace: .rgb, hasProfile: false, whitePoint: 1, primaries: 1, transfer: .srgb)

  private init(
    colorSpace: ColorSpace, hasProfile: Bool, whitePoint: UInt32, primaries: UInt32,
    transfer: CICP.Transfer
  ) {
    self.colorSpace = colorSpace
    self.hasProfile = hasProfile
    self.whitePoint = whitePoint
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Parses a serialized color encoding, as in gain map boxes.
  ///
  /// - Throws: `.truncated` or `.malformed` if it is not a color encoding.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    var reader = BitReader(bytes, order: .leastSignificantFirst, offset: 0)
    try self.init(&reader)
  }

  init(_ reader: inout BitReader) throws(ImageError) {
    self = .standing
    if try reader.readFlag() { return }
    hasProfile = try reader.readFlag()
    let space = try reader.readEnumeration()
    guard let colorSpace = ColorSpace(rawValue: space) else {
      throw ImageError(.invalidValue, ["field": "color space", "value": space])
    }
    self.colorSpace = colorSpace
    if hasProfile { return }
    if colorSpace != .xyb {
      whitePoint = try reader.readEnumeration()
      if whitePoint == Self.custom { customWhite = try Self.chromaticity(&reader) }
      if colorSpace != .gray {
        primaries = try reader.readEnumeration()
        if primaries == Self.custom {
          for _ in 0..<3 { customPrimaries.append(try Self.chromaticity(&reader)) }
        }
      }
      if try reader.readFlag() {
        gamma = Double(try reader.read(24)) * 1e-7
        transfer = .unspecified
      } else {
        transfer = CICP.Transfer(rawValue: UInt16(truncatingIfNeeded: try reader.readEnumeration()))
        if transfer.rawValue == Self.dciTransfer { gamma = 1 / 2.6 }
      }
    }
    renderingIntent = try reader.readEnumeration()
  }

  private static let custom: UInt32 = 2
  /// The transfer function of cinema projectors, a pure power function.
  private static let dciTransfer: UInt16 = 17

  /// Reads a custom chromaticity.
  ///
  /// Source: ISO/IEC 18181-1, E.2: Customxy.
  private static func chromaticity(_ reader: inout BitReader) throws(ImageError) -> Chromaticity {
    func coordinate(_ reader: inout BitReader) throws(ImageError) -> Double {
      let packed = try reader.read(
        .bits(19), .bits(19, offset: 524_288), .bits(20, offset: 1_048_576),
        .bits(21, offset: 2_097_152))
      let magnitude = Double(packed / 2) * 1e-6
      return packed % 2 == 0 ? magnitude : -(magnitude + 1e-6)
    }
    let x = try coordinate(&reader)
    return Chromaticity(x: x, y: try coordinate(&reader))
  }

  /// Equivalent code points; `nil` if they do not exist.
  ///
  /// Gray images have those of BT.709 primaries with their white.
  package var cicp: CICP? {
    guard !hasProfile, gamma == nil, let known = codedPrimaries else { return nil }
    return CICP(primaries: known, transfer: transfer, matrix: .identity, isFullRange: true)
  }

  private var codedPrimaries: CICP.Primaries? {
    switch (colorSpace, primaries, whitePoint) {
    case (.rgb, 1, 1): .bt709
    case (.rgb, 9, 1): .bt2020
    case (.rgb, 11, 1): .displayP3
    case (.rgb, 11, 11): .dciP3
    case (.gray, _, 1): .bt709
    default: nil
    }
  }

  /// The transfer characteristics alone, for primaries without a code point.
  package var transferCICP: CICP? {
    guard !hasProfile, gamma == nil, colorSpace == .rgb || colorSpace == .gray else { return nil }
    return CICP(primaries: .unspecified, transfer: transfer, matrix: .identity, isFullRange: true)
  }

  /// Primaries and white as chromaticities; `nil` for an ICC profile and for other color spaces.
  package var chromaticities: ColorPrimaries? {
    guard !hasProfile, let white else { return nil }
    guard colorSpace == .rgb else {
      guard colorSpace == .gray else { return nil }
      var neutral = ColorPrimaries.bt709
      neutral.white = white
      return neutral
    }
    var known: ColorPrimaries
    switch primaries {
    case 1: known = .bt709
    case 9: known = .bt2020
    case 11: known = .displayP3
    case Self.custom where customPrimaries.count == 3:
      return ColorPrimaries(
        red: customPrimaries[0], green: customPrimaries[1], blue: customPrimaries[2], white: white)
    default: return nil
    }
    known.white = white
    return known
  }

  private var white: Chromaticity? {
    switch whitePoint {
    case 1: ColorPrimaries.bt709.white
    case Self.custom: customWhite
    case 10: ColorPrimaries.xyz.white
    case 11: ColorPrimaries.dciP3.white
    default: nil
    }
  }
}

extension JPEGXLColorEncoding {
  /// Serializes the color encoding of RGB code points; `nil` if JPEG XL does not have them.
  package static func serialized(_ cicp: CICP) -> [UInt8]? {
    var writer = JPEGXLBitWriter()
    guard standing.write(cicp, to: &writer) else { return nil }
    return writer.bytes
  }

  /// Whether the code points can replace those of the color encoding.
  ///
  /// Samples are RGB or gray, of full range.
  package func canStore(_ cicp: CICP) -> Bool {
    var writer = JPEGXLBitWriter()
    return (colorSpace == .rgb || colorSpace == .gray) && cicp.matrix == .identity
      && cicp.isFullRange && write(cicp, to: &writer)
  }

  /// Writes a color encoding with the same color space and rendering intent as this one.
  ///
  /// - Parameters:
  ///   - cicp: Primaries, of which a gray image has the white, and transfer function.
  ///   - writer: Receives the fields.
  /// - Returns: Whether JPEG XL has these code points; nothing is written otherwise.
  ///
  /// Source: ISO/IEC 18181-1, E.2.
  func write(_ cicp: CICP, to writer: inout JPEGXLBitWriter) -> Bool {
    let primaries: UInt32
    switch cicp.primaries {
    case .bt709: primaries = 1
    case .bt2020: primaries = 9
    case .displayP3: primaries = 11
    default: return false
    }
    let transfers: [CICP.Transfer] = [.bt709, .linear, .srgb, .pq, .hlg]
    guard transfers.contains(cicp.transfer) else { return false }
    writer.write(false)  // Not the default.
    writer.write(false)  // No ICC profile.
    writer.writeEnumeration(colorSpace.rawValue)
    writer.writeEnumeration(1)  // D65.
    if colorSpace != .gray { writer.writeEnumeration(primaries) }
    writer.write(false)  // No power function.
    writer.writeEnumeration(UInt32(cicp.transfer.rawValue))
    writer.writeEnumeration(renderingIntent)
    return true
  }
}
