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
