public import HDRCore
public import ImageContainers

/// A file of a kind whose structure can be edited without any codec.
public enum ContainerFile: Sendable {
  /// HEIF and AVIF.
  case heif(HEIFFile)
  case png(PNGFile)
  case jpeg(JPEGFile)

  /// Parses a file by its first bytes.
  ///
  /// - Throws: `.unsupported` for other kinds of files, otherwise what the parser finds wrong.
  public init(
    parsing source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    let head = try source.prefix(12)
    if head.starts(with: PNGFile.signature) {
      self = .png(try PNGFile(parsing: source, limits: limits))
    } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg(try JPEGFile(parsing: source, limits: limits))
    } else if head.dropFirst(4).starts(with: "ftyp".utf8) {
      self = .heif(try HEIFFile(parsing: source, limits: limits))
    } else {
      throw ImageError(.containerUnsupported, at: .init(offset: 0))
    }
  }

  /// The file that was parsed.
  public var source: ByteSource {
    switch self {
    case .heif(let file): file.layout.origin?.source ?? ByteSource([])
    case .png(let file): file.source
    case .jpeg(let file): file.source
    }
  }

  /// Changes metadata.
  ///
  /// - Returns: What was lost, or contradicts something else now.
  /// - Throws: `.invalidArgument` for what the container has no place for, `.malformed` for metadata
  ///   that cannot be edited.
  public mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
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
    }
  }

  /// The file with its edits, if there were any.
  ///
  /// - Throws: What laying the file out throws.
  public func serialized() throws(ImageError) -> SplicedBytes {
    switch self {
    case .heif(let file): try file.spliced()
    case .png(let file): file.serialized()
    case .jpeg(let file): try file.serialized()
    }
  }

  /// Everything that an edit of metadata must leave alone.
  ///
  /// - Throws: What finding the data of an item throws.
  public func codedPayloads() throws(ImageError) -> [CodedPayload] {
    switch self {
    case .heif(let file): try file.codedPayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    }
  }

  /// Those of `codedPayloads()` whose data are in the file, if it is cut.
  package func wholePayloads() -> [CodedPayload] {
    switch self {
    case .heif(let file): file.wholePayloads()
    case .png(let file): file.codedPayloads()
    case .jpeg(let file): file.codedPayloads()
    }
  }

  /// What was cut off a file that is read nevertheless, and what in it cannot be read.
  package var damage: [Notice] {
    if case .heif(let file) = self { file.damage } else { [] }
  }

  /// What the file says about a picture; the primary one for `nil`.
  ///
  /// - Throws: `.invalidArgument` if there is no such picture.
  public func summary(of item: UInt32? = nil) throws(ImageError) -> MetadataSummary {
    switch self {
    case .heif(let file): try file.summary(of: item)
    case .png(let file): try file.summary(of: item)
    case .jpeg(let file): try file.summary(of: item)
    }
  }
}
