// SPDX-License-Identifier: Apache-2.0
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
