// SPDX-License-Identifier: Apache-2.0
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
