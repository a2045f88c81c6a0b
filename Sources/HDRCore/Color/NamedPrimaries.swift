// SPDX-License-Identifier: Apache-2.0
extension ColorPrimaries {
  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    _ white: Chromaticity
  ) {
    self.init(
      red: Chromaticity(x: red.0, y: red.1), green: Chromaticity(x: green.0, y: green.1),
      blue: Chromaticity(x: blue.0, y: blue.1), white: white)
  }

  /// BT.709 and sRGB.
  public static let bt709 = ColorPrimaries((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), .d65)
  /// The primaries of sRGB, which are those of BT.709.
  ///
  /// Source: IEC 61966-2-1.
  public static let sRGB = bt709
  /// P3 with the white point D65.
  ///
  /// Source: SMPTE EG 432-1, ST 2113.
  public static let displayP3 = ColorPrimaries(
    (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), .d65)
  /// P3 with the white point of cinema projectors.
  ///
  /// Source: SMPTE ST 431-2.
  public static let dciP3 = ColorPrimaries(
    (0.680, 0.320), (0.265, 0.690), (0.150, 0.060), .dciWhite)
  /// BT.2020 and BT.2100.
  public static let bt2020 = ColorPrimaries((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), .d65)
  /// Adobe RGB.
  ///
  /// Source: Adobe RGB (1998) Color Image Encoding.
  public static let adobeRGB = ColorPrimaries((0.64, 0.33), (0.21, 0.71), (0.15, 0.06), .d65)
  /// ACES2065-1 (AP0); its blue has negative luminance.
  ///
  /// Source: SMPTE ST 2065-1.
  public static let acesAP0 = ColorPrimaries(
    (0.7347, 0.2653), (0, 1), (0.0001, -0.0770), .acesWhite)
  /// ACEScg (AP1).
  ///
  /// Source: Academy S-2014-004.
  public static let acesAP1 = ColorPrimaries(
    (0.713, 0.293), (0.165, 0.830), (0.128, 0.044), .acesWhite)
  /// ROMM RGB, also called ProPhoto RGB, with the white point D50.
  ///
  /// Source: ISO 22028-2.
  public static let proPhoto = ColorPrimaries(
    (0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001), .d50)

  // The following primaries occur in legacy files. Source: ITU-T H.273, table 2.

  /// NTSC of 1953.
  public static let bt470M = ColorPrimaries(
    (0.67, 0.33), (0.21, 0.71), (0.14, 0.08), .illuminantC)
  /// BT.601 with 625 lines.
  public static let bt470BG = ColorPrimaries((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), .d65)
  /// BT.601 with 525 lines, SMPTE 170M and SMPTE 240M.
  public static let bt601 = ColorPrimaries((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), .d65)
  /// Film with color filters under illuminant C.
  public static let genericFilm = ColorPrimaries(
    (0.681, 0.319), (0.243, 0.692), (0.145, 0.049), .illuminantC)
  /// CIE XYZ as primaries.
  ///
  /// Source: SMPTE ST 428-1.
  public static let xyz = ColorPrimaries((1, 0), (0, 1), (0, 0), .illuminantE)
  /// Primaries of EBU Tech 3213-E.
  public static let ebu3213 = ColorPrimaries((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), .d65)
}

extension ColorPrimaries {
  /// The primaries of a code point; `nil` for unspecified and reserved ones.
  ///
  /// Source: ITU-T H.273, table 2.
  public init?(_ primaries: CICP.Primaries) {
    switch primaries {
    case .bt709: self = .bt709
    case .bt470M: self = .bt470M
    case .bt470BG: self = .bt470BG
    case .bt601, .smpte240: self = .bt601
    case .genericFilm: self = .genericFilm
    case .bt2020: self = .bt2020
    case .xyz: self = .xyz
    case .dciP3: self = .dciP3
    case .displayP3: self = .displayP3
    case .ebu3213: self = .ebu3213
    default: return nil
    }
  }

  /// The code point of these primaries; `nil` if there is not one.
  ///
  /// Coordinates may differ by 0.0001, which exceeds the rounding in any container. The result is
  /// `bt601` for the primaries of BT.601 with 525 lines, SMPTE 170M and SMPTE 240M.
  public var cicp: CICP.Primaries? {
    let codePoints: [CICP.Primaries] = [
      .bt709, .bt2020, .displayP3, .dciP3, .bt470M, .bt470BG, .bt601, .genericFilm, .xyz, .ebu3213,
    ]
    return codePoints.first { codePoint in
      ColorPrimaries(codePoint).map { isClose(to: $0, tolerance: 1e-4) } ?? false
    }
  }

  /// Whether all eight coordinates differ from those of `other` by at most `tolerance`.
  public func isClose(to other: ColorPrimaries, tolerance: Double) -> Bool {
    red.isClose(to: other.red, tolerance: tolerance)
      && green.isClose(to: other.green, tolerance: tolerance)
      && blue.isClose(to: other.blue, tolerance: tolerance)
      && white.isClose(to: other.white, tolerance: tolerance)
  }
}
