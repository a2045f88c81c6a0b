// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A DNG file: its first directory and those of raw images.
struct CheckedDNG: Sendable {
  /// A directory with its path.
  struct Directory: Sendable {
    let path: [String]
    let entries: TIFFDirectory
  }

  let file: TIFFFile
  let main: Directory
  /// Directories of raw images, the first directory among them if it has one.
  let raws: [Directory]

  /// Limit of the values of a tag that is checked.
  private static let maximumValues = 1 << 18

  /// - Returns: `nil` for a TIFF file that is not DNG.
  /// - Throws: Errors that end the whole job.
  init?(_ file: TIFFFile) throws(ImageError) {
    guard let first = file.directories.first, first[.dngVersion] != nil else { return nil }
    self.file = file
    main = Directory(path: ["IFD0"], entries: first)
    let others = try first[.subdirectories].map { entry throws(ImageError) in
      try file.subdirectories(entry)
    }
    let all =
      [main]
      + (others ?? []).enumerated().map { Directory(path: ["IFD0", "SubIFD \($0)"], entries: $1) }
    var raws: [Directory] = []
    for directory in all {
      let photometric = try ifReadable(try file.integers(.photometric, in: directory.entries).first)
      if photometric == 32_803 || photometric == 34_892 { raws.append(directory) }
    }
    self.raws = raws
  }

  /// The numbers of a tag; `nil` if the directory lacks it, empty for values of another type.
  ///
  /// - Throws: Errors that end the whole job.
  func numbers(_ tag: TIFFTag, in directory: Directory) throws(ImageError) -> [Double]? {
    guard let entry = directory.entries[tag] else { return nil }
    guard entry.count <= Self.maximumValues else { return [] }
    return try ifReadable(try file.numbers(entry)) ?? []
  }

  /// The bytes of a tag; `nil` if the directory lacks it or the file ends before.
  ///
  /// - Throws: Errors that end the whole job.
  func bytes(_ tag: TIFFTag, in directory: Directory) throws(ImageError) -> [UInt8]? {
    guard let entry = directory.entries[tag] else { return nil }
    return try ifReadable(try file.bytes(of: entry))
  }

  func location(_ tag: TIFFTag, in directory: Directory) -> ImageError.Location {
    ImageError.Location(
      path: directory.path + ["tag \(tag.rawValue)"],
      offset: directory.entries[tag]?.offset ?? directory.entries.offset)
  }
}

extension TIFFTag {
  static let dngBackwardVersion = TIFFTag(rawValue: 50707)
  static let uniqueCameraModel = TIFFTag(rawValue: 50708)
  static let blackLevel = TIFFTag(rawValue: 50714)
  static let whiteLevel = TIFFTag(rawValue: 50717)
  static let defaultCropOrigin = TIFFTag(rawValue: 50719)
  static let defaultCropSize = TIFFTag(rawValue: 50720)
  static let colorMatrix1 = TIFFTag(rawValue: 50721)
  static let asShotNeutral = TIFFTag(rawValue: 50728)
  static let asShotWhiteXY = TIFFTag(rawValue: 50729)
  static let activeArea = TIFFTag(rawValue: 50829)
  static let profileHueSatMapDims = TIFFTag(rawValue: 50937)
  static let profileHueSatMapData1 = TIFFTag(rawValue: 50938)
  static let profileToneCurve = TIFFTag(rawValue: 50940)
  static let opcodeLists = [51008, 51009, 51022].map { TIFFTag(rawValue: $0) }
}
