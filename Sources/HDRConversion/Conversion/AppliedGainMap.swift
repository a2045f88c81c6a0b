// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
internal import ImageFiles

/// Weight of a gain map for a display, known before its samples are decoded.
package struct GainMapWeight: Sendable {
  /// Flavor of the metadata in effect.
  package let flavor: GainMapFlavor
  /// Headroom of the display that the gain map is applied for.
  package let display: Headroom
  /// Share of the gain: 0 for the baseline image, 1 or -1 for the alternate image.
  package let value: Double

  let alternate: FoundGainMap.AlternateImage

  /// The weight for a use; `nil` without a gain map that can be applied, or for `.none`.
  init?(_ found: FoundGainMap?, _ use: ConversionOptions.GainMapUse) {
    guard let found, let metadata = found.metadata, let flavor = found.flavor else { return nil }
    switch use {
    case .none: return nil
    case .full: display = metadata.fullHeadroom
    case .display(let headroom): display = headroom
    }
    (self.flavor, alternate) = (flavor, found.alternate)
    value = metadata.weight(for: display)
  }

  /// Returns the light metadata of the image with the gain map applied.
  ///
  /// - Parameter base: Light metadata of the baseline image.
  /// - Returns: Those of the alternate image if it is reached; between the two, only what applies to
  ///   both.
  func light(base: LightMetadata) -> LightMetadata {
    guard value != 0 else { return base }
    var light = abs(value) == 1 ? alternate.light : LightMetadata()
    light.diffuseWhite = light.diffuseWhite ?? base.diffuseWhite
    light.ambientEnvironment = light.ambientEnvironment ?? base.ambientEnvironment
    light.referenceEnvironment = light.referenceEnvironment ?? base.referenceEnvironment
    return light
  }
}

/// A gain map applied by a conversion.
package struct AppliedGainMap: Sendable {
  /// Its weight for the display.
  package let weight: GainMapWeight
  let map: GainMapImage

  /// Decodes the gain map of a document; `nil` without one that can be decoded, with a notice.
  ///
  /// - Throws: `.unsuitable` for one that is required and cannot be decoded.
  init?(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse, isRequired: Bool = false,
    notices: inout [Notice]
  ) throws(ImageError) {
    if use == .none, let flavor = GainMapWeight(document.gainMap, .full)?.flavor {
      notices.append(Notice(.gainMapDropped, ["flavor": flavor.title]))
    }
    guard let weight = GainMapWeight(document.gainMap, use) else { return nil }
    let decoded = try Execution.part(upTo: 0.1) { () throws(ImageError) in
      isRequired ? try document.requireGainMap() : try document.decodedGainMap(notices: &notices)
    }
    guard let map = decoded else { return nil }
    (self.weight, self.map) = (weight, map)
  }

  /// This gain map, or `nil` if it has no effect.
  var effective: AppliedGainMap? { weight.value == 0 ? nil : self }
}
