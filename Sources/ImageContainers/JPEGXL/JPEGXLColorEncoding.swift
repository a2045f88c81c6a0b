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
  /// Encoding exponent, if the transfer function is a pure power function.
  package var gamma: Double?

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
      if whitePoint == Self.custom { try Self.skipPoints(1, &reader) }
      if colorSpace != .gray {
        primaries = try reader.readEnumeration()
        if primaries == Self.custom { try Self.skipPoints(3, &reader) }
      }
      if try reader.readFlag() {
        gamma = Double(try reader.read(24)) * 1e-7
        transfer = .unspecified
      } else {
        transfer = CICP.Transfer(
          rawValue: UInt16(truncatingIfNeeded: try reader.readEnumeration()))
      }
    }
    _ = try reader.readEnumeration()  // Rendering intent.
  }

  private static let custom: UInt32 = 2

  /// Skips custom chromaticities.
  ///
  /// Source: ISO/IEC 18181-1, E.2: Customxy.
  private static func skipPoints(
    _ count: Int, _ reader: inout BitReader
  ) throws(ImageError) {
    for _ in 0..<2 * count {
      _ = try reader.read(
        .bits(19), .bits(19, offset: 524_288), .bits(20, offset: 1_048_576),
        .bits(21, offset: 2_097_152))
    }
  }

  /// Equivalent code points; `nil` if they do not exist.
  package var cicp: CICP? {
    guard colorSpace == .rgb, !hasProfile, gamma == nil else { return nil }
    let known: CICP.Primaries
    switch (primaries, whitePoint) {
    case (1, 1): known = .bt709
    case (9, 1): known = .bt2020
    case (11, 1): known = .displayP3
    case (11, 11): known = .dciP3
    default: return nil
    }
    return CICP(primaries: known, transfer: transfer, matrix: .identity, isFullRange: true)
  }
}
