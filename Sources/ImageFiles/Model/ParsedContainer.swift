// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The structure of a file whose headers are parsed when it is opened.
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

  /// Returns the metadata of the primary image, which need not be decodable.
  ///
  /// - Parameter file: The file with this structure.
  /// - Returns: The metadata.
  /// - Throws: Errors of reading them.
  func summary(of file: ImageFile) throws(ImageError) -> MetadataSummary

  /// Returns the boxes, segments, chunks or directories.
  ///
  /// - Parameter file: The file with this structure.
  /// - Returns: Their trees.
  /// - Throws: Errors of the file structure.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode]
}

extension ParsedContainer {
  func summary(of file: ImageFile) throws(ImageError) -> MetadataSummary {
    let declared = try file.primaryImage()
    return try MetadataSummary(
      profile: declared.color.icc, exif: declared.metadata.exif?.bytes,
      xmp: declared.metadata.xmp?.bytes, orientation: declared.orientation)
  }
}

extension ImageFile {
  /// The boxes of the file, regardless of what they contain.
  ///
  /// - Throws: Errors that end the whole job.
  var boxNodes: [StructureNode] {
    get throws(ImageError) { try StructureNode.boxes(of: source, limits: options.limits) }
  }
}
