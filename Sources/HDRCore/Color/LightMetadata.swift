// SPDX-License-Identifier: Apache-2.0
/// Light metadata of an image, in addition to its color encoding.
///
/// The optional metadata of ISO 22028-5, in the units of the standards (cd/m², lux, chromaticity
/// coordinates). `nil` means that the file does not specify a value. Values are not checked.
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
