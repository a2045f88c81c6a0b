public import HDRCore
public import ImageContainers
internal import ImageFiles

/// A DNG file: its tree of directories, and which of its pictures is the raw one.
///
/// Source: DNG specification 1.7.1.0.
public struct DNGFile: Sendable {
  /// What kind of light the raw samples hold.
  public enum RawType: String, Hashable, Sendable {
    /// A mosaic of red, green and blue in squares of two by two.
    case bayer
    /// A mosaic of another kind.
    case mosaic
    /// Apple's computational raw: all three components per pixel, merged from several exposures.
    case proRAW
    /// All components per pixel.
    case linear
  }

  /// Directories of the file.
  public let structure: TIFFFile
  /// The version that the file was written for.
  public let version: DNGVersion
  /// The oldest version whose readers can read the file.
  public let backwardVersion: DNGVersion
  /// Arrangement of the raw samples.
  public let rawType: RawType
  /// All pictures of the file, in the order of the tree.
  public let images: [DNGImage]
  /// The picture to develop.
  public let raw: DNGImage
  /// Why this one.
  public let selectionReason: String
  /// What is odd but readable.
  public let notices: [Notice]

  let main: DNGDirectory
  /// What another decoder made of a file that is no DNG; `nil` for DNG files.
  let decoded: Decoded?

  /// A raw picture whose samples are decoded, so that only the tags of this file count.
  struct Decoded: Sendable {
    /// `nil` if only the tags are wanted.
    let samples: RawSamples?
    let rawType: RawType
    let selectionReason: String
    let exif: [UInt8]?
    let notices: [Notice]
  }

  /// Parses the directories of a DNG file.
  ///
  /// - Parameters:
  ///   - structure: A TIFF structure for which `isDNG` holds.
  ///   - limits: What the file may cost.
  /// - Throws: `.unsupported` for a version that is newer than this reader, `.limitExceeded` for
  ///   more than 64 directories, `.malformed` for a file without a raw picture.
  public init(_ structure: TIFFFile, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    try self.init(structure, limits: limits, decoded: nil)
  }

  /// Parses directories; with `anyVersion`, those of a newer version too, for whoever wants nothing of
  /// the raw picture.
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
    var tree = DNGTree(structure)
    try tree.walk(from: main)
    images = tree.images
    let chosen = try Self.choose(from: images, main)
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

  /// Errors of files whose samples cannot be decoded, but whose preview may be.
  static let undecodable: Set<ErrorCode> = [
    .rawDNGVersionUnsupported, .rawCompressionUnsupported, .rawXTransTooSmall,
    .rawLibRawUnsupported, .rawLibRawDamaged, .rawSamplesMissing,
  ]

  /// Whether the first directory has the tag that makes a TIFF structure a DNG file.
  public static func isDNG(_ structure: TIFFFile) -> Bool {
    structure.directories[0][.dngVersion] != nil
  }

  /// The raw picture of the highest resolution; of several equal ones the main one.
  private static func choose(
    from images: [DNGImage], _ main: DNGDirectory
  ) throws(ImageError) -> (image: DNGImage, reason: String) {
    let candidates = images.filter { image in
      image.photometric != nil
        && (image.role == .raw || image.role == .enhanced || image.role == .reduced)
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
    else { throw main.error(.rawNoRawImage, .photometric) }
    let size = "\(raw.width)x\(raw.height)"
    return (
      raw,
      candidates.count == 1
        ? "the only raw picture of the file, \(size)"
        : "of \(candidates.count) raw pictures the one of the highest resolution, \(size)"
    )
  }

  private static func rawType(
    of raw: DNGImage, _ main: DNGDirectory
  ) throws(ImageError) -> RawType {
    guard raw.photometric == .linearRaw else {
      return try ColorFilterArray(raw.directory).bayer == nil ? .mosaic : .bayer
    }
    return main.text(.make) == "Apple" ? .proRAW : .linear
  }
}
