public import HDRCore

/// What a file itself says about the color of a picture; any of it may be absent or wrong.
public struct ColorDescription: Hashable, Sendable {
  /// From `nclx`, `cICP`, or the bitstream where the container is silent.
  public var cicp: CICP?
  /// An embedded ICC profile, verbatim.
  public var icc: [UInt8]?
  /// Primaries that a file spells out: PNG's cHRM, OpenEXR's chromaticities, Radiance's PRIMARIES.
  public var primaries: ColorPrimaries?
  /// Encoding exponent of PNG's gAMA chunk.
  public var gamma: Double?
  /// PNG's sRGB chunk or Exif's ColorSpace.
  public var isMarkedSRGB: Bool
  /// Luminance of 1.0 that a file states, cd/m².
  ///
  /// OpenEXR's whiteLuminance, LogLuv's SampleToNits; 1 for Radiance's XYZ.
  public var whiteLuminance: Double?

  public init(
    cicp: CICP? = nil, icc: [UInt8]? = nil, primaries: ColorPrimaries? = nil,
    gamma: Double? = nil, isMarkedSRGB: Bool = false, whiteLuminance: Double? = nil
  ) {
    self.cicp = cicp
    self.icc = icc
    self.primaries = primaries
    self.gamma = gamma
    self.isMarkedSRGB = isMarkedSRGB
    self.whiteLuminance = whiteLuminance
  }
}
