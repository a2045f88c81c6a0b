// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// The parsed structure of a file, by format.
package enum FileContainer: Sendable {
  /// HEIF and AVIF.
  case heif(HEIFFile)
  case png(PNGFile)
  case jpeg(JPEGFile)
  /// TIFF, DNG and TIFF-based camera raw files.
  case tiff(TIFFFile)
  case exr(EXRHeader)
  case radiance(RadianceHeader)
  case jpegXL(JPEGXLFile)
  case jpegXR(JPEGXRFile)
  /// Other camera raw files, whose structure is parsed on demand.
  case cameraRaw

  /// Parses a file of a format.
  ///
  /// - Throws: Errors of the file structure.
  init(
    parsing source: ByteSource, as format: FileFormat, options: OpeningOptions
  ) throws(ImageError) {
    Execution.current.parseLog?.add(size: source.count)
    let limits = options.limits
    switch format {
    case .heif, .avif:
      let file = try HEIFFile(parsing: source, limits: limits)
      self = .heif(try file.selecting(options.image))
    case .png:
      self = .png(
        try PNGFile(
          parsing: source, limits: limits,
          acceptsWrongChecksums: options.acceptsWrongChecksums))
    case .jpeg: self = .jpeg(try JPEGFile(parsing: source, limits: limits))
    case .tiff:
      let file = try TIFFFile(parsing: source, limits: limits)
      self = .tiff(try file.selecting(options.image))
    case .exr: self = .exr(try EXRHeader.read(from: source, limits: limits))
    case .radiance: self = .radiance(try RadianceHeader.read(from: source))
    case .jxl: self = .jpegXL(try JPEGXLFile(parsing: source, limits: limits))
    case .jpegXR:
      self = .jpegXR(try JPEGXRFile(parsing: source, selecting: options.image, limits: limits))
    case .cr3, .raw: self = .cameraRaw
    }
    switch self {
    case .heif, .tiff, .exr, .jpegXR: break
    case .png, .jpeg, .radiance, .jpegXL, .cameraRaw:
      // Other formats have one image.
      try options.image?.choose(from: [(1, [], ())])
    }
  }

  /// The structure; `nil` for camera raw files, whose structure is parsed on demand.
  var structure: (any ParsedContainer)? {
    switch self {
    case .heif(let file): file
    case .png(let file): file
    case .jpeg(let file): file
    case .tiff(let file): file
    case .exr(let header): header
    case .radiance(let header): header
    case .jpegXL(let file): file
    case .jpegXR(let file): file
    case .cameraRaw: nil
    }
  }

  /// Changes metadata.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.unsuitable` for files that cannot be edited; as `EditableContainer.apply`.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    var file = try requireEditable()
    let notices = try file.apply(edit)
    self = file.asContainer
    return notices
  }

  /// Removes a part of the metadata; as `EditableContainer.remove`.
  ///
  /// - Throws: `.unsuitable` for files that cannot be edited; as `EditableContainer.remove`.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var file = try requireEditable()
    let notices = try file.remove(part)
    self = file.asContainer
    return notices
  }

  /// Serializes the file with its edits.
  ///
  /// - Throws: Errors of serializing the structure; `.unsuitable` for files that cannot be edited.
  package func serialized() throws(ImageError) -> SplicedBytes { try requireEditable().rewritten() }

  /// Whether two structures are identical, that is, an edit did not change anything.
  func isEqual(to other: FileContainer) -> Bool {
    guard let editable, let other = other.editable else { return false }
    return editable.isEqual(to: other)
  }

  /// Arranges item properties in the order that readers expect.
  mutating func arrangeProperties() {
    guard case .heif(var file) = self else { return }
    file.arrangeProperties()
    self = .heif(file)
  }

  /// Corrects configurations that contradict the bitstream; as `HEIFFile.correctConfigurations`.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func correctConfigurations() throws(ImageError) -> [Notice] {
    guard case .heif(var file) = self else { return [] }
    let notices = try file.correctConfigurations()
    if !notices.isEmpty { self = .heif(file) }
    return notices
  }
}

extension ImageError {
  /// The error for files whose gain maps cannot be edited.
  static let notEditable = ImageError(.containerUnsupported, at: .init(offset: 0))

  /// The error for edits of a file of this format.
  package static func cannotEdit(_ format: FileFormat) -> ImageError {
    ImageError(.formatNotEditable, ["format": format.title])
  }

  /// The error for the number of an item in a file of this format.
  static func hasNoItems(_ format: FileFormat) -> ImageError {
    ImageError(.formatHasNoItems, ["format": format.title])
  }
}

extension ImageFile {
  /// Whether the metadata can be edited: true for HEIF, AVIF, PNG, JPEG, JPEG XL and JPEG XR.
  public var isEditable: Bool { container.editable != nil }

  /// All coded data, which metadata edits must not change.
  ///
  /// - Throws: Errors of locating the data of an item; `.unsuitable` for files that cannot be
  ///   edited.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    try container.requireEditable().codedPayloads()
  }

  /// The payloads of `codedPayloads()` that a truncated file contains completely.
  ///
  /// - Throws: Errors of the budget.
  package func wholePayloads() throws(ImageError) -> [CodedPayload] {
    try container.editable?.wholePayloads() ?? []
  }

  /// Notices about truncated and unreadable parts of a file that is read nevertheless.
  package var damage: [Notice] { container.editable?.damage ?? [] }

  /// The metadata of an image; of the primary image for `nil`.
  ///
  /// Exif of a format that stores its tags elsewhere is collected from them.
  ///
  /// - Parameter item: The image, as in `MetadataEdit.item`.
  /// - Returns: The metadata; those that cannot be read are `nil`.
  /// - Throws: `.invalidArgument` if the image does not exist, `.unsuitable` for camera raw files
  ///   that are not TIFF files; errors of the structure.
  public func metadataSummary(ofItem item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    if let editable = container.editable { return try editable.summary(of: item) }
    guard let structure = container.structure else { throw .cannotEdit(format) }
    guard item == nil else { throw .hasNoItems(format) }
    return try structure.summary(of: self)
  }
}
