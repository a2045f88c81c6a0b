// SPDX-License-Identifier: Apache-2.0
public import HDRCore

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
