public import GainMap
public import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// A gain map in the light of a conversion: how far it goes from the base to the alternate.
public struct AppliedGainMap: Sendable {
  /// Whose words about the map were taken.
  public let flavor: GainMapFlavor
  /// The display that is gone for.
  public let display: Headroom
  /// Share of the gain: 0 shows the base, 1 or -1 the alternate rendition.
  public let weight: Double

  let map: GainMapImage
  let alternate: AlternateRendition

  /// Decodes the map of a document and weighs it.
  ///
  /// A map that cannot be decoded never costs the picture: a notice says that this is the base.
  ///
  /// - Returns: `nil` without a map that can be decoded.
  init?(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse, notices: inout [Notice]
  ) {
    guard let found = document.gainMap, let reading = found.reading else { return nil }
    let display: Headroom
    switch use {
    case .none:
      notices.append(
        Notice(.gainMapDropped, ["flavor": reading.flavor.title])
      )
      return nil
    case .full: display = reading.meaning.fullHeadroom
    case .display(let headroom): display = headroom
    }
    guard let map = document.decodedGainMap(notices: &notices) else { return nil }
    self.map = map
    weight = map.meaning.weight(for: display)
    self.display = display
    flavor = reading.flavor
    alternate = found.alternate
  }

  /// The same, or `nil` where it changes nothing.
  var effective: AppliedGainMap? { weight == 0 ? nil : self }

  /// What the file says about the light of the rendition that is made.
  ///
  /// - Parameter base: What it says about the base.
  /// - Returns: The words about the alternate if that is reached; between the two, only what holds
  ///   for both.
  func description(base: LightMetadata) -> LightMetadata {
    var hdr = abs(weight) == 1 ? alternate.hdr : LightMetadata()
    hdr.diffuseWhite = hdr.diffuseWhite ?? base.diffuseWhite
    hdr.ambientEnvironment = hdr.ambientEnvironment ?? base.ambientEnvironment
    hdr.referenceEnvironment = hdr.referenceEnvironment ?? base.referenceEnvironment
    return hdr
  }
}
