// SPDX-License-Identifier: Apache-2.0

/// The primaries and white point of an RGB color space.
public struct ColorPrimaries: Hashable, Sendable {
  /// Chromaticity of red.
  public var red: Chromaticity
  /// Chromaticity of green.
  public var green: Chromaticity
  /// Chromaticity of blue.
  public var blue: Chromaticity
  /// Chromaticity of the white point, where all components are equal.
  public var white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  /// Whether these can be the primaries of a color space.
  ///
  /// True if coordinates are -100...100, white is inside the triangle of the primaries with a y of
  /// at least 0.001, its adaptation is defined, and all matrices are finite. Chromaticities from a
  /// file must be checked before they are used for conversion; transforms throw for others.
  public var isUsable: Bool {
    let coordinates = [red, green, blue, white].flatMap { [$0.x, $0.y] }
    // Files contain up to 100 (H.274). With y near 0, the X and Z of white would be unbounded.
    guard coordinates.allSatisfy({ abs($0) <= 100 }), white.y >= 0.001 else { return false }
    let shares = whiteShares
    return abs(chromaticities.determinant) >= 1e-6 && shares.min() > 0 && rgbToXYZ.isFinite
      && xyzToRGB.isFinite
      && ChromaticAdaptation.allCases.allSatisfy { $0.isDefined(for: white) }
  }

  /// Linear RGB to XYZ, with white at Y = 1.
  ///
  /// Its elements are not finite if the primaries are collinear; see `isUsable`.
  ///
  /// Source: SMPTE RP 177.
  package var rgbToXYZ: Matrix3x3 { chromaticities * Matrix3x3(diagonal: whiteShares) }

  /// XYZ to linear RGB; the inverse of `rgbToXYZ`.
  package var xyzToRGB: Matrix3x3 { rgbToXYZ.inverse }

  /// Linear RGB of these primaries to linear RGB of `destination`.
  ///
  /// - Parameters:
  ///   - destination: The other primaries.
  ///   - chromaticAdaptation: Adaptation of white to the white of `destination`.
  /// - Returns: The matrix; the identity for equal primaries.
  package func conversion(
    to destination: ColorPrimaries, chromaticAdaptation: ChromaticAdaptation = .bradford
  ) -> Matrix3x3 {
    guard self != destination else { return .identity }
    let adapted = chromaticAdaptation.matrix(from: white, to: destination.white)
    return destination.xyzToRGB * adapted * rgbToXYZ
  }

  /// Luminance of linear red, green and blue 1.0, with white at 1.
  ///
  /// Weights can be negative, as that of the blue of ACES AP0, and are not finite if the primaries
  /// are collinear; see `isUsable`.
  ///
  /// Source: SMPTE RP 177, second row of the matrix from RGB to XYZ.
  public var luminanceWeights: SIMD3<Double> { rgbToXYZ[row: 1] }

  private var chromaticities: Matrix3x3 {
    Matrix3x3(columns: red.direction, green.direction, blue.direction)
  }

  /// Scale of each primary's direction in XYZ for which the sum is white.
  private var whiteShares: SIMD3<Double> { chromaticities.inverse * white.xyz }
}

extension Chromaticity {
  fileprivate var direction: SIMD3<Double> { SIMD3(x, y, 1 - x - y) }
}

/// CIE 1931 chromaticity coordinates; any numbers, which files need not keep in 0...1.
public struct Chromaticity: Codable, Hashable, Sendable {
  /// The x coordinate of CIE 1931.
  public var x: Double
  /// The y coordinate of CIE 1931.
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Illuminant D65, with four digits as in BT.709 and BT.2020.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// Illuminant D50, with four digits: the white of ISO 22028-2 and of the ICC connection space.
  public static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
  /// The white of ACES color spaces, near D60.
  ///
  /// Source: SMPTE ST 2065-1.
  public static let acesWhite = Chromaticity(x: 0.32168, y: 0.33767)
  /// The white of cinema projectors.
  ///
  /// Source: SMPTE ST 431-2.
  public static let dciWhite = Chromaticity(x: 0.314, y: 0.351)
  /// Illuminant C, with three digits as in H.273.
  public static let illuminantC = Chromaticity(x: 0.310, y: 0.316)
  /// Illuminant E: X, Y and Z are equal.
  public static let illuminantE = Chromaticity(x: 1 / 3.0, y: 1 / 3.0)

  /// XYZ of this chromaticity with Y = 1; not finite if `y` is 0.
  public var xyz: SIMD3<Double> { SIMD3(x, y, 1 - x - y) / y }

  /// Whether both coordinates differ from those of `other` by at most `tolerance`; false for NaN.
  public func isClose(to other: Chromaticity, tolerance: Double) -> Bool {
    abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance
  }
}

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
  public static let displayP3 = ColorPrimaries((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), .d65)
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
  public static let bt470M = ColorPrimaries((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), .illuminantC)
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

/// Chromatic adaptation from one white point to another.
///
/// The von Kries form: three cone responses are scaled by the ratio of those of the two whites.
package enum ChromaticAdaptation: String, Hashable, Sendable, CaseIterable {
  /// Bradford, as used in ICC profiles.
  ///
  /// Source: ICC.1:2022, annex E.
  case bradford
  /// The transform of the color appearance model CAM16.
  case cat16
  /// No adaptation: XYZ is unchanged, so white does not map to white.
  case none

  /// Returns the matrix from XYZ under the white `source` to XYZ under the white `destination`.
  ///
  /// With limits, the matrix is invertible and its cone scales are positive, even if `destination`
  /// is outside all real chromaticities, so that a cone's response to it is zero or negative.
  /// - Parameters:
  ///   - source: A white with positive responses of all three cones.
  ///   - destination: Without limits, also such a white.
  ///   - limits: Limits of the scale of each cone; above 0.
  /// - Returns: The identity for equal whites.
  package func matrix(
    from source: Chromaticity, to destination: Chromaticity,
    scaling limits: ClosedRange<Double>? = nil
  ) -> Matrix3x3 {
    guard let cones, source != destination else { return .identity }
    var scale = (cones * destination.xyz) / (cones * source.xyz)
    if let limits {
      scale.clamp(
        lowerBound: SIMD3(repeating: limits.lowerBound),
        upperBound: SIMD3(repeating: limits.upperBound))
    }
    return cones.inverse * Matrix3x3(diagonal: scale) * cones
  }

  /// XYZ to cone responses.
  private var cones: Matrix3x3? {
    switch self {
    case .bradford:
      Matrix3x3(
        SIMD3(0.8951, 0.2664, -0.1614),
        SIMD3(-0.7502, 1.7135, 0.0367),
        SIMD3(0.0389, -0.0685, 1.0296))
    case .cat16:
      Matrix3x3(
        SIMD3(0.401288, 0.650173, -0.051461),
        SIMD3(-0.250268, 1.204414, 0.045854),
        SIMD3(-0.002079, 0.048952, 0.953127))
    case .none: nil
    }
  }

  /// Whether all three cone responses to `white` are positive, so that adaptation is defined.
  func isDefined(for white: Chromaticity) -> Bool {
    guard let cones else { return true }
    let response = cones * white.xyz
    return response.min() > 0 && response.max().isFinite
  }
}
