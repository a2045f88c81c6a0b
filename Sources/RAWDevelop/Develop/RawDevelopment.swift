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
  /// Whether 1.0 is where the sensor saturates, with nothing added that is meant for the eye.
  public var isSceneLinear = false

  public init() {}
}
