package import HDRCore

/// What the samples of a JPEG XL picture mean.
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
  /// Whether an ICC profile follows the header, which then says everything.
  package var hasProfile: Bool
  /// 1 for D65, 2 for one that is spelled out, 10 for E, 11 for that of digital cinema.
  package var whitePoint: UInt32
  /// Numbers of H.273, but for 11, which stands for those of P3; 2 for some that are spelled out.
  package var primaries: UInt32
  /// Numbers of H.273, 17 for that of digital cinema.
  package var transfer: CICP.Transfer
  /// Exponent of the encoding, where that is all there is to it.
  package var gamma: Double?

  /// sRGB, which a header without a word means.
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

  /// Reads the coded form, as gain maps have it beside them.
  ///
  /// - Throws: `.truncated` or `.malformed` if it is none.
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

  /// The code points that say the same; `nil` if there are none.
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
