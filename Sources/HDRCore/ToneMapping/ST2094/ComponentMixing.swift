// SPDX-License-Identifier: Apache-2.0
extension AdaptiveToneMap {
  /// Mixing of three components to the argument of a gain curve.
  ///
  /// M(c) = component c + (red R + green G + blue B + maximum max(R, G, B) + minimum min(R, G, B)),
  /// for each component c. In files, coefficients are 0...1 and add up to 1; here they are not
  /// checked, and all are 0 by default.
  ///
  /// Source: SMPTE ST 2094-50, component mixing function.
  public struct ComponentMixing: Hashable, Sendable {
    /// Weight of red.
    public var red = 0.0
    /// Weight of green.
    public var green = 0.0
    /// Weight of blue.
    public var blue = 0.0
    /// Weight of the largest component.
    public var maximum = 0.0
    /// Weight of the smallest component.
    public var minimum = 0.0
    /// Weight of the component itself.
    public var component = 0.0

    public init(
      red: Double = 0, green: Double = 0, blue: Double = 0, maximum: Double = 0,
      minimum: Double = 0,
      component: Double = 0
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.maximum = maximum
      self.minimum = minimum
      self.component = component
    }

    /// The largest component for all three, which preserves hue.
    public static let maximumOnly = ComponentMixing(maximum: 1)
    /// Each component separately.
    public static let componentOnly = ComponentMixing(component: 1)
    /// Half the largest component, half the mean.
    public static let balanced = ComponentMixing(
      red: 1 / 6.0, green: 1 / 6.0, blue: 1 / 6.0, maximum: 0.5)

    /// The six coefficients in the order of the bitstream: red, green, blue, maximum, minimum,
    /// component.
    public var coefficients: [Double] { [red, green, blue, maximum, minimum, component] }

    /// Returns the arguments of the gain curve for a color.
    ///
    /// - Parameter color: Red, green, blue in the primaries of the tone map, 1.0 for reference
    ///   white.
    /// - Returns: Linear values, one for each component.
    public func mixed(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let shared =
        (color * SIMD3(red, green, blue)).sum() + maximum * color.max() + minimum * color.min()
      return color * component + shared
    }
  }
}
