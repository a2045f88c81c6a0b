// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

/// The structure of a file that can contain gain maps.
protocol GainMapContainer: EditableContainer {
  /// Finds the gain maps of the primary image.
  ///
  /// - Throws: Errors that end the whole job.
  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory

  /// Primaries of the primary image, if the container specifies them.
  ///
  /// - Throws: Errors that end the whole job.
  var basePrimaries: ColorPrimaries? { get throws(ImageError) }

  /// Size, components and depth of the primary image as those of a gain map, as far as the container
  /// specifies them.
  ///
  /// - Throws: `.malformed` without a primary image.
  func primaryLayout() throws(ImageError) -> FoundGainMap.Layout?

  /// Rewrites the metadata of a gain map of this file, and removes all other gain maps.
  ///
  /// - Parameters:
  ///   - place: Place of the gain map.
  ///   - description: Gain map metadata to write.
  /// - Returns: Notices about metadata that cannot be stored.
  /// - Throws: `.unsupported` for a place in another format; errors of the metadata.
  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice]

  /// Adds the primary image of another file as the gain map, replacing existing ones.
  ///
  /// - Parameters:
  ///   - other: A file of the same format.
  ///   - description: Gain map metadata to write.
  /// - Returns: Notices about metadata that cannot be stored.
  /// - Throws: `.invalidArgument` for a file of another format; errors of the metadata.
  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice]

  /// The codec of the primary image, which its gain map must use as well.
  ///
  /// - Throws: `.malformed` without a primary image.
  var stillCodec: StillCodec { get throws(ImageError) }

  /// Extracts the image of a gain map in a box or chunk into a separate file without re-encoding.
  ///
  /// - Parameter place: Place of the gain map.
  /// - Returns: The file.
  /// - Throws: `.unsupported` if the container does not have such places; errors of the box.
  func standaloneGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> SplicedBytes

  /// Removes the gain maps of the primary image, including remains of invalid ones.
  ///
  /// - Returns: Notices about invalid structures and truncated data.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  mutating func dropGainMaps() throws(ImageError) -> [Notice]

  /// Removes a gain map that is truncated or whose metadata cannot be read, and metadata that signal a
  /// missing one, unless the file has a gain map that can be read; of that, metadata of a flavor that
  /// cannot be read are removed, and its chunks in PNG are corrected.
  ///
  /// - Returns: Notices about what was dropped or corrected; empty if the file is unchanged.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice]
}

extension GainMapContainer {
  func standaloneGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> SplicedBytes {
    throw ImageError(.gainMapNotAnImage)
  }

  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] { [] }

  /// Removes metadata of ISO 21496-1 and of Adobe that cannot be read from the gain map in effect, which
  /// others describe.
  ///
  /// - Parameter inventory: The gain maps of the file.
  /// - Returns: Notices about what was dropped; empty if the file is unchanged.
  /// - Throws: Errors of the metadata.
  mutating func dropUnreadableDescriptions(
    _ inventory: GainMapInventory
  ) throws(ImageError) -> [Notice] {
    guard let map = inventory.applicable else { return [] }
    let readable = Set(map.carriers.filter { $0.description != nil }.map(\.flavor))
    let dropped = map.carriers.compactMap { carrier -> Notice? in
      guard let cause = carrier.failure, !carrier.exceedsLimit, carrier.flavor != .apple,
        !readable.contains(carrier.flavor)
      else { return nil }
      return Notice(
        .dropped,
        "dropped: {flavor} metadata of the gain map, which cannot be read: {cause}; others "
          + "describe it",
        ["flavor": carrier.flavor.title, "cause": cause],
        at: carrier.location)
    }
    guard !dropped.isEmpty else { return [] }
    let description = try GainMapMetadataSet(of: map, in: readable, base: try basePrimaries)
    return dropped + description.notices + (try describeGainMap(at: map.location, description))
  }
}

extension FileContainer {
  /// Removes what an edited file must not contain; as `GainMapContainer.dropUnreadableGainMaps`.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    guard var file = withGainMaps, let notices = try ifReadable(try file.dropUnreadableGainMaps()),
      !notices.isEmpty
    else { return [] }
    self = file.asContainer
    return notices
  }
}

extension ImageFile {
  /// A copy without a gain map that cannot be read and without metadata that signal a missing one,
  /// with notices about both and about damage that the copy does not have; `nil` if the file does
  /// not have them.
  package var withoutUnreadableGainMaps: (file: ImageFile, notices: [Notice])? {
    get throws(ImageError) {
      var edited = container
      let notices = try edited.dropUnreadableGainMaps()
      guard !notices.isEmpty else { return nil }
      return (try parsing(try edited.serialized()), damage + notices)
    }
  }
}

extension FileContainer {
  /// The structure if it can contain gain maps; `nil` for other formats.
  var withGainMaps: (any GainMapContainer)? { editable as? any GainMapContainer }

  /// Returns the structure for gain maps.
  ///
  /// - Throws: `.unsupported` for formats without gain maps.
  func requireGainMaps() throws(ImageError) -> any GainMapContainer {
    guard let withGainMaps else { throw .notEditable }
    return withGainMaps
  }
}
