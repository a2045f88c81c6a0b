// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
internal import ImageFiles

extension SourceImage {
  /// Decodes the gain map between the baseline and the alternate image.
  ///
  /// - Returns: The gain map; `nil` if the file does not contain one that can be applied.
  /// - Throws: Errors of the gain map item; the baseline image remains usable.
  public func decodeGainMap() throws(ImageError) -> GainMapImage? {
    guard let found = gainMap, found.metadata != nil else { return nil }
    if let attachedGainMap { return try GainMapImage(try attachedGainMap.loaded(), found) }
    guard let file else { return nil }
    return try GainMapImage(try file.format.decoder().decodeGainMap(found.place, in: file), found)
  }

  /// Decodes the gain map; a gain map that cannot be decoded yields a notice instead of an error.
  package func decodedGainMap(notices: inout [Notice]) -> GainMapImage? {
    do throws(ImageError) {
      return try decodeGainMap()
    } catch {
      notices.append(
        Notice(.gainMapNotDecodable, ["cause": error], at: error.location))
      return nil
    }
  }

  /// Decodes the image as a gain map, regardless of its declared color.
  ///
  /// - Parameter detached: Metadata of the gain map.
  /// - Returns: The gain map.
  /// - Throws: `.invalidArgument` for an image that was created in memory, for a format whose images
  ///   cannot be gain maps and for a gain map with alpha; errors of the codec.
  public func decodeAsGainMap(_ detached: FoundGainMap) throws(ImageError) -> GainMapImage {
    try GainMapImage(try samplesAsGainMap(), detached)
  }

  /// Sets the image of another file as the gain map of this one, replacing any existing gain map.
  ///
  /// - Parameters:
  ///   - map: The file whose image is the gain map.
  ///   - detached: Metadata of the gain map.
  /// - Throws: As `decodeAsGainMap(_:)`.
  public mutating func attachGainMap(
    _ map: SourceImage, _ detached: FoundGainMap
  ) throws(ImageError) {
    attachedGainMap = try map.samplesAsGainMap()
    gainMaps = [detached]
  }

  private func samplesAsGainMap() throws(ImageError) -> Image {
    guard let file else { throw ImageError(.gainMapMapWithoutFile) }
    guard let decoder = try? file.format.decoder() else {
      throw .gainMapFormatUnsupported(file.format)
    }
    let samples = try decoder.decodeGainMap(.file, in: file)
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
      image, metadata: metadata, alternatePrimaries: found.alternate.specifiedPrimaries)
  }
}
