// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
package import ImageFiles

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

extension ImageFile {
  /// The reason why the samples of the gain map cannot be decoded; `nil` if they can, without a gain
  /// map, and in a build without the codec.
  ///
  /// - Throws: `.limitExceeded` and `.cancelled`, which are not faults of the gain map.
  package var gainMapDefect: ImageError? {
    get throws(ImageError) {
      guard format.traits.gainMapCodec != nil, let map = (try? gainMaps())?.applicable,
        let decoder = try? format.decoder()
      else { return nil }
      do throws(ImageError) {
        _ = try decoder.decodeGainMap(map.place, in: self)
        return nil
      } catch {
        if [.malformed, .truncated, .unsupported, .codecFailure].contains(error.category) {
          return error
        }
        guard error.category != .missingCodec else { return nil }
        throw error
      }
    }
  }

  /// A copy without a gain map that cannot be decoded, and the notice; `nil` if it can be.
  ///
  /// - Throws: As `gainMapDefect`; errors of the structure.
  package var withoutUndecodableGainMap: (file: ImageFile, notices: [Notice])? {
    get throws(ImageError) {
      guard let defect = try gainMapDefect else { return nil }
      let flat = try droppingGainMaps()
      return (
        flat.file,
        flat.notices + [Notice(.gainMapNotDecodable, ["cause": defect], at: defect.location)]
      )
    }
  }

  /// As `edited(_:)`, and a gain map that cannot be decoded is dropped as well.
  ///
  /// - Throws: As `edited(_:)` and `gainMapDefect`.
  package func editedWithDecodableGainMap(_ edit: MetadataEdit) throws(ImageError) -> EditedFile {
    if let (whole, dropped) = try withoutUnreadableGainMaps {
      return try whole.editedWithDecodableGainMap(edit).dropping(dropped)
    }
    guard let (file, notices) = try withoutUndecodableGainMap else { return try edited(edit) }
    return try file.edited(edit).dropping(notices)
  }
}

extension GainMapImage {
  init(_ image: Image, _ found: FoundGainMap) throws(ImageError) {
    guard let metadata = found.metadata else { throw ImageError(.gainMapDescriptionMissing) }
    try self.init(
      image, metadata: metadata, alternatePrimaries: found.alternate.specifiedPrimaries)
  }
}
