public import GainMap
public import HDRCore
internal import ImageContainers
internal import ImageFiles

extension SourceImage {
  /// Decodes the gain map that leads from the base to the alternate rendition.
  ///
  /// - Returns: The map; `nil` if the file has none that can be applied.
  /// - Throws: What is wrong with the coded map; the base picture is good without it.
  public func decodeGainMap() throws(ImageError) -> GainMapImage? {
    guard let found = gainMap, found.metadata != nil, let gainMapSamples else {
      return nil
    }
    return try GainMapImage(try gainMapSamples(found.place), found)
  }

  /// The gain map, decoded; one that cannot be gives a notice and never costs the picture.
  package func decodedGainMap(notices: inout [Notice]) -> GainMapImage? {
    do throws(ImageError) {
      return try decodeGainMap()
    } catch {
      notices.append(
        Notice(.gainMapNotDecodable, ["cause": error], at: error.location))
      return nil
    }
  }

  /// Decodes the picture of this document as a gain map, whatever it says about its color.
  ///
  /// - Parameter detached: Metadata of the gain map.
  /// - Returns: The map.
  /// - Throws: `.invalidArgument` for a format that is not read as a map and for a map with alpha,
  ///   otherwise what is wrong with the picture.
  public func decodeAsGainMap(_ detached: FoundGainMap) throws(ImageError) -> GainMapImage {
    try GainMapImage(try samplesAsGainMap(), detached)
  }

  /// Makes the picture of another document the gain map of this one, in place of any that it has.
  ///
  /// - Parameters:
  ///   - map: A document whose picture is the map.
  ///   - detached: Metadata of the gain map.
  /// - Throws: As `decodeAsGainMap(_:)`.
  public mutating func attachGainMap(
    _ map: SourceImage, _ detached: FoundGainMap
  ) throws(ImageError) {
    let samples = try map.samplesAsGainMap()
    gainMaps = [detached]
    gainMapSamples = { _ in samples }
  }

  private func samplesAsGainMap() throws(ImageError) -> Image {
    guard let gainMapSamples else {
      throw ImageError(.gainMapMapFormatUnsupported, ["format": format.title])
    }
    let samples = try gainMapSamples(.file)
    guard !samples.layout.hasAlpha else {
      throw ImageError(.gainMapMapHasAlpha)
    }
    return samples
  }
}

extension GainMapImage {
  init(_ image: Image, _ found: FoundGainMap) throws(ImageError) {
    guard let metadata = found.metadata else { throw ImageError(.gainMapDescriptionMissing) }
    try self.init(
      image, metadata: metadata, alternatePrimaries: found.alternate.primaries)
  }
}

extension FoundGainMap.AlternateImage {
  /// Its primaries, if its profile or its code points say them.
  var primaries: ColorPrimaries? {
    let profile = icc.flatMap { try? ICCProfile(parsing: $0) }
    return profile.flatMap { ProfileColor($0, isGray: false).primaries }
      ?? cicp.flatMap { ColorPrimaries($0.primaries) }
  }
}
