/// How much noise is taken from a picture, and how much sharper it is made.
struct DetailAmounts: Hashable, Sendable {
  var luminanceNoise: Double
  var colorNoise: Double
  var sharpness: Double

  /// Whether nothing happens.
  var isIdentity: Bool { luminanceNoise == 0 && colorNoise == 0 && sharpness == 0 }

  /// How far pixels look around.
  static let reach = DetailTile.colorReach
}
