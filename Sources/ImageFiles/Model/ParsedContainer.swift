// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

/// The structure of a file.
///
/// Formats that cannot be edited, and those without gain maps, use the default implementations, most of
/// which throw the reason.
protocol ParsedContainer: Sendable {
  /// The format of the file, and its bytes if the structure refers to them.
  var parsedFile: (format: FileFormat, source: ByteSource?) { get }

  /// Returns the declarations about the primary image.
  ///
  /// - Parameter file: The file with this structure.
  /// - Returns: The declarations.
  /// - Throws: As `ImageFile.primaryImage()`.
  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage

  /// Interprets the structure.
  ///
  /// - Parameter file: The file with this structure.
  /// - Returns: The contents.
  /// - Throws: As `ImageFile.contents()`.
  func contents(of file: ImageFile) throws(ImageError) -> FileContents

  /// Returns the metadata of an image, which need not be decodable.
  ///
  /// - Parameters:
  ///   - item: The image; the primary image for `nil`.
  ///   - file: The file with this structure.
  /// - Returns: The metadata.
  /// - Throws: `.invalidArgument` if the image does not exist; errors of reading them.
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary

  /// Returns the boxes, segments, chunks or directories.
  ///
  /// - Parameter file: The file with this structure.
  /// - Returns: Their trees.
  /// - Throws: Errors of the file structure.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode]

  // Editing.

  /// The structure as that of any file.
  var asContainer: FileContainer { get }

  /// Notices about truncated and unreadable parts of a file that is read nevertheless.
  var damage: [Notice] { get }

  /// Changes metadata.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` for metadata that the container cannot store, `.malformed` for
  ///   metadata that cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice]

  /// Removes a part of the metadata from all images.
  ///
  /// - Returns: Notices about what could not be removed, and about what is removed with it.
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice]

  /// Serializes the file with its edits.
  ///
  /// - Throws: Errors of serializing the structure.
  func rewritten() throws(ImageError) -> SplicedBytes

  /// Whether a structure is identical, that is, an edit did not change anything.
  func isEqual(to other: any ParsedContainer) -> Bool

  /// All coded data, which metadata edits must not change.
  ///
  /// - Throws: Errors of locating the data of an item.
  func codedPayloads() throws(ImageError) -> [CodedPayload]

  /// The payloads of `codedPayloads()` that a truncated file contains completely.
  ///
  /// - Throws: Errors of the budget.
  func wholePayloads() throws(ImageError) -> [CodedPayload]

  /// Extracts one coded image into a separate file; as `ImageFile.standaloneFile(ofItem:)`.
  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes

  /// The error of edits of a file that cannot be edited.
  var editingError: ImageError { get }

  // Gain maps.

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

extension ParsedContainer {
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    guard item == nil else { throw .hasNoItems(file.format) }
    let declared = try file.primaryImage()
    return try MetadataSummary(
      profile: declared.color.icc, exif: declared.metadata.exif?.bytes,
      xmp: declared.metadata.xmp?.bytes, orientation: declared.orientation)
  }

  var editingError: ImageError { .cannotEdit(parsedFile.format) }
  var damage: [Notice] { [] }

  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] { throw editingError }
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] { throw editingError }
  func rewritten() throws(ImageError) -> SplicedBytes { throw editingError }
  func isEqual(to other: any ParsedContainer) -> Bool { false }
  func codedPayloads() throws(ImageError) -> [CodedPayload] { throw editingError }

  func wholePayloads() throws(ImageError) -> [CodedPayload] {
    try ifReadable(try codedPayloads()) ?? []
  }

  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes {
    throw .hasNoItems(parsedFile.format)
  }

  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory {
    throw .notEditable
  }

  var basePrimaries: ColorPrimaries? { nil }
  func primaryLayout() throws(ImageError) -> FoundGainMap.Layout? { nil }
  var stillCodec: StillCodec { get throws(ImageError) { throw .notEditable } }

  func standaloneGainMap(_ place: FoundGainMap.Location) throws(ImageError) -> SplicedBytes {
    throw ImageError(.gainMapNotAnImage)
  }

  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] { throw .notEditable }

  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] { throw .notEditable }

  mutating func dropGainMaps() throws(ImageError) -> [Notice] { [] }
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
