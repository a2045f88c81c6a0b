// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The structure of a file whose metadata can be edited.
protocol EditableContainer: Sendable {
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
  func isEqual(to other: any EditableContainer) -> Bool

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

  /// The editable metadata of an image; of the primary image for `nil`.
  ///
  /// - Throws: `.invalidArgument` if the image does not exist.
  func summary(of item: UInt32?) throws(ImageError) -> MetadataSummary
}

extension EditableContainer {
  var damage: [Notice] { [] }

  func wholePayloads() throws(ImageError) -> [CodedPayload] {
    try ifReadable(try codedPayloads()) ?? []
  }
}

extension FileContainer {
  /// The structure if its metadata can be edited; `nil` for other formats.
  var editable: (any EditableContainer)? { structure as? any EditableContainer }

  /// Returns the structure for edits.
  ///
  /// - Throws: `.unsuitable` for files that cannot be edited.
  func requireEditable() throws(ImageError) -> any EditableContainer {
    guard let editable else {
      if case .tiff(let file) = self, file.directories[0][.dngVersion] != nil {
        throw ImageError(.formatNotEditable, ["format": "DNG"])
      }
      throw .cannotEdit(structure?.parsedFile.format ?? .raw)
    }
    return editable
  }
}
