// SPDX-License-Identifier: Apache-2.0
/// Light metadata of an image, in addition to its color encoding.
///
/// The optional metadata of ISO 22028-5, in the units of the standards (cd/m², lux, chromaticity
/// coordinates). `nil` means that the file does not specify a value. Values are
/// not checked before an edit or a request writes them.
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
