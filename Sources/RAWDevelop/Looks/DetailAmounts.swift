/// Amounts of noise reduction and sharpening.
struct DetailAmounts: Hashable, Sendable {
  var luminanceNoise: Double
  var colorNoise: Double
  var sharpness: Double

  /// Whether the amounts change nothing.
  var isIdentity: Bool { luminanceNoise == 0 && colorNoise == 0 && sharpness == 0 }

  /// Pixels to each side that a pixel depends on.
  static let reach = DetailTile.colorReach
}
