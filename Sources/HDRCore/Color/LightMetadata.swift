/// Light metadata of an image, apart from its color encoding: ISO 22028-5's optional
/// metadata, in the units of the standard texts (cd/m², lux, chromaticity coordinates).
///
/// Each container has one reader and one writer for it. `nil` means that the file does not specify it.
public struct LightMetadata: Hashable, Sendable {
  /// Luminance of diffuse white, cd/m².
  ///
  /// `nil` and 0 both mean 203 to readers.
  ///
  /// Source: ISO 22028-5; ISO/IEC 23008-12:2025 amendment, `ndwt`.
  public var diffuseWhite: Double?
  /// Viewing environment that the image was made for.
  public var referenceEnvironment: ReferenceEnvironment?
  /// Environment where the image is viewed.
  public var ambientEnvironment: AmbientEnvironment?
  /// Display that the image was graded on.
  public var masteringDisplay: MasteringDisplay?
  /// Colors and luminances that the image uses.
  public var contentColorVolume: ContentColorVolume?
  /// MaxCLL and MaxFALL.
  public var contentLightLevel: ContentLightLevel?
  /// Whether linear values are those of the scene or of a display.
  ///
  /// `nil` means a display.
  public var imageState: ImageState?

  public init(
    diffuseWhite: Double? = nil, referenceEnvironment: ReferenceEnvironment? = nil,
    ambientEnvironment: AmbientEnvironment? = nil, masteringDisplay: MasteringDisplay? = nil,
    contentColorVolume: ContentColorVolume? = nil, contentLightLevel: ContentLightLevel? = nil,
    imageState: ImageState? = nil
  ) {
    self.diffuseWhite = diffuseWhite
    self.referenceEnvironment = referenceEnvironment
    self.ambientEnvironment = ambientEnvironment
    self.masteringDisplay = masteringDisplay
    self.contentColorVolume = contentColorVolume
    self.contentLightLevel = contentLightLevel
    self.imageState = imageState
  }

  /// Luminance of HDR reference white, cd/m².
  ///
  /// Source: BT.2408, table 1.
  public static let defaultDiffuseWhite = 203.0
}
