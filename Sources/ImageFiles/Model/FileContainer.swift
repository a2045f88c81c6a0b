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
  case cameraRaw(CameraRawContainer)

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
    case .cr3, .raw: self = .cameraRaw(CameraRawContainer(format: format))
    }
    switch self {
    case .heif, .tiff, .exr, .jpegXR: break
    case .png, .jpeg, .radiance, .jpegXL, .cameraRaw:
      // Other formats have one image.
      try options.image?.choose(from: [(1, [], ())])
    }
  }

  /// The structure.
  var structure: any ParsedContainer {
    get {
      switch self {
      case .heif(let file): file
      case .png(let file): file
      case .jpeg(let file): file
      case .tiff(let file): file
      case .exr(let header): header
      case .radiance(let header): header
      case .jpegXL(let file): file
      case .jpegXR(let file): file
      case .cameraRaw(let file): file
      }
    }
    set { self = newValue.asContainer }
  }

  /// Serializes the file with its edits.
  ///
  /// - Throws: Errors of serializing the structure; `.unsuitable` for files that cannot be edited.
  package func serialized() throws(ImageError) -> SplicedBytes { try structure.rewritten() }

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

  /// Removes what an edited file must not contain; as `ParsedContainer.dropUnreadableGainMaps`.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    var edited = structure
    guard let notices = try ifReadable(try edited.dropUnreadableGainMaps()), !notices.isEmpty else {
      return []
    }
    structure = edited
    return notices
  }

  /// Moves a gain map of PNG to the place where readers look for it, and removes what an edited file must
  /// not contain.
  ///
  /// - Returns: Notices about what was moved, dropped or corrected; empty if the file is unchanged.
  /// - Throws: Errors that end the whole job.
  mutating func arrangeGainMaps() throws(ImageError) -> [Notice] {
    var moved: [Notice] = []
    if case .png(var file) = self {
      moved = try file.arrangeLateGainMap()
      if !moved.isEmpty { self = .png(file) }
    }
    let dropped = try dropUnreadableGainMaps()
    return dropped.isEmpty ? moved : dropped
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
  public var isEditable: Bool { format.traits.isEditable }

  /// All coded data, which metadata edits must not change.
  ///
  /// - Throws: Errors of locating the data of an item; `.unsuitable` for files that cannot be
  ///   edited.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    try container.structure.codedPayloads()
  }

  /// The payloads of `codedPayloads()` that a truncated file contains completely.
  ///
  /// - Throws: Errors of the budget.
  package func wholePayloads() throws(ImageError) -> [CodedPayload] {
    try container.structure.wholePayloads()
  }

  /// Notices about truncated and unreadable parts of a file that is read nevertheless.
  package var damage: [Notice] { container.structure.damage }

  /// The metadata of an image; of the primary image for `nil`.
  ///
  /// Exif of a format that stores its tags elsewhere is collected from them.
  ///
  /// - Parameter item: The image, as in `MetadataEdit.item`.
  /// - Returns: The metadata; those that cannot be read are `nil`.
  /// - Throws: `.invalidArgument` if the image does not exist, `.unsuitable` for camera raw files
  ///   that are not TIFF files; errors of the structure.
  public func metadataSummary(ofItem item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    try container.structure.summary(of: item, in: self)
  }

  /// The boxes of the file, regardless of what they contain.
  ///
  /// - Throws: Errors that end the whole job.
  var boxNodes: [StructureNode] {
    get throws(ImageError) { try StructureNode.boxes(of: source, limits: options.limits) }
  }

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
