public import HDRCore

/// How raw samples become a picture.
///
/// The controls have the names and the meaning of those of Apple's CIRAWFilter. As they are at
/// first, the picture is what the file asks for, for displays with headroom.
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

  /// What becomes of saturated samples.
  public var highlights = Highlights.clip
  /// Whether the lens's distortion is removed where the file says how.
  public var isLensCorrectionEnabled = true
  /// Size of the picture as a share of the file's: above 0, at most 1.
  ///
  /// Light is averaged, before any look.
  public var scaleFactor = 1.0
  /// In stops.
  public var exposure = 0.0
  /// In stops, in place of what the file says.
  public var baselineExposure: Double?
  /// What is taken from shadows, as a share of white; as the file says if `nil`.
  public var shadowBias: Double?
  /// How much of the tone curve there is: 0...1.
  public var boostAmount = 1.0
  /// How bright the tone curve makes shadows: 0 darker than it is, 2 brighter.
  public var boostShadowAmount = 1.0
  /// How much of the file's local tone curves there is: 0...1.
  public var localToneMapAmount = 1.0
  /// Whether colors beyond BT.2020 are brought inside, and not left with negative components.
  public var isGamutMappingEnabled = true
  /// How much of the highlights comes back that the look for standard displays compresses.
  ///
  /// 0 gives the look for standard displays, as sRGB signal; 1 up to three stops above white, 2 up
  /// to four. A profile of the file's own for displays with headroom takes the place of this where
  /// there is one, in full from 1 on.
  public var extendedDynamicRangeAmount = 1.0
  /// How much sharper the picture is made, in the measure of its camera: 0...1.
  public var sharpnessAmount = 0.0
  /// How much of the noise of luminance goes: 0...1.
  public var luminanceNoiseReductionAmount = 0.0
  /// How much of the noise of color goes: 0...1.
  public var colorNoiseReductionAmount = 0.0
  /// The camera profile to use, by its name in the file; the first if `nil`.
  public var profileName: String?
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
  /// Whether 1.0 is where the sensor saturates, with no look and nothing added that is meant for
  /// the eye; of the controls only exposure, white, highlights, lens correction and size hold.
  public var isSceneLinear = false

  /// Where the developed light shall be brighter or darker than it would be.
  public var localExposures: [LocalExposure] = []
  /// Whether strips and tiles that are damaged, or not in the file, become black, with a notice of
  /// each; otherwise they are errors.
  public var isSalvaging = false

  public init() {}

  /// The light of the scene: every look off.
  public static var sceneLinear: RawDevelopment {
    var development = RawDevelopment()
    development.isSceneLinear = true
    return development
  }

  /// Whether the picture is the look for standard displays.
  public var isStandard: Bool { !isSceneLinear && extendedDynamicRangeAmount == 0 }

  /// Fails for controls outside of their range.
  func check() throws(ImageError) {
    if let kelvin = neutralTemperature, !(1667...100_000).contains(kelvin) {
      throw ImageError(
        .rawOptionOutOfRange,
        ["option": "white balance temperature", "value": kelvin, "range": 1667.0...100_000])
    }
    if let tint = neutralTint, !(abs(tint) <= 150) {
      throw ImageError(
        .rawOptionOutOfRange,
        ["option": "white balance tint", "value": tint, "range": -150.0...150])
    }
    if let local = localExposures.first(where: { !(abs($0.stops) <= 32) }) {
      throw ImageError(
        .rawOptionOutOfRange,
        ["option": "local exposure of '\(local.matte)'", "value": local.stops, "range": -32.0...32])
    }
    guard scaleFactor > 0, scaleFactor <= 1 else {
      throw ImageError(
        .rawOptionOutOfRange, ["option": "scale factor", "value": scaleFactor, "range": 0.0...1])
    }
    if let white = neutralChromaticity, !white.isPlausible {
      throw ImageError(.rawWhiteInvalid, ["x": white.x, "y": white.y])
    }
    for (name, value, range) in [
      ("exposure", exposure, -32...32), ("baseline exposure", baselineExposure ?? 0, -32...32),
      ("shadow bias", shadowBias ?? 0, 0...0.5), ("boost", boostAmount, 0...1),
      ("boost of shadows", boostShadowAmount, 0...2),
      ("local tone mapping", localToneMapAmount, 0...1),
      ("sharpness", sharpnessAmount, 0...1),
      ("noise reduction", luminanceNoiseReductionAmount, 0...1),
      ("noise reduction", colorNoiseReductionAmount, 0...1),
      ("extended dynamic range", extendedDynamicRangeAmount, 0...2),
    ] where !range.contains(value) {
      throw ImageError(.rawOptionOutOfRange, ["option": name, "value": value, "range": range])
    }
  }
}
