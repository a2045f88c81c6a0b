public import HDRCore

/// How raw samples become light.
public struct RawDevelopment: Hashable, Sendable {
  /// What becomes of light that saturated the sensor in some color, but not in all.
  public enum Highlights: String, Hashable, Sendable, CaseIterable {
    /// White is as bright as the color that saturates first: neutral, and as DNG defines it.
    case clip
    /// Each color goes on as far as it was recorded; bright light gets a cast.
    case keep
    /// Saturated colors are guessed from the others: brighter than `clip`, and without its cast.
    case reconstruct
  }

  public var highlights = Highlights.clip
  /// Whether the lens's distortion is removed where the file says how.
  public var isLensCorrectionEnabled = true
  /// In stops, in place of what the file says.
  public var baselineExposure: Double?
  /// Temperature of the light that becomes white, in kelvin; as the camera chose if `nil`.
  ///
  /// With a value here or in `neutralTint`, the other one stays as the camera chose.
  public var neutralTemperature: Double?
  /// How greenish the light is that becomes white, in the unit of Adobe's DNG SDK.
  ///
  /// A larger tint gives a picture with more magenta.
  public var neutralTint: Double?
  /// The light that becomes white, in place of the two above.
  public var neutralChromaticity: Chromaticity?
  /// Whether 1.0 is where the sensor saturates, with nothing added that is meant for the eye.
  public var isSceneLinear = false

  public init() {}

  /// Fails for a white that no light has.
  func check() throws(ImageError) {
    if let kelvin = neutralTemperature, !(1667...100_000).contains(kelvin) {
      throw ImageError(.invalidArgument, "a white of \(kelvin) kelvin, not of 1667...100000")
    }
    if let tint = neutralTint, !(abs(tint) <= 150) {
      throw ImageError(.invalidArgument, "a tint of \(tint), not of -150...150")
    }
    if let white = neutralChromaticity, !white.isPlausible {
      throw ImageError(.invalidArgument, "a white at \(white.x), \(white.y)")
    }
  }
}
