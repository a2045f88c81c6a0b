// SPDX-License-Identifier: Apache-2.0
/// Light metadata of an image, in addition to its color encoding.
///
/// The optional metadata of ISO 22028-5, in the units of the standards (cd/m², lux, chromaticity
/// coordinates). `nil` means that the file does not specify a value. Edits and requests refuse values
/// out of range, and encoders those that are not finite.
public struct LightMetadata: Hashable, Sendable {
  /// Luminance of diffuse white, in cd/m².
  ///
  /// `nil` and 0 mean 203, the default of the standard.
  ///
  /// Source: ISO 22028-5; ISO/IEC 23008-12:2025, amendment, `ndwt`.
  public var diffuseWhite: Double?
  /// Reference viewing environment of the image.
  public var referenceEnvironment: ReferenceEnvironment?
  /// Nominal ambient viewing environment of the image.
  public var ambientEnvironment: AmbientEnvironment?
  /// Display on which the image was mastered.
  public var masteringDisplay: MasteringDisplay?
  /// Colors and luminances that the image uses.
  public var contentColorVolume: ContentColorVolume?
  /// MaxCLL and MaxFALL.
  public var contentLightLevel: ContentLightLevel?

  public init(
    diffuseWhite: Double? = nil, referenceEnvironment: ReferenceEnvironment? = nil,
    ambientEnvironment: AmbientEnvironment? = nil, masteringDisplay: MasteringDisplay? = nil,
    contentColorVolume: ContentColorVolume? = nil, contentLightLevel: ContentLightLevel? = nil
  ) {
    self.diffuseWhite = diffuseWhite
    self.referenceEnvironment = referenceEnvironment
    self.ambientEnvironment = ambientEnvironment
    self.masteringDisplay = masteringDisplay
    self.contentColorVolume = contentColorVolume
    self.contentLightLevel = contentLightLevel
  }
}

extension LightMetadata {
  /// The first field that readers would not accept, and its allowed values; `nil` if all are valid.
  ///
  /// Source: ITU-T H.274 for the mastering display; MaxCLL of 0 is unknown.
  package var invalidField: (field: String, values: String)? {
    let fields: [(field: String, isValid: Bool?, values: String)] = [
      ("diffuseWhite", diffuseWhite.map((0...10_000).contains), "0...10000 cd/m²"),
      (
        "contentLightLevel", contentLightLevel?.isValid,
        "0...65535 cd/m², an average of at most the maximum"
      ),
      (
        "masteringDisplay", masteringDisplay?.hasValidLuminances,
        "a maximum of 5...10000 and a minimum of 0.0001...5 cd/m²"
      ),
      (
        "masteringDisplay", masteringDisplay?.primaries.areIn(x: 0.0001...0.74, y: 0.0001...0.84),
        "primaries of 0.0001...0.74, 0.0001...0.84"
      ),
      (
        "contentColorVolume", contentColorVolume?.hasValidLuminances,
        "0...10000 cd/m², minimum <= average <= maximum"
      ),
      (
        "contentColorVolume", contentColorVolume?.primaries?.areIn(x: -100...100, y: -100...100),
        "primaries of -100...100"
      ),
      (
        "referenceEnvironment", referenceEnvironment?.isValid,
        "0...100000 cd/m², chromaticities of 0...1"
      ),
      (
        "ambientEnvironment", ambientEnvironment?.isValid,
        "0.0001...400000 lux, a chromaticity of 0...1"
      ),
    ]
    return fields.first { $0.isValid == false }.map { ($0.field, $0.values) }
  }
}

extension LightMetadata {
  /// Fails for values that are not finite; files of others may have finite values that are not valid.
  ///
  /// - Throws: `.invalidArgument`.
  package func requireFinite() throws(ImageError) {
    let lights = [
      referenceEnvironment?.surroundLight, referenceEnvironment?.peripheryLight,
      ambientEnvironment?.light,
    ]
    let primaries = [masteringDisplay?.primaries, contentColorVolume?.primaries]
    let numbers = [
      diffuseWhite, referenceEnvironment?.surroundLuminance,
      referenceEnvironment?.peripheryLuminance, ambientEnvironment?.illuminance,
      masteringDisplay?.maximumLuminance, masteringDisplay?.minimumLuminance,
      contentColorVolume?.minimumLuminance, contentColorVolume?.maximumLuminance,
      contentColorVolume?.averageLuminance, contentLightLevel?.maximum,
      contentLightLevel?.maximumAverage,
    ]
    let chromaticities =
      lights.compactMap(\.self)
      + primaries.compactMap(\.self).flatMap { [$0.red, $0.green, $0.blue, $0.white] }
    guard numbers.compactMap(\.self).allSatisfy(\.isFinite),
      chromaticities.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { throw ImageError(.invalidArgument, "light metadata must be finite numbers") }
  }
}

extension LightMetadata.ContentLightLevel {
  fileprivate var isValid: Bool {
    [maximum, maximumAverage].allSatisfy((0...65_535).contains)
      && (maximum == 0 || maximumAverage <= maximum)
  }
}

extension LightMetadata.MasteringDisplay {
  fileprivate var hasValidLuminances: Bool {
    (5...10_000).contains(maximumLuminance) && (0.0001...5).contains(minimumLuminance)
  }
}

extension LightMetadata.ContentColorVolume {
  fileprivate var hasValidLuminances: Bool {
    let levels = [minimumLuminance, averageLuminance, maximumLuminance].compactMap(\.self)
    return levels.allSatisfy((0...10_000).contains) && levels == levels.sorted()
  }
}

extension LightMetadata.ReferenceEnvironment {
  fileprivate var isValid: Bool {
    [surroundLuminance, peripheryLuminance].allSatisfy((0...100_000).contains)
      && [surroundLight, peripheryLight].allSatisfy { $0.isIn(x: 0...1, y: 0...1) }
  }
}

extension LightMetadata.AmbientEnvironment {
  fileprivate var isValid: Bool {
    (0.0001...400_000).contains(illuminance) && light.isIn(x: 0...1, y: 0...1)
  }
}

extension ColorPrimaries {
  fileprivate func areIn(x: ClosedRange<Double>, y: ClosedRange<Double>) -> Bool {
    [red, green, blue, white].allSatisfy { $0.isIn(x: x, y: y) }
  }
}

extension Chromaticity {
  fileprivate func isIn(x: ClosedRange<Double>, y: ClosedRange<Double>) -> Bool {
    x.contains(self.x) && y.contains(self.y)
  }
}

extension LightMetadata {
  /// The reference viewing environment of an image: the surround and periphery of the display.
  ///
  /// Source: ISO 22028-5; `reve`.
  public struct ReferenceEnvironment: Codable, Hashable, Sendable {
    /// Luminance of the surround, the area around the display, in cd/m².
    public var surroundLuminance: Double
    /// Chromaticity of the surround.
    public var surroundLight: Chromaticity
    /// Luminance of the periphery, the rest of the field of view, in cd/m².
    public var peripheryLuminance: Double
    /// Chromaticity of the periphery.
    public var peripheryLight: Chromaticity

    public init(
      surroundLuminance: Double, surroundLight: Chromaticity, peripheryLuminance: Double,
      peripheryLight: Chromaticity
    ) {
      self.surroundLuminance = surroundLuminance
      self.surroundLight = surroundLight
      self.peripheryLuminance = peripheryLuminance
      self.peripheryLight = peripheryLight
    }
  }

  /// The nominal ambient viewing environment for the display of an image.
  ///
  /// Source: ITU-T H.274, ambient viewing environment; `amve`.
  public struct AmbientEnvironment: Codable, Hashable, Sendable {
    /// Ambient illuminance in lux; files require a number above 0.
    public var illuminance: Double
    /// Chromaticity of the ambient illumination.
    public var light: Chromaticity

    public init(illuminance: Double, light: Chromaticity) {
      self.illuminance = illuminance
      self.light = light
    }
  }

  /// The display on which an image was mastered.
  ///
  /// Source: SMPTE ST 2086, mastering display color volume; `mdcv`, `mDCV`.
  public struct MasteringDisplay: Codable, Hashable, Sendable {
    /// Primaries and white of the display.
    public var primaries: ColorPrimaries
    /// Maximum luminance in cd/m².
    public var maximumLuminance: Double
    /// Minimum luminance in cd/m².
    public var minimumLuminance: Double

    public init(primaries: ColorPrimaries, maximumLuminance: Double, minimumLuminance: Double) {
      self.primaries = primaries
      self.maximumLuminance = maximumLuminance
      self.minimumLuminance = minimumLuminance
    }
  }

  /// The colors and luminances that an image uses.
  ///
  /// Luminances are in cd/m², although files store shares of the peak of the transfer function.
  ///
  /// Source: ITU-T H.274, content color volume; `cclv`.
  public struct ContentColorVolume: Codable, Hashable, Sendable {
    /// Primaries; their white is not part of the metadata, and readers set it to D65.
    public var primaries: ColorPrimaries?
    /// Minimum luminance in cd/m².
    public var minimumLuminance: Double?
    /// Maximum luminance in cd/m².
    public var maximumLuminance: Double?
    /// Average luminance in cd/m².
    public var averageLuminance: Double?

    public init(
      primaries: ColorPrimaries? = nil, minimumLuminance: Double? = nil,
      maximumLuminance: Double? = nil, averageLuminance: Double? = nil
    ) {
      self.primaries = primaries
      self.minimumLuminance = minimumLuminance
      self.maximumLuminance = maximumLuminance
      self.averageLuminance = averageLuminance
    }
  }

  /// Maximum content light level and maximum frame-average light level, in display light.
  ///
  /// Source: CTA-861.3, annex P; `clli`, `cLLI`.
  public struct ContentLightLevel: Codable, Hashable, Sendable {
    /// MaxCLL: the largest of max(R, G, B), in cd/m²; 0 if unknown.
    public var maximum: Double
    /// MaxFALL (MaxPALL in files): of a still image, the mean of max(R, G, B), in cd/m²; 0 if
    /// unknown.
    public var maximumAverage: Double

    public init(maximum: Double, maximumAverage: Double) {
      self.maximum = maximum
      self.maximumAverage = maximumAverage
    }
  }
}
