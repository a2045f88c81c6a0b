public import GainMap
public import HDRCore
internal import ImageContainers

/// The samples of a gain map as a file holds them.
struct GainMapSamples: Sendable {
  let image: StoredImage
  /// Coefficients of Y'CbCr; `.identity` for gray and RGB.
  let matrix: CICP.Matrix
  let siting: ChromaSiting
}

extension PictureDocument {
  /// Decodes the gain map that leads from the base to the alternate rendition.
  ///
  /// - Returns: The map; `nil` if the file has none that can be applied.
  /// - Throws: What is wrong with the coded map; the base picture is good without it.
  public func decodeGainMap() throws(ImageError) -> StoredGainMap? {
    guard let found = gainMap, let meaning = found.reading?.meaning, let gainMapSamples else {
      return nil
    }
    let samples = try gainMapSamples(found.place)
    return StoredGainMap(
      samples.image, matrix: samples.matrix, siting: samples.siting, meaning: meaning,
      alternatePrimaries: found.alternate.primaries)
  }
}

extension AlternateRendition {
  /// Its primaries, if its profile or its code points say them.
  fileprivate var primaries: ColorPrimaries? {
    let profile = icc.flatMap { try? ICCProfile(parsing: $0) }
    return profile.flatMap { ProfileMeaning($0, isGray: false).primaries }
      ?? cicp.flatMap { ColorPrimaries($0.primaries) }
  }
}
