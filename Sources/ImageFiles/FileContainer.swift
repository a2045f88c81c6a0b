// SPDX-License-Identifier: Apache-2.0
public import HDRCore
package import ImageContainers

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
  /// Other camera raw files, whose structure is parsed on demand.
  case cameraRaw

  /// Parses a file of a format.
  ///
  /// - Throws: Errors of the file structure.
  init(
    parsing source: ByteSource, as format: FileFormat, options: OpeningOptions
  ) throws(ImageError) {
    ParseLog.current?.add(size: source.count)
    let limits = options.limits
    switch format {
    case .heif, .avif: self = .heif(try HEIFFile(parsing: source, limits: limits))
    case .png:
      self = .png(
        try PNGFile(
          parsing: source, limits: limits,
          acceptsWrongChecksums: options.acceptsWrongChecksums))
    case .jpeg: self = .jpeg(try JPEGFile(parsing: source, limits: limits))
    case .tiff: self = .tiff(try TIFFFile(parsing: source, limits: limits))
    case .exr: self = .exr(try EXRHeader.read(from: source, limits: limits))
    case .radiance: self = .radiance(try RadianceHeader.read(from: source))
    case .jxl: self = .jpegXL(try JPEGXLFile(parsing: source, limits: limits))
    case .cr3, .raw: self = .cameraRaw
    }
  }

  /// Whether the metadata can be edited.
  package var isEditable: Bool {
    switch self {
    case .heif, .png, .jpeg, .jpegXL: true
    case .tiff, .exr, .radiance, .cameraRaw: false
    }
  }

  /// Changes metadata.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` for metadata that the container cannot store, `.malformed` for
  ///   metadata that cannot be edited.
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
    case .jpegXL(var file):
      let notices = try file.apply(edit)
      self = .jpegXL(file)
      return notices
    case .tiff, .exr, .radiance, .cameraRaw: throw .notEditable
    }
  }

  /// Serializes the file with its edits.
  ///
  /// - Throws: Errors of serializing the structure; `.unsupported` for files that cannot be edited.
  package func serialized() throws(ImageError) -> SplicedBytes {
    switch self {
    case .heif(let file): try file.spliced()
    case .png(let file): file.serialized()
    case .jpeg(let file): try file.serialized()
    case .jpegXL(let file): try file.spliced()
    case .tiff, .exr, .radiance, .cameraRaw: throw .notEditable
    }
  }

  /// Whether two structures are identical, that is, an edit did not change anything.
  func isEqual(to other: FileContainer) -> Bool {
    switch (self, other) {
    case (.heif(let a), .heif(let b)): a == b
    case (.png(let a), .png(let b)): a.chunks == b.chunks
    case (.jpeg(let a), .jpeg(let b)):
      a.images.map(\.parts) == b.images.map(\.parts) && a.trailers == b.trailers
        && a.hasStaleDirectory == b.hasStaleDirectory
    case (.jpegXL(let a), .jpegXL(let b)): a.boxes == b.boxes
    default: false
    }
  }

  /// A copy with item properties in the order that readers expect.
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
  /// Whether the metadata can be edited: true for HEIF, AVIF, PNG, JPEG and JPEG XL.
  public var isEditable: Bool { container.isEditable }

  /// All coded data, which metadata edits must not change.
  ///
  /// - Throws: Errors of locating the data of an item; `.unsupported` for files that cannot be
  ///   edited.
  package func codedPayloads() throws(ImageError) -> [CodedPayload] {
    switch container {
    case .heif(let file): try file.codedPayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    case .jpegXL(let file): file.codedPayloads()
    case .tiff, .exr, .radiance, .cameraRaw: throw .notEditable
    }
  }

  /// The payloads of `codedPayloads()` that a truncated file contains completely.
  package func wholePayloads() -> [CodedPayload] {
    switch container {
    case .heif(let file): file.wholePayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    case .jpegXL(let file): file.codedPayloads()
    case .tiff, .exr, .radiance, .cameraRaw: []
    }
  }

  /// Notices about truncated and unreadable parts of a file that is read nevertheless.
  package var damage: [Notice] {
    switch container {
    case .heif(let file): file.damage
    case .jpegXL(let file): file.damage
    default: []
    }
  }

  /// The editable metadata of an image; of the primary image for `nil`.
  ///
  /// - Throws: `.invalidArgument` if the image does not exist, `.unsupported` for files that cannot
  ///   be edited.
  public func summary(of item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    switch container {
    case .heif(let file): try file.summary(of: item)
    case .png(let file): try file.summary(of: item)
    case .jpeg(let file): try file.summary(of: item)
    case .jpegXL(let file): try file.summary(of: item)
    case .tiff, .exr, .radiance, .cameraRaw: throw .notEditable
    }
  }
}
