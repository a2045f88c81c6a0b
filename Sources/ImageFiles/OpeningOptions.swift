public import GainMap
public import HDRCore

/// How to open a picture.
public struct OpeningOptions: Sendable {
  /// Limits of what the file can ask for.
  public var limits: ImageLimits
  /// What samples mean where the file does not say.
  public var assumed: AssumedColor?
  /// How samples of Apple's gain maps relate to gain, which no file says.
  public var appleCurve: GainMapMetadata.AppleCurve

  public init(
    limits: ImageLimits = ImageLimits(), assumed: AssumedColor? = nil,
    appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) {
    self.limits = limits
    self.assumed = assumed
    self.appleCurve = appleCurve
  }
}

/// What the caller knows about a picture whose file does not say.
public struct AssumedColor: Hashable, Sendable {
  /// Transfer function.
  public var transfer: TransferFunction?
  /// Color primaries.
  public var primaries: ColorPrimaries?
  /// Luminance of 1.0 in light, cd/m².
  public var referenceWhite: Double?

  public init(
    transfer: TransferFunction? = nil, primaries: ColorPrimaries? = nil,
    referenceWhite: Double? = nil
  ) {
    self.transfer = transfer
    self.primaries = primaries
    self.referenceWhite = referenceWhite
  }
}
