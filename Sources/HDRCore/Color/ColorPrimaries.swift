/// CIE 1931 chromaticity coordinates.
public struct Chromaticity: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Daylight, in the four digits that BT.709 and BT.2020 print.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// The white of ISO 22028-2 and of ICC's connection space.
  public static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
  /// The white of ACES, near D60.
  ///
  /// Source: SMPTE ST 2065-1.
  public static let acesWhite = Chromaticity(x: 0.32168, y: 0.33767)
  /// The white of SMPTE ST 431-2 projectors.
  public static let dciWhite = Chromaticity(x: 0.314, y: 0.351)
}

/// The red, green and blue of an RGB color space, and its white.
public struct ColorPrimaries: Hashable, Sendable {
  public var red: Chromaticity
  public var green: Chromaticity
  public var blue: Chromaticity
  public var white: Chromaticity

  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }
}
