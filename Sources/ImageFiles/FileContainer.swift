public import HDRCore
package import ImageContainers

/// The structure of a file, as the parser of its format yields it.
package enum FileContainer: Sendable {
  /// HEIF and AVIF.
  case heif(HEIFFile)
  case png(PNGFile)
  case jpeg(JPEGFile)
  /// TIFF, DNG and camera raw files that are built like TIFF.
  case tiff(TIFFFile)
  case exr(EXRHeader)
  case radiance(RadianceHeader)
  case jpegXL(JPEGXLFile)
  /// Camera raw files of other kinds, whose structure is parsed where it is needed.
  case cameraRaw

  /// Parses a file of a format.
  ///
  /// - Throws: What is wrong with its structure.
  init(
    parsing source: ByteSource, as format: FileFormat, limits: ImageLimits
  ) throws(ImageError) {
    ParseLog.current?.add(size: source.count)
    switch format {
    case .heif, .avif: self = .heif(try HEIFFile(parsing: source, limits: limits))
    case .png: self = .png(try PNGFile(parsing: source, limits: limits))
    case .jpeg: self = .jpeg(try JPEGFile(parsing: source, limits: limits))
    case .tiff: self = .tiff(try TIFFFile(parsing: source, limits: limits))
    case .exr: self = .exr(try EXRHeader.read(from: source, limits: limits))
    case .radiance: self = .radiance(try RadianceHeader.read(from: source))
    case .jxl: self = .jpegXL(try JPEGXLFile(parsing: source, limits: limits))
    case .cr3, .raw: self = .cameraRaw
    }
  }

  /// Whether edits of metadata can change the file.
  package var isEditable: Bool {
    switch self {
    case .heif, .png, .jpeg: true
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: false
    }
  }

  /// Changes metadata.
  ///
  /// - Returns: What was lost, or contradicts something else now.
  /// - Throws: `.invalidArgument` for what the container has no place for, `.malformed` for metadata
  ///   that cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    switch self {
    case .heif(var file):
      let notices = try file.apply(edit)
      self = .heif(file)
      return notices
    case .png(var file):
      let notices = try file.apply(edit)
      self = .png(file)
      return notices
    case .jpeg(var file):
      let notices = try file.apply(edit)
      self = .jpeg(file)
      return notices
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: throw .notEditable
    }
  }

  /// The file with its edits, if there were any.
  ///
  /// - Throws: What laying the file out throws.
  package func serialized() throws(ImageError) -> SplicedBytes {
    switch self {
    case .heif(let file): try file.spliced()
    case .png(let file): file.serialized()
    case .jpeg(let file): try file.serialized()
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: throw .notEditable
    }
  }

  /// Whether an edit changed nothing.
  func isEqual(to other: FileContainer) -> Bool {
    switch (self, other) {
    case (.heif(let a), .heif(let b)): a == b
    case (.png(let a), .png(let b)): a.chunks == b.chunks
    case (.jpeg(let a), .jpeg(let b)):
      a.images.map(\.parts) == b.images.map(\.parts) && a.trailers == b.trailers
        && a.hasStaleDirectory == b.hasStaleDirectory
    default: false
    }
  }

  /// The file with properties of items in the order that readers expect.
  var withPropertiesInOrder: FileContainer {
    guard case .heif(var file) = self else { return self }
    file.arrangeProperties()
    return .heif(file)
  }
}

extension ImageError {
  /// The error for files whose structure cannot be edited.
  static let notEditable = ImageError(.containerUnsupported, at: .init(offset: 0))
}

extension ImageFile {
  /// Whether edits of metadata can change the file: HEIF, AVIF, PNG or JPEG.
  public var isEditable: Bool { container.isEditable }

  /// Everything that an edit of metadata must leave alone.
  ///
  /// - Throws: What finding the data of an item throws; `.unsupported` for files that cannot be edited.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    switch container {
    case .heif(let file): try file.codedPayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: throw .notEditable
    }
  }

  /// Those of `codedPayloads()` whose data are in the file, if it is truncated.
  package func wholePayloads() -> [CodedPayload] {
    switch container {
    case .heif(let file): file.wholePayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: []
    }
  }

  /// What was cut off a file that is read nevertheless, and what in it cannot be read.
  package var damage: [Notice] {
    if case .heif(let file) = container { file.damage } else { [] }
  }

  /// The metadata of an image that an edit can change; those of the primary one for `nil`.
  ///
  /// - Throws: `.invalidArgument` if there is no such image, `.unsupported` for files that cannot be
  ///   edited.
  public func summary(of item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    switch container {
    case .heif(let file): try file.summary(of: item)
    case .png(let file): try file.summary(of: item)
    case .jpeg(let file): try file.summary(of: item)
    case .tiff, .exr, .radiance, .jpegXL, .cameraRaw: throw .notEditable
    }
  }
}
