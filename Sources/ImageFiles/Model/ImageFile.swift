// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Synchronization

/// An image file, parsed once.
///
/// The images with their color, the gain maps, the metadata and the results of edits are derived
/// from the parsed structure. Samples are not decoded.
///
/// ```swift
/// let file = try ImageFile(parsing: ByteSource(path: "IMG_0001.HEIC"))
/// for image in try file.contents().images {
///   print(image.name, image.role, image.uprightSize)
/// }
/// ```
public struct ImageFile: Sendable {
  /// The format, detected from the first bytes of the file.
  public let format: FileFormat
  /// The bytes of the file.
  public let source: ByteSource
  /// Limits, and values assumed for information missing from the file.
  public let options: OpeningOptions
  /// The structure of the file.
  package let container: FileContainer
  /// Notices about samples that were decoded.
  package let decodingNotices = DecodingNotices()
  private let memory = Execution.HeldMemory()
  private let knownContents = Once<FileContents>()
  private let knownGainMaps = Once<GainMapInventory>()
  private let knownPrimary = Once<DeclaredImage>()
  private let knownCR3 = Once<CR3File>()

  /// Parses the structure of a file of any format.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and values assumed for information missing from the file; they also apply
  ///     to files that result from edits.
  /// - Throws: `.malformed` for an unrecognized format, `.invalidArgument` if the file does not
  ///   have the image that `options` select; errors of reading and of the file structure.
  public init(
    parsing source: ByteSource, options: OpeningOptions = OpeningOptions()
  ) throws(ImageError) {
    guard let format = FileFormat(detectedIn: try source.prefix(32)) else {
      throw ImageError(.unrecognizedFormat, at: .init(offset: 0))
    }
    self.format = format
    self.source = source
    self.options = options
    container = try memory.hold { () throws(ImageError) in
      try FileContainer(parsing: source, as: format, options: options)
    }
  }

  /// A copy with another structure, which is not serialized.
  package func replacing(_ container: FileContainer) -> ImageFile {
    ImageFile(format: format, source: source, options: options, container: container)
  }

  /// Creates a file from a structure in memory.
  package init(_ container: FileContainer, options: OpeningOptions = OpeningOptions()) {
    let (format, source) = container.structure.parsedFile
    self.init(
      format: format, source: source ?? ByteSource([]), options: options, container: container)
  }

  private init(
    format: FileFormat, source: ByteSource, options: OpeningOptions, container: FileContainer
  ) {
    self.format = format
    self.source = source
    self.options = options
    self.container = container
  }

  /// Parses a file derived from this one, with the same options.
  ///
  /// - Throws: Errors of the file structure.
  package func parsing(_ bytes: SplicedBytes) throws(ImageError) -> ImageFile {
    try ImageFile(parsing: ByteSource(bytes), options: options)
  }

  /// The images of the file with their color, HDR metadata and other metadata.
  ///
  /// Derived on first use from the structure and the headers of bitstreams.
  ///
  /// - Throws: `.malformed`, `.truncated` or `.limitExceeded` if the contents contradict the
  ///   declared structure; `.unsupported` for a file without a still image, and for camera raw
  ///   files of the format `raw`, whose headers only LibRaw reads (`contentsWithRaw()` of
  ///   `RAWDevelop`).
  public func contents() throws(ImageError) -> FileContents {
    try knownContents.value { () throws(ImageError) in
      try memory.hold { () throws(ImageError) in try FileContents(of: self) }
    }
  }

  /// The declarations of the file about its primary image, for decoders.
  ///
  /// - Throws: As `contents()`; `.unsupported` for camera raw files.
  package func primaryImage() throws(ImageError) -> DeclaredImage {
    try knownPrimary.value { () throws(ImageError) in
      try memory.hold { () throws(ImageError) in try container.structure.primaryImage(of: self) }
    }
  }

  /// The boxes of a Canon CR3 file, parsed on first use.
  ///
  /// - Throws: `.malformed` for another format, and errors of the file structure.
  package func cr3() throws(ImageError) -> CR3File {
    try knownCR3.value { () throws(ImageError) in
      try memory.hold { () throws(ImageError) in
        try CR3File(parsing: source, limits: options.limits)
      }
    }
  }

  /// The gain maps of the file, in all flavors.
  ///
  /// A gain map that cannot be read results in a notice, not in an error.
  ///
  /// - Throws: `.unsupported` for formats other than HEIF, AVIF, JPEG, PNG and JPEG XL.
  public func gainMaps() throws(ImageError) -> GainMapInventory {
    try knownGainMaps.value { () throws(ImageError) in
      try memory.hold { () throws(ImageError) in
        try container.structure.gainMaps(options)
      }
    }
  }
}

extension ImageFile {
  /// The tree of boxes, segments, chunks or directories in the file.
  ///
  /// - Throws: Errors of the file structure.
  public func structure() throws(ImageError) -> StructureNode {
    StructureNode(
      format.rawValue, 0..<source.count, children: try container.structure.nodes(of: self))
  }
}

/// A value computed on first use and cached, as is an error of the computation unless it ends the whole
/// job.
package final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Result<Value, ImageError>?>(nil)

  package init() {}

  /// Returns the value; concurrent callers wait for the first computation.
  ///
  /// - Parameter make: Computes the value; must not call this function on the same object.
  /// - Returns: The value.
  /// - Throws: The error of the computation.
  package func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    let result = known.withLock { known in
      let result = known ?? Result(catching: make)
      // Errors of reading and of the budget depend on the job.
      if case .failure(let error) = result, error.endsJob { return result }
      known = result
      return result
    }
    return try result.get()
  }
}

extension ImageFile: CustomStringConvertible {
  /// The format and the number of bytes.
  public var description: String { "\(format.title), \(source)" }
}
