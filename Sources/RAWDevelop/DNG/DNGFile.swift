// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

/// A DNG file: its tree of directories and its raw image.
///
/// Source: DNG specification 1.7.1.0.
public struct DNGFile: Sendable {
  /// Arrangement of raw samples.
  public enum RawType: String, Hashable, Sendable {
    /// Bayer mosaic: red, green and blue filters in squares of 2 x 2.
    case bayer
    /// Mosaic of other filters.
    case mosaic
    /// Apple ProRAW: all components in each pixel, in a file of Apple.
    case proRAW
    /// All components in each pixel.
    case linear
  }

  /// Directories of the file.
  package let structure: TIFFFile
  /// The version that the file was written for.
  package let version: DNGVersion
  /// The oldest version whose readers can read the file.
  package let backwardVersion: DNGVersion
  /// Arrangement of the raw samples.
  public let rawType: RawType
  /// All images of the file, in the order of the tree.
  package let images: [DNGImage]
  /// The image to develop.
  package let raw: DNGImage
  /// Reason for the selection of the image, for people.
  public let selectionReason: String
  /// Irregularities that do not prevent reading.
  public let notices: [Notice]

  let main: DNGDirectory
  /// Receives notices about samples that are decoded.
  var decodingNotices = DecodingNotices()
  /// Samples and description from another decoder for files other than DNG; `nil` for DNG files.
  let decoded: Decoded?

  /// CIE XYZ to camera colors under D65, of LibRaw for this camera; `nil` if the file contains a color
  /// matrix.
  var libraryMatrix: Matrix3x3?

  /// A raw image from another decoder; the file stores only tags.
  struct Decoded: Sendable {
    /// `nil` if only tags are needed.
    let samples: RawSamples?
    let rawType: RawType
    let selectionReason: String
    let exif: [UInt8]?
    let notices: [Notice]
  }

  /// Parses the directories of a DNG file.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - limits: Limits of the file.
  /// - Throws: `.malformed` and `.truncated` for a file that is not DNG or does not have a readable
  ///   raw image, `.unsupported` for a DNG version newer than 1.7.1.0, `.limitExceeded` for more
  ///   than 64 directories and for a raw image beyond the limits; errors of reading.
  public init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    try self.init(TIFFFile(parsing: source, limits: limits), limits: limits)
  }

  /// Parses the directories of a DNG file.
  ///
  /// - Parameters:
  ///   - structure: A TIFF structure for which `isDNG` holds.
  ///   - limits: Limits of the file.
  /// - Throws: `.unsupported` for a version that is newer than `DNGVersion.newest`,
  ///   `.limitExceeded` for more than 64 directories and for a raw image beyond the limits,
  ///   `.malformed` and `.truncated` for a file without a readable raw image, `.invalidArgument` if
  ///   the image that the caller selected is not raw.
  package init(_ structure: TIFFFile, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    try self.init(structure, limits: limits, decoded: nil)
  }

  /// Parses directories; with `anyVersion`, also those of newer versions, for access to embedded
  /// images.
  init(
    _ structure: TIFFFile, limits: ImageLimits, decoded: Decoded?, anyVersion: Bool = false
  ) throws(ImageError) {
    self.structure = structure
    self.decoded = decoded
    main = DNGDirectory(path: ["IFD0"], file: structure, entries: structure.directories[0])
    guard let version = try main.bytes(.dngVersion, atMost: 4), version.count == 4 else {
      throw main.error(
        .invalidValue, .dngVersion, ["field": "DNGVersion", "value": "not four numbers"])
    }
    self.version = DNGVersion(version)
    backwardVersion = DNGVersion(
      try main.bytes(.dngBackwardVersion, atMost: 4) ?? [version[0], version[1], 0, 0])
    guard anyVersion || backwardVersion <= .newest else {
      throw main.error(
        .rawDNGVersionUnsupported, .dngBackwardVersion,
        ["version": "\(backwardVersion)", "supported": "\(DNGVersion.newest)"])
    }
    var tree = DNGTree()
    try tree.walk(from: main)
    images = tree.images
    let chosen: (image: DNGImage, reason: String)
    if let selected = structure.selectedDirectory {
      chosen = try Self.image(at: selected.offset, in: images, main)
    } else if let usual = Self.choose(from: images) {
      chosen = usual
    } else {
      throw tree.firstError
        ?? main.error(.malformed, "the file does not contain a raw image", .photometric)
    }
    raw = chosen.image
    selectionReason = decoded?.selectionReason ?? chosen.reason
    rawType = if let decoded { decoded.rawType } else { try Self.rawType(of: raw, main) }
    notices = structure.notices + tree.notices + (decoded?.notices ?? [])
    do throws(ImageError) {
      try limits.check(width: raw.width, height: raw.height)
    } catch {
      throw raw.directory.located(error, .imageWidth)
    }
  }

  /// Errors of files whose raw samples cannot be decoded, although their preview may be readable.
  static let undecodable: Set<ErrorCode> = [
    .rawDNGVersionUnsupported, .rawCompressionUnsupported, .rawXTransTooSmall,
    .rawLibRawUnsupported, .rawLibRawDamaged, .rawLibRawTruncated, .rawSamplesMissing,
  ]

  /// Whether the first directory has the tag that makes a TIFF structure a DNG file, DNGVersion.
  package static func isDNG(_ structure: TIFFFile) -> Bool {
    structure.directories[0][.dngVersion] != nil
  }

  /// The image that the caller selected.
  private static func image(
    at offset: Int, in images: [DNGImage], _ main: DNGDirectory
  ) throws(ImageError) -> (image: DNGImage, reason: String) {
    guard let image = images.first(where: { $0.directory.entries.offset == offset }),
      image.photometric != nil
    else { throw main.error(.rawSelectionNotRaw, .newSubfileType) }
    return (image, "the selected image, \(image.width)x\(image.height)")
  }

  /// The enhanced image, else the raw image of the highest resolution; of equal sizes the main
  /// image.
  ///
  /// Source: DNG 1.7.1, NewSubFileType 16: the result of a process for better quality, such as
  /// interpolation or noise reduction, which programs show instead of the raw image.
  private static func choose(from images: [DNGImage]) -> (image: DNGImage, reason: String)? {
    let candidates = images.filter { image in
      image.photometric != nil
        && (image.role == .raw || image.role == .enhanced || image.role == .reduced)
    }
    if let enhanced = candidates.first(where: {
      $0.role == .enhanced && $0.photometric == .linearRaw
    }) {
      return (enhanced, "the enhanced image, \(enhanced.width)x\(enhanced.height)")
    }
    func isBetter(_ image: DNGImage, _ other: DNGImage) -> Bool {
      image.pixelCount != other.pixelCount
        ? image.pixelCount > other.pixelCount : image.role == .raw && other.role != .raw
    }
    guard
      let raw = candidates.reduce(
        nil as DNGImage?,
        { best, image in
          best.map { isBetter(image, $0) ? image : $0 } ?? image
        })
    else { return nil }
    let size = "\(raw.width)x\(raw.height)"
    return (
      raw,
      candidates.count == 1
        ? "the only raw image of the file, \(size)"
        : "the largest of \(candidates.count) raw images, \(size)"
    )
  }

  private static func rawType(
    of raw: DNGImage, _ main: DNGDirectory
  ) throws(ImageError) -> RawType {
    guard raw.photometric == .linearRaw else {
      return try ColorFilterArray(raw.directory).bayer == nil ? .mosaic : .bayer
    }
    return try main.text(.make) == "Apple" ? .proRAW : .linear
  }
}

extension DNGFile {
  /// ISO sensitivity of the exposure; `nil` if unspecified.
  ///
  /// - Throws: Errors that end the whole job.
  var sensitivity: Double? {
    get throws(ImageError) {
      let exif = if let decoded { decoded.exif } else { try ifReadable(try structure.exif()) }
      guard let exif, let file = try ifReadable(try TIFFFile(parsing: ByteSource(exif))) else {
        return nil
      }
      let speed = try ExifSummary(file, byteCount: exif.count).sensitivity ?? 0
      return speed > 0 ? speed : nil
    }
  }
}

/// Collects the images from all directories of a DNG file.
struct DNGTree {
  private(set) var images: [DNGImage] = []
  private(set) var notices: [Notice] = []
  /// The error of the first directory that is not readable.
  private(set) var firstError: ImageError?
  private var visited: Set<Int> = []

  /// Limit of directories, above what cameras and programs write.
  private static let maximumDirectories = 64

  /// Collects the images of a directory and of its subdirectories; a notice for unreadable ones.
  ///
  /// - Throws: `.limitExceeded` for more than 64 directories.
  mutating func walk(from directory: DNGDirectory) throws(ImageError) {
    guard visited.insert(directory.entries.offset).inserted else {
      note(NoticeCode(.irregular, "ignored: cyclic directory"), directory)
      return
    }
    guard visited.count <= Self.maximumDirectories else {
      throw directory.error(
        .tooManyElements, .subdirectories,
        ["limit": Self.maximumDirectories, "elements": "directories"])
    }
    let image = try recover(directory.path, directory.entries.offset) { () throws(ImageError) in
      try DNGImage(directory)
    }
    if let image { images.append(image) }
    let offsets = try recover(directory.path, directory.entries.offset) { () throws(ImageError) in
      try directory.integers(.subdirectories, atMost: Self.maximumDirectories)
    }
    for (index, offset) in (offsets ?? []).enumerated() {
      let path = directory.path + ["SubIFD \(index)"]
      let entries = try recover(path, offset) { () throws(ImageError) in
        try directory.file.directory(at: offset)
      }
      guard let entries else { continue }
      try walk(from: DNGDirectory(path: path, file: directory.file, entries: entries))
    }
  }

  /// The result of `body`; `nil` with a notice if it fails.
  private mutating func recover<Result>(
    _ path: [String], _ offset: Int, _ body: () throws(ImageError) -> Result?
  ) throws(ImageError) -> Result? {
    do throws(ImageError) {
      return try body()
    } catch {
      guard !error.endsJob else { throw error }
      firstError = firstError ?? error
      notices.append(
        Notice(
          .irregular, "not readable: {cause}", ["cause": error],
          at: .init(path: path, offset: offset)))
      return nil
    }
  }

  private mutating func note(_ code: NoticeCode, _ directory: DNGDirectory) {
    notices.append(Notice(code, at: .init(path: directory.path, offset: directory.entries.offset)))
  }
}

/// A version of the DNG specification: four numbers.
package struct DNGVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// The newest supported version, 1.7.1.0.
  package static let newest = DNGVersion([1, 7, 1, 0])

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func < (left: DNGVersion, right: DNGVersion) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  package var description: String { bytes.map(String.init).joined(separator: ".") }
}

/// An image of a DNG file: a directory that describes samples.
package struct DNGImage: Sendable {
  /// Purpose of an image, from NewSubFileType.
  ///
  /// Source: DNG 1.7.1, chapter 2, "NewSubFileType".
  package enum Role: Int, Hashable, Sendable {
    case raw = 0
    /// A preview, or a raw image of lower resolution.
    case reduced = 1
    case transparencyMask = 4
    case transparencyPreview = 5
    case depth = 8
    case depthPreview = 9
    case enhanced = 16
    case alternatePreview = 65_537
    case semanticMask = 65_540
    case semanticMaskPreview = 65_541
  }

  /// Interpretation of raw samples, from PhotometricInterpretation.
  package enum Photometric: Int, Hashable, Sendable {
    case colorFilterArray = 32_803
    case linearRaw = 34_892
  }

  let directory: DNGDirectory
  /// Purpose of the image; `nil` for an unknown value.
  package let role: Role?
  /// Interpretation of the samples; `nil` for images that are not raw.
  package let photometric: Photometric?
  /// Columns as stored.
  package let width: Int
  /// Rows as stored.
  package let height: Int

  /// Path of the image in the tree of directories: `IFD0/SubIFD 1`.
  package var directoryPath: String { directory.path.joined(separator: "/") }

  /// - Returns: `nil` for a directory without the size of an image.
  init?(_ directory: DNGDirectory) throws(ImageError) {
    guard let width = try directory.integer(.imageWidth),
      let height = try directory.integer(.imageLength)
    else { return nil }
    self.directory = directory
    self.width = width
    self.height = height
    role = Role(rawValue: try directory.integer(.newSubfileType) ?? 0)
    photometric = try directory.integer(.photometric).flatMap(Photometric.init(rawValue:))
  }

  var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}
