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

extension HEIFFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) {
    (fileType.contains("avif") ? .avif : .heif, layout.origin?.source)
  }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try primaryImage(options: file.options)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try HEIFInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    try file.boxNodes + [itemStructure]
  }
}

extension JPEGFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.jpeg, source) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    var image = try DeclaredImage(primary)
    image.notices = notices + image.notices
    return image
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try JPEGInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { structure }
}

extension PNGFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.png, source) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try PNGInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { try structure() }
}

extension TIFFFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.tiff, source) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try TIFFInterpreter(file, self).contents()
  }

  func summary(of file: ImageFile) throws(ImageError) -> MetadataSummary {
    try MetadataSummary(
      profile: try wholeValue(of: .iccProfile), exif: try exif(),
      xmp: try describingValue(of: .xmp), orientation: orientation)
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { try structure() }
}

extension EXRHeader: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.exr, nil) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, options: file.options, fileSize: file.source.count)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try EXRInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    try EXRStructure.nodes(of: file.source, limits: file.options.limits)
  }
}

extension RadianceHeader: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.radiance, nil) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try RadianceInterpreter(file, self).contents()
  }

  /// The lines of the header.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    let bytes = try file.source.bytes(in: 0..<end)
    var nodes: [StructureNode] = []
    var start = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      let range = start..<start + line.count
      start = range.upperBound + 1
      let words = String(decoding: line, as: UTF8.self)
        .split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = words.first, nodes.count < file.options.limits.items else { continue }
      nodes.append(
        StructureNode(name, range, fields: words.count > 1 ? [.init("value", words[1])] : []))
    }
    nodes.append(StructureNode("scanlines", end..<file.source.count))
    return nodes
  }
}
