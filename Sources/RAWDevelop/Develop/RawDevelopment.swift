// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Controls of the development of raw samples.
///
/// The controls have the names and the meaning of the CIRAWFilter properties. The defaults give the
/// rendering that the file specifies, for displays with headroom. Controls out of their ranges are
/// `.invalidArgument` when a file is opened.
public struct RawDevelopment: Hashable, Sendable {
  /// Treatment of pixels in which some but not all colors are saturated.
  public enum Highlights: String, Codable, Hashable, Sendable, CaseIterable {
    /// Clips all colors at the level of the first that saturates: neutral, as DNG defines it.
    case clip
    /// Keeps each color as recorded; highlights may get a color cast.
    case keep
    /// Estimates saturated colors from the others and from the colors around: brighter than `clip`,
    /// without a color cast.
    case reconstruct
  }

  /// Treatment of saturated samples.
  public var highlights = Highlights.clip
  /// Whether lens distortion is corrected, if the file has a correction.
  public var isLensCorrectionEnabled = true
  /// Whether the image is cropped as the photographer chose in the camera or a program, if the file
  /// specifies that.
  public var isUserCropEnabled = true
  /// Size of the image as a share of the full size: above 0, at most 1.
  ///
  /// Linear values are averaged, before any look; each side has at least one pixel.
  public var scaleFactor = 1.0
  /// Exposure correction in stops, -32...32.
  ///
  /// Below 0 it is a ramp that white keeps, in looks for standard displays; `sceneExposure` is a
  /// gain.
  public var exposure = 0.0
  /// Gain of the scene in stops, -32...32, before any look: below 0, highlights become darker as in
  /// a shorter exposure, and keep their range above white.
  public var sceneExposure = 0.0
  /// Baseline exposure in stops, -32...32, in place of BaselineExposure and the
  /// BaselineExposureOffset of the profile; those of the file if `nil`.
  public var baselineExposure: Double?
  /// Value subtracted from shadows, 0...0.5, as a share of white; the value of the file if `nil`.
  public var shadowBias: Double?
  /// Amount of the tone curve, 0...1.
  public var boostAmount = 1.0
  /// Brightness of shadows in the tone curve, 0...2: 1 is the curve itself.
  public var boostShadowAmount = 1.0
  /// Amount of the local tone curves of the file, 0...1.
  public var localToneMapAmount = 1.0
  /// Whether colors outside of BT.2020 are mapped into it, instead of keeping negative components.
  public var isGamutMappingEnabled = true
  /// Amount of the highlights above white that the look for standard displays compresses, 0...2.
  ///
  /// 0 gives the look for standard displays as sRGB signal, 1 restores up to three stops above
  /// white, with the colors of the scene; values between 0 and 1 interpolate. Above 1, highlights
  /// are brighter than in the scene: 2 gives up to four stops. If the file has a profile for
  /// displays with headroom, that is used instead.
  public var extendedDynamicRangeAmount = 1.0
  /// Whether a standard look without a tone curve in its profile is developed with headroom, for
  /// tone mapping to follow: the curve of the Adobe DNG SDK takes the color of highlights.
  ///
  /// Has an effect if `extendedDynamicRangeAmount` is 0: the image is linear then, as with 1.
  public var isStandardLookToneMapped = false
  /// Amount of sharpening relative to the BaselineSharpness of the file, 0...1.
  public var sharpnessAmount = 0.0
  /// Share of the luminance noise to remove, 0...1; for the noise of the file if `nil`.
  public var luminanceNoiseReductionAmount: Double?
  /// Share of the color noise to remove, 0...1; for the noise of the file if `nil`.
  public var colorNoiseReductionAmount: Double?
  /// Share of the finest color differences to remove, 0...1, which are moire rather than color.
  public var moireReductionAmount = 0.0
  /// Enhancement of local contrast, 0...1.
  public var contrastAmount = 0.0
  /// Enhancement of fine detail after noise reduction, 0...1.
  public var detailAmount = 0.0
  /// Whether photosites of a Bayer mosaic that are far brighter than all around are replaced.
  public var isHotPixelSuppressionEnabled = true
  /// Name of the camera profile in the file; the first profile if `nil`.
  public var profileName: String?
  /// White-balance temperature in kelvin, 1667...100000; as shot if `nil`.
  ///
  /// If only one of this and `neutralTint` is set, the other is as shot.
  public var neutralTemperature: Double?
  /// White-balance tint in the unit of the Adobe DNG SDK, -150...150; higher is more magenta.
  public var neutralTint: Double?
  /// Position of a gray object in the upright image of full size, in pixels, which determines the
  /// white point instead of temperature and tint.
  ///
  /// Samples are read when the image is: a position outside the image is `.invalidArgument` then, a
  /// black or saturated one `.unsuitable`.
  public var neutralLocation: SIMD2<Int>?
  /// White point, instead of temperature and tint: x and y above 0.001, and a sum below 0.999.
  public var neutralChromaticity: Chromaticity?
  /// Whether the output is scene-linear without a look: 1.0 is the saturation of the sensor.
  ///
  /// Of the controls, `exposure` and `sceneExposure`, which are both gains, white balance,
  /// highlights, hot pixels, lens correction, crop, size, draft mode and local exposures have an
  /// effect.
  public var isSceneLinear = false

  /// Exposure corrections under mattes of the file; one that is missing is `.unsuitable` when the
  /// image is read.
  public var localExposures: [LocalExposure] = []
  /// Whether speed counts more than detail: a Bayer mosaic is developed at half its size, on top of
  /// `scaleFactor`, and noise and sharpness do not change.
  ///
  /// A mosaic with corrections that apply after interpolation, such as a warp, is interpolated
  /// nevertheless.
  public var isDraftModeEnabled = false
  /// Whether damaged or missing strips and tiles become black, with a notice for each, instead of
  /// an error.
  public var isSalvaging = false

  public init() {}

  /// Scene-linear development without a look.
  public static var sceneLinear: RawDevelopment {
    var development = RawDevelopment()
    development.isSceneLinear = true
    return development
  }

  /// Whether the output is the look for standard displays.
  package var isStandard: Bool { !isSceneLinear && extendedDynamicRangeAmount == 0 }

  /// Validates the controls.
  ///
  /// - Throws: `.invalidArgument` for a control outside of its range.
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
      throw ImageError(
        .invalidArgument, "white balance at x {x}, y {y}", ["x": white.x, "y": white.y])
    }
    for (name, value, range) in [
      ("exposure", exposure, -32...32), ("scene exposure", sceneExposure, -32...32),
      ("baseline exposure", baselineExposure ?? 0, -32...32),
      ("shadow bias", shadowBias ?? 0, 0...0.5), ("boost", boostAmount, 0...1),
      ("boost of shadows", boostShadowAmount, 0...2),
      ("local tone mapping", localToneMapAmount, 0...1),
      ("sharpness", sharpnessAmount, 0...1),
      ("noise reduction", luminanceNoiseReductionAmount ?? 0, 0...1),
      ("noise reduction", colorNoiseReductionAmount ?? 0, 0...1),
      ("moire reduction", moireReductionAmount, 0...1), ("contrast", contrastAmount, 0...1),
      ("detail", detailAmount, 0...1),
      ("extended dynamic range", extendedDynamicRangeAmount, 0...2),
    ] where !range.contains(value) {
      throw ImageError(.rawOptionOutOfRange, ["option": name, "value": value, "range": range])
    }
  }
}

extension RawDevelopment {
  /// An exposure correction under a matte of the file.
  public struct LocalExposure: Codable, Hashable, Sendable {
    /// A short name, such as `skin` or `sky`, or the name in the file, or its part after the last
    /// colon; in any case.
    public var matte: String
    /// Correction in stops at full coverage, -32...32; proportional to coverage.
    public var stops: Double

    public init(matte: String, stops: Double) {
      self.matte = matte
      self.stops = stops
    }
  }
}

/// Controls of `RawDevelopment` that a file supports, and their defaults.
public struct RawControls: Hashable, Sendable {
  /// Baseline exposure in stops, with the offset of the main profile.
  public var baselineExposure: Double
  /// Linear value subtracted from shadows, as a share of white: 0.005 times ShadowScale, or 0 if
  /// the file keeps black.
  public var shadowBias: Double
  /// White point as shot; `nil` for gray images.
  public var neutralChromaticity: Chromaticity?
  /// Correlated color temperature of the neutral as shot, in kelvin; `nil` for gray images.
  public var neutralTemperature: Double?
  /// Tint of the neutral as shot, as `RawDevelopment.neutralTint`; `nil` for gray images.
  public var neutralTint: Double?
  /// Luminance noise reduction for the noise of the file, 0...0.7.
  public var luminanceNoiseReductionAmount: Double
  /// Color noise reduction for the noise of the file, 0...1.
  public var colorNoiseReductionAmount: Double
  /// Whether the file has a map of local tone curves.
  public var isLocalToneMapSupported: Bool
  /// Whether the file has a lens correction.
  public var isLensCorrectionSupported: Bool
  /// Names for `RawDevelopment.profileName`, the main profile first; profiles without a name are
  /// left out.
  public var profileNames: [String]
}

extension DevelopmentParameters {
  /// Names of the controls of `RawDevelopment` that have an effect on the image.
  var controls: [String] {
    var names = [
      "exposure", "sceneExposure", "baselineExposure", "shadowBias", "boostAmount",
      "boostShadowAmount",
      "extendedDynamicRangeAmount", "scaleFactor", "sharpnessAmount",
      "luminanceNoiseReductionAmount", "contrastAmount", "detailAmount", "highlights",
    ]
    if asShot != nil {
      names += [
        "neutralTemperature", "neutralTint", "neutralChromaticity", "neutralLocation",
        "colorNoiseReductionAmount",
        "moireReductionAmount", "isGamutMappingEnabled",
      ]
    }
    if bayer != nil { names += ["isHotPixelSuppressionEnabled", "isDraftModeEnabled"] }
    if profiles.gainTableMap(of: profiles.all[0]) != nil { names.append("localToneMapAmount") }
    if isWarped { names.append("isLensCorrectionEnabled") }
    if profiles.all.count > 1 { names.append("profileName") }
    return names
  }

  /// Whether the file has a lens correction.
  var isWarped: Bool {
    opcodes[2].opcodes.contains { opcode in if case .warp = opcode { true } else { false } }
  }
}

extension DNGFile {
  /// The controls that the file supports.
  ///
  /// - Parameter limits: Limits of the file.
  /// - Returns: Controls and their defaults; exposure and boost work with every file.
  /// - Throws: Errors of opening the file for development.
  public func controls(limits: ImageLimits = ImageLimits()) throws(ImageError) -> RawControls {
    let parameters = try DevelopmentParameters(self, limits: limits, salvages: true)
    let main = parameters.profiles.all[0]
    let recipe = RenderingRecipe(parameters)
    return RawControls(
      baselineExposure: parameters.baselineExposure + main.baselineExposureOffset,
      shadowBias: parameters.shadows(of: main), neutralChromaticity: recipe.asShotWhite,
      neutralTemperature: recipe.asShotTemperature, neutralTint: recipe.asShotTint,
      luminanceNoiseReductionAmount: parameters.usualNoiseReduction.luminance,
      colorNoiseReductionAmount: parameters.usualNoiseReduction.color,
      isLocalToneMapSupported: parameters.profiles.gainTableMap(of: main) != nil,
      isLensCorrectionSupported: parameters.isWarped,
      profileNames: parameters.profiles.all.compactMap(\.name))
  }
}
