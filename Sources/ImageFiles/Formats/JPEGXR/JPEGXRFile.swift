// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A JPEG XR file: directories as in TIFF, each with an image.
///
/// Source: ITU-T T.832 (06/2019), annex A.
package struct JPEGXRFile: Sendable {
  /// The directories, and the values of their entries.
  package private(set) var directories: TIFFFile
  /// Index of the directory of the image that is read.
  package private(set) var selected = 0
  /// Metadata that replace those of the file; `nil` without edits.
  var edited: Edited?

  /// Parses header and directories.
  ///
  /// - Throws: As `TIFFFile`.
  package init(
    parsing source: ByteSource, selecting selection: OpeningOptions.ImageSelection? = nil,
    limits: ImageLimits
  ) throws(ImageError) {
    let head = try source.prefix(8)
    guard head.starts(with: [0x49, 0x49, 0xBC]) else {
      throw ImageError(.notOfFormat, ["format": "JPEG XR"], at: .init(offset: 0))
    }
    var reader = ByteReader(head.span, byteOrder: .littleEndian)
    try reader.skip(3)
    let version = try reader.readUnsigned(bytes: 1)
    // Version 0 was written before the standard.
    guard version < 2 else {
      throw ImageError(
        .unsupportedValue, ["field": "FILE_VERSION_ID", "value": version], at: .init(offset: 3))
    }
    directories = try TIFFFile(
      parsing: source, byteOrder: .littleEndian,
      firstDirectoryAt: Int(clamping: try reader.readUnsigned(bytes: 4)), limits: limits)
    if let selection {
      let all = directories.directories.indices.map { ($0 + 1 as Int?, ["IFD \($0)"], $0) }
      selected = try selection.choose(from: all)
    } else {
      for (index, directory) in directories.directories.enumerated()
      where try !isPreview(directory) {
        selected = index
        break
      }
    }
    directories.selectedDirectory = directories.directories[selected]
  }

  private func isPreview(_ directory: TIFFDirectory) throws(ImageError) -> Bool {
    (try ifReadable(try directories.integers(.imageType, in: directory).first) ?? 0) & 1 == 1
  }

  /// The declarations of the image of a directory.
  ///
  /// - Throws: `.malformed` for missing and invalid entries, `.unsupported` for an unknown pixel
  ///   format.
  package func image(_ index: Int) throws(ImageError) -> JPEGXRImage {
    try JPEGXRImage(directories.directories[index], at: index, in: directories)
  }
}

/// The declarations of a JPEG XR image in its directory.
package struct JPEGXRImage: Sendable {
  package let name: String
  package let offset: Int
  package let pixelFormat: JPEGXRPixelFormat
  package let width: Int
  package let height: Int
  /// Value of SPATIAL_XFRM_PRIMARY.
  let transformation: Int
  package let isPreview: Bool
  /// Columns and rows per inch; `nil` if missing or not positive.
  package let resolution: SIMD2<Double>?
  package let codestream: Range<Int>
  /// Whether the sizes of the codestreams are specified; others reach to the end of the file.
  let isSized: Bool
  /// The codestream of an alpha plane of its own; `nil` without one.
  package let alpha: Range<Int>?

  fileprivate init(
    _ directory: TIFFDirectory, at index: Int, in file: TIFFFile
  ) throws(ImageError) {
    name = "IFD \(index)"
    offset = directory.offset
    func value(_ tag: TIFFTag) throws(ImageError) -> Int? {
      do throws(ImageError) {
        return try file.integers(tag, in: directory).first
      } catch {
        throw error.located(in: tag.jpegXRName ?? tag.title, at: directory.offset)
      }
    }
    func required(_ tag: TIFFTag) throws(ImageError) -> Int {
      let name = tag.jpegXRName ?? tag.title
      let place = ImageError.Location(path: ["IFD \(index)"], offset: directory.offset)
      guard let found = try value(tag) else {
        throw ImageError(.missingElement, ["element": name], at: place)
      }
      guard found > 0 else {
        throw ImageError(.invalidValue, ["field": name, "value": found], at: place)
      }
      return found
    }
    guard let entry = directory[.pixelFormat] else {
      throw ImageError(
        .missingElement, ["element": "PIXEL_FORMAT"],
        at: .init(path: [name], offset: directory.offset))
    }
    let guid = try file.bytes(of: entry)
    guard let format = JPEGXRPixelFormat(guid: guid) else {
      throw ImageError(
        .unsupportedValue,
        ["field": "PIXEL_FORMAT", "value": JPEGXRPixelFormat.digits(of: guid)],
        at: .init(path: [name], offset: entry.offset))
    }
    pixelFormat = format
    width = try required(.jpegXRWidth)
    height = try required(.jpegXRHeight)
    transformation = try ifReadable(try value(.transformation)) ?? 0
    isPreview = (try ifReadable(try value(.imageType)) ?? 0) & 1 == 1
    func dots(_ tag: TIFFTag) throws(ImageError) -> Double? {
      guard let entry = directory[tag] else { return nil }
      let number = try ifReadable(try file.numbers(entry).first)
      return number.flatMap { $0.isFinite && $0 > 0 && $0 < 1e6 ? $0 : nil }
    }
    if let x = try dots(.widthResolution), let y = try dots(.heightResolution) {
      resolution = SIMD2(x, y)
    } else {
      resolution = nil
    }
    func range(_ start: Int, count: Int) -> Range<Int> {
      // A count of 0 is that of a file whose last part is the codestream.
      guard count > 0 else { return start..<max(start, file.source.count) }
      let (end, overflow) = start.addingReportingOverflow(count)
      return start..<(overflow ? .max : end)
    }
    let count = try value(.imageByteCount) ?? 0
    let alphaCount = try value(.alphaByteCount) ?? 0
    codestream = range(try required(.imageOffset), count: count)
    if let start = try value(.alphaOffset), start > 0 {
      isSized = count > 0 && alphaCount > 0
      let plane = range(start, count: alphaCount)
      // jxrlib writes the end of the plane in place of its size.
      let isEnd = plane.upperBound > file.source.count && plane.count > start
      alpha = isEnd ? start..<plane.count : plane
    } else {
      isSized = count > 0
      alpha = nil
    }
  }
}

extension JPEGXRImage {
  /// The orientation; `nil` for an unknown transformation.
  var orientation: Orientation? {
    Orientation.jpegXR.indices.contains(transformation) ? Orientation.jpegXR[transformation] : nil
  }
}

extension Orientation {
  /// Orientations by values of SPATIAL_XFRM_PRIMARY: a quarter turn clockwise by bit 2, then a flip
  /// from left to right by bit 1 and from top to bottom by bit 0.
  ///
  /// Source: T.832, table 24 and A.7.19.
  static let jpegXR: [Orientation] = [
    .upright, .flipped, .mirrored, .rotated180, .rotated90, .transversed, .transposed, .rotated270,
  ]
}

// Tags of T.832, table A.4.
extension TIFFTag {
  package static let pixelFormat = TIFFTag(rawValue: 0xBC01)
  package static let transformation = TIFFTag(rawValue: 0xBC02)
  package static let ptmColorInfo = TIFFTag(rawValue: 0xBC05)
  static let imageType = TIFFTag(rawValue: 0xBC04)
  package static let jpegXRWidth = TIFFTag(rawValue: 0xBC80)
  package static let jpegXRHeight = TIFFTag(rawValue: 0xBC81)
  static let widthResolution = TIFFTag(rawValue: 0xBC82)
  static let heightResolution = TIFFTag(rawValue: 0xBC83)
  static let padding = TIFFTag(rawValue: 0xEA1C)
  package static let imageOffset = TIFFTag(rawValue: 0xBCC0)
  package static let imageByteCount = TIFFTag(rawValue: 0xBCC1)
  package static let alphaOffset = TIFFTag(rawValue: 0xBCC2)
  package static let alphaByteCount = TIFFTag(rawValue: 0xBCC3)
  static let imageBands = TIFFTag(rawValue: 0xBCC4)
  static let alphaBands = TIFFTag(rawValue: 0xBCC5)

  /// The name in the standard; `nil` for tags of TIFF and Exif.
  package var jpegXRName: String? { Self.jpegXRNames[rawValue] }

  private static let jpegXRNames: [UInt16: String] = [
    0xBC01: "PIXEL_FORMAT", 0xBC02: "SPATIAL_XFRM_PRIMARY", 0xBC04: "IMAGE_TYPE",
    0xBC05: "PTM_COLOR_INFO", 0xBC06: "PROFILE_LEVEL_CONTAINER", 0xBC80: "IMAGE_WIDTH",
    0xBC81: "IMAGE_HEIGHT", 0xBC82: "WIDTH_RESOLUTION", 0xBC83: "HEIGHT_RESOLUTION",
    0xBCC0: "IMAGE_OFFSET", 0xBCC1: "IMAGE_BYTE_COUNT", 0xBCC2: "ALPHA_OFFSET",
    0xBCC3: "ALPHA_BYTE_COUNT", 0xBCC4: "IMAGE_BAND_PRESENCE", 0xBCC5: "ALPHA_BAND_PRESENCE",
    0xEA1C: "PADDING_DATA",
  ]
}

extension JPEGXRFile {
  /// The metadata of an edited file.
  struct Edited: Hashable, Sendable {
    /// Metadata of the image that is read.
    var metadata: JPEGXRMetadata
    /// Other entries of its directory that are removed; `nil` for all that decoders do not need.
    var removed: Set<TIFFTag>? = []
    /// Whether other images keep their metadata.
    var keepsOthers = true
    /// Whether the resolution is that of new Exif, not that of the container.
    var replacesResolution = false
    /// Whether entries that decoders need are limited to the size of their fields.
    var trimsFields = false
  }

  /// Changes metadata of the image that is read.
  ///
  /// If locations or personal data are removed, other images keep only what decoders need.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.invalidArgument` for metadata that the container cannot store, `.malformed` for
  ///   metadata that cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    guard edit.item == nil || edit.item == 0 else { throw .hasNoItems(.jpegXR) }
    let image = try image(selected)
    try edit.requireFields(in: .jpegXR)
    try edit.checkNewMetadata(components: image.pixelFormat.isGray ? 1 : 3)
    var new = try current(image)
    var notices: [Notice] = []
    // Directories that cannot be read, and bytes that nothing refers to, are not part of the metadata.
    var isRewritten = edit.dropsPersonalData || edit.exif != .keep
    if edit.dropsPersonalData {
      new = Edited(
        metadata: JPEGXRMetadata(
          profile: new.metadata.profile.flatMap { ICCProfile.trimmed($0) },
          orientation: new.metadata.orientation),
        removed: nil, keepsOthers: false, trimsFields: true)
    }
    if let profile = edit.profile.newValue, directories.mainDirectory[.ptmColorInfo] != nil {
      new.removed?.insert(.ptmColorInfo)
      new.metadata.profile = profile
      notices.append(
        Notice(
          .dropped, "dropped: PTM_COLOR_INFO, which takes precedence over the ICC profile",
          at: .init(path: ["PTM_COLOR_INFO"])))
    }
    new.metadata.profile = edit.profile.applied(to: new.metadata.profile)
    if edit.correctsStructure {
      new.metadata.profile = new.metadata.profile.map { ICCProfile.correctingIdentifier(of: $0) }
    }
    if edit.exif != .keep {
      new.metadata.exif = edit.exif.newValue.map { ExifBlock.withoutPrefix($0) }
      new.replacesResolution = true
    }
    if edit.xmp != .keep {
      new.metadata.xmp = try XMPPacket.replacing(
        new.metadata.xmp, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.orientation != .keep {
      let orientation = edit.orientation.newValue ?? .upright
      new.metadata.orientation = orientation
      if let bytes = new.metadata.xmp, var xmp = try ifReadable(try XMPPacket(parsing: bytes)),
        try xmp.updateOrientation(orientation)
      {
        new.metadata.xmp = xmp.bytes
      }
      // The orientation of T.832 is the one that is edited.
      new.removed?.insert(.orientation)
    }
    if edit.dropsLocation, !edit.dropsPersonalData {
      notices += try removeLocation(&new, &isRewritten)
    }
    if !isRewritten, try new == current(image) { return notices }
    edited = new
    let parts = try partsNotKept()
    if !parts.isEmpty, !edit.dropsLocation, !edit.dropsPersonalData {
      notices.append(Notice(.dropped, "not kept: {items item}", ["items": parts]))
    }
    return notices
  }

  /// The metadata with the edits that were made.
  func current(_ image: JPEGXRImage) throws(ImageError) -> Edited {
    if let edited { return edited }
    let file = directories
    return Edited(
      metadata: JPEGXRMetadata(
        exif: try exif(image), xmp: try ifReadable(try file.wholeValue(of: .xmp)),
        profile: try ifReadable(try file.wholeValue(of: .iccProfile)),
        photoshop: try ifReadable(try file.wholeValue(of: .photoshop)),
        iptc: try ifReadable(try file.wholeValue(of: .iptc)),
        orientation: image.orientation ?? .upright))
  }

  /// The metadata of the image that is read.
  ///
  /// - Throws: `.invalidArgument` for any item other than `nil` and 0.
  func summary(of item: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    guard item == nil || item == 0 else { throw .hasNoItems(.jpegXR) }
    let metadata = try current(try image(selected)).metadata
    var summary = try MetadataSummary(
      profile: metadata.profile, exif: metadata.exif, xmp: metadata.xmp,
      orientation: metadata.orientation)
    if let bytes = metadata.photoshop,
      let resources = try ifReadable(try PhotoshopResources(parsing: bytes)),
      try resources.hasLocation
    {
      summary.hasLocation = true
    }
    if let bytes = metadata.iptc, try PhotoshopResources(iptc: bytes).hasLocation {
      summary.hasLocation = true
    }
    guard edited == nil, !summary.hasLocation else { return summary }
    let main = directories.mainDirectory.offset
    for directory in try allDirectories
    where directory.offset != main && directory[.gpsDirectory] != nil {
      summary.hasLocation = true
    }
    for (index, directory) in directories.directories.enumerated() where index != selected {
      guard let entry = directory[.xmp],
        let bytes = try ifReadable(try directories.bytes(of: entry)),
        try ifReadable(try XMPPacket(parsing: bytes).hasLocation) == true
      else { continue }
      summary.hasLocation = true
    }
    return summary
  }
}
