// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
internal import ImageCodecs

/// A gain map applied by a conversion, and its weight.
package struct AppliedGainMap: Sendable {
  /// Flavor of the metadata in effect.
  package let flavor: GainMapFlavor
  /// Headroom of the display that the gain map is applied for.
  package let display: Headroom
  /// Weight of the gain: 0 for the baseline image, 1 or -1 for the alternate image.
  package let weight: Double

  let map: GainMapImage
  let alternate: FoundGainMap.AlternateImage

  /// Decodes the gain map of a document; `nil` without one that can be decoded, with a notice.
  ///
  /// - Throws: `.unsuitable` for one that is required and cannot be decoded.
  init?(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse, isRequired: Bool = false,
    notices: inout [Notice]
  ) throws(ImageError) {
    guard let found = document.gainMap, let metadata = found.metadata,
      let flavor = found.flavor
    else { return nil }
    let display: Headroom
    switch use {
    case .none:
      notices.append(Notice(.gainMapDropped, ["flavor": flavor.title]))
      return nil
    case .full: display = metadata.fullHeadroom
    case .display(let headroom): display = headroom
    }
    let decoded =
      isRequired
      ? try document.requireGainMap() : document.decodedGainMap(notices: &notices)
    guard let map = decoded else { return nil }
    self.map = map
    weight = map.metadata.weight(for: display)
    self.display = display
    self.flavor = flavor
    alternate = found.alternate
  }

  /// This gain map, or `nil` if it has no effect.
  var effective: AppliedGainMap? { weight == 0 ? nil : self }

  /// Returns the light metadata of the image with the gain map applied.
  ///
  /// - Parameter base: Light metadata of the baseline image.
  /// - Returns: Those of the alternate image if it is reached; between the two, only what applies to
  ///   both.
  func light(base: LightMetadata) -> LightMetadata {
    var light = abs(weight) == 1 ? alternate.light : LightMetadata()
    light.diffuseWhite = light.diffuseWhite ?? base.diffuseWhite
    light.ambientEnvironment = light.ambientEnvironment ?? base.ambientEnvironment
    light.referenceEnvironment = light.referenceEnvironment ?? base.referenceEnvironment
    return light
  }
}
