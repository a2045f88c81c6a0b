// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageFile {
  /// Rotates or mirrors the primary image and its associated images losslessly.
  ///
  /// Coded data do not change. HEIF and AVIF store the orientation in item properties, JPEG in the
  /// Exif of the first image, which also applies to the gain map, JPEG XL in the header of the
  /// codestream and in that of the gain map, JPEG XR in the directory of the image.
  ///
  /// - Parameter rotation: Rotation and mirroring relative to the present orientation.
  /// - Returns: The edited file, whose coded data were compared with those of the original.
  /// - Throws: `.invalidArgument` for PNG, since most PNG readers ignore the orientation;
  ///   `.unsuitable` for formats that cannot be edited, `.malformed` for Exif or XMP that cannot be
  ///   edited.
  public func rotated(by rotation: Orientation) throws(ImageError) -> EditedFile {
    if case .png = container { throw ImageError(.pngOrientationNotSupported) }
    var edit = MetadataEdit()
    edit.orientation = .set(try metadataSummary().orientation.followed(by: rotation))
    return try edited(by: edit)
  }
}

extension ImageFile {
  /// Display names of data other than images and their metadata, such as videos and vendor data.
  ///
  /// In file order; empty for formats other than HEIF, AVIF, JPEG and PNG.
  ///
  /// - Throws: Errors of reading.
  public var attachments: [String] {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): file.trailers.flatMap(\.attachments)
      case .heif(let file): file.layout.attachments
      case .png(let file): try file.attachments
      default: []
      }
    }
  }

  /// Whether the file contains a video, as motion photos do, or an image sequence.
  ///
  /// - Throws: Errors of reading.
  public var containsVideo: Bool {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): file.trailers.contains { $0.video != nil }
      case .heif(let file): try file.layout.containsVideo
      case .png(let file): try file.video != nil
      default: false
      }
    }
  }
}

extension ImageFile {
  /// The video of a motion photo, as a file of its own.
  ///
  /// - Parameter removal: Metadata to remove from it; `nil` to copy it as it is.
  /// - Returns: The video, whether it contains a location, and names of its parts that are not read,
  ///   if metadata are removed; `nil` if the file does not contain a video.
  /// - Throws: Errors of reading; `.unsuitable` if all metadata are to be removed and cannot be told from
  ///   the samples of images and sound.
  package func video(
    removing removal: VideoMetadata.Removal?
  ) throws(ImageError) -> (bytes: SplicedBytes, hasLocation: Bool, unread: [String])? {
    guard let range = try videoRange else { return nil }
    let metadata = try VideoMetadata(in: range, of: source, removing: removal ?? .location)
    var bytes = SplicedBytes(source: source)
    for piece in removal == nil ? [.kept(range)] : metadata.pieces {
      switch piece {
      case .kept(let range): bytes.append(range)
      case .new(let new): bytes.append(new)
      }
    }
    guard removal != nil else { return (bytes, metadata.hasLocation, []) }
    let unread = try metadata.unreadParts()
    guard removal != .all || metadata.isSeparable else {
      throw ImageError(
        .unsuitable, "metadata of the video that cannot be removed: {items item}",
        ["items": unread], at: .init(path: ["video"]))
    }
    return (bytes, false, unread)
  }

  /// Size of the video of a motion photo, in bytes; `nil` if the file does not contain one.
  ///
  /// - Throws: Errors of reading.
  public var videoByteCount: Int? { get throws(ImageError) { try videoRange?.count } }

  private var videoRange: Range<Int>? {
    get throws(ImageError) {
      switch container {
      case .jpeg(let file): return file.trailers.lazy.compactMap(\.video).first
      case .heif(let file):
        let whole = file.layout.videos.first { $0.upperBound <= source.count }
        return if let whole { whole } else { try file.layout.samsungVideo }
      case .png(let file): return try file.video
      default: return nil
      }
    }
  }
}

extension JPEGTrailer {
  fileprivate var attachments: [String] {
    switch content {
    case .video: ["video"]
    case .samsung where names.isEmpty: ["Samsung metadata"]
    case .samsung:
      names.map { ($0 == Self.samsungVideo ? "video" : "Samsung metadata") + " (\($0))" }
    case .padding: []
    case .unknown: ["\(DiagnosticTemplate.byteText(range.count)) of camera data after the image"]
    }
  }
}

extension PNGFile {
  fileprivate var attachments: [String] {
    get throws(ImageError) {
      guard let trailer else { return [] }
      return [
        try video == nil
          ? "\(DiagnosticTemplate.byteText(trailer.count)) of data after the image" : "video"
      ]
    }
  }
}

extension HEIFLayout {
  /// Range of the video in Samsung data; `nil` if missing.
  fileprivate var samsungVideo: Range<Int>? {
    get throws(ImageError) {
      for case .other(let box) in topLevel {
        if let video = try box.samsung?.video { return video }
      }
      return nil
    }
  }

  fileprivate var containsVideo: Bool {
    get throws(ImageError) {
      let isInBox = topLevel.contains {
        if case .other(let box) = $0 { box.type == Self.videoBox } else { false }
      }
      return try samsungVideo != nil || movie != nil || trailerIsFile || isInBox
    }
  }

  fileprivate var attachments: [String] {
    var names = topLevel.compactMap { box -> String? in
      switch box {
      case .movie: return "image sequence"
      case .other(let box):
        switch box.type {
        case Self.videoBox: return "video"
        case OpaqueBox.samsungBox: return "Samsung metadata"
        case "free", "skip": return nil
        default: return "box '\(box.type)'"
        }
      case .fileType, .meta, .mediaData: return nil
      }
    }
    if trailerIsFile {
      names.append("video")
    } else if let trailer {
      names.append("\(trailer.count) bytes after the last box")
    }
    return names
  }
}

/// Extraction of images into separate files.
extension ImageFile {
  /// An auxiliary image of a file: a matte, a depth map, alpha, a gain map.
  public struct NamedAuxiliary: Hashable, Sendable {
    /// The item ID, or the index of the image in a JPEG file.
    public let item: UInt32
    /// Its type as stored in the file: a URN, or a semantic.
    public let type: String

    package init(item: UInt32, type: String) {
      self.item = item
      self.type = type
    }

    /// A short name: `portraiteffects`, `skin`, `hair`, `sky`, `depth`, `alpha`, `hdrgainmap`.
    ///
    /// Of an unknown type the part after the last colon, in lowercase.
    public var name: String {
      switch type {
      case "urn:mpeg:hevc:2015:auxid:1": return "alpha"
      case "urn:mpeg:hevc:2015:auxid:2": return "depth"
      default:
        var name = (type.split(separator: ":").last ?? "").lowercased()
        if name.hasPrefix("semantic") { name.removeFirst("semantic".count) }
        if name.hasSuffix("matte") { name.removeLast("matte".count) }
        return name
      }
    }

    /// The name for people: `depth map`, `sky matte`; other types as `name`.
    package var displayName: String {
      switch name {
      case "portraiteffects": "portrait matte"
      case "skin", "hair", "teeth", "glasses", "sky": "\(name) matte"
      case "depth", "disparity": "\(name) map"
      case "styledeltamap": "style delta map"
      case "linearthumbnail": "linear thumbnail"
      default: name.isEmpty ? "auxiliary image" : name
      }
    }
  }

  /// Extracts one coded image, or a grid with its tiles, into a separate file without re-encoding.
  ///
  /// - Parameter item: The item ID, or the index of the image in a JPEG file.
  /// - Returns: The file.
  /// - Throws: `.invalidArgument` if the image does not exist, and for formats other than HEIF,
  ///   AVIF and JPEG, whose images do not have numbers; `.unsupported` for a coding format that
  ///   cannot be written into a separate file.
  public func standaloneFile(ofItem item: UInt32) throws(ImageError) -> SplicedBytes {
    try container.structure.standaloneImage(item)
  }

  /// Auxiliary images of all images in HEIF, AVIF and JPEG files, in file order; empty for others.
  ///
  /// - Throws: Errors that end the whole job.
  public var namedAuxiliaries: [NamedAuxiliary] {
    get throws(ImageError) {
      switch container {
      case .heif(let file): file.namedAuxiliaries
      case .jpeg(let file): try file.namedAuxiliaries
      default: []
      }
    }
  }

  /// A thumbnail as a separate file; `nil` if the file does not contain one.
  ///
  /// The largest thumbnail item of the primary image in HEIF and AVIF, else the thumbnail in Exif.
  /// `EmbeddedRawImages` of `RAWDevelop` gives access to the previews of raw files.
  ///
  /// - Throws: As `metadataSummary(ofItem:)`, and errors of extracting the thumbnail.
  public func preview() throws(ImageError) -> SplicedBytes? {
    if case .heif(let file) = container, let thumbnail = file.largestThumbnail {
      return try file.standalone(thumbnail).spliced()
    }
    guard let exif = try metadataSummary().exif,
      let bytes = try ifReadable(try ExifBlock(parsing: exif))?.thumbnail
    else { return nil }
    var preview = SplicedBytes(source: ByteSource([]))
    preview.append(bytes)
    return preview
  }
}

extension HEIFFile {
  fileprivate var namedAuxiliaries: [ImageFile.NamedAuxiliary] {
    items.compactMap { item in
      guard let type = item.property(AuxiliaryTypeBox.self)?.auxiliaryType,
        !references(from: item.id, type: "auxl").isEmpty
      else { return nil }
      return .init(item: item.id, type: type)
    }
  }

  fileprivate var largestThumbnail: UInt32? {
    func area(_ id: UInt32) -> UInt64 {
      let size = item(id)?.property(ImageSpatialExtentsBox.self)
      return UInt64(size?.width ?? 0) * UInt64(size?.height ?? 0)
    }
    return primaryItemID.flatMap { references(to: $0, type: "thmb").max { area($0) < area($1) } }
  }
}

extension JPEGFile {
  private static let appleType = XMPName(
    "http://ns.apple.com/pixeldatainfo/1.0/", "AuxiliaryImageType")

  fileprivate var namedAuxiliaries: [ImageFile.NamedAuxiliary] {
    get throws(ImageError) {
      let items = try primary.readableXMP()?.containerItems ?? []
      var found: [ImageFile.NamedAuxiliary] = []
      for (number, image) in images.enumerated().dropFirst() {
        let type = try image.readableXMP()?[Self.appleType]?.text
        let listed = containerItems.first { $0.value == image.stored }?.key
        let semantic = listed.flatMap { items.indices.contains($0) ? items[$0].semantic : nil }
        if let type = type ?? semantic { found.append(.init(item: UInt32(number), type: type)) }
      }
      return found
    }
  }

  /// An image without directories that refer to images outside of the extracted file.
  func standalone(_ number: UInt32) throws(ImageError) -> JPEGImage {
    let images = images
    guard number < images.count else {
      throw ImageError(.imageIndexInvalid, ["number": number, "count": images.count])
    }
    var image = images[Int(number)]
    try image.replace(.multiPicture, with: [])
    guard number == 0 else { return image }
    try image.replace(.isoGainMap, with: [])
    // XMP that cannot be read is kept as it is.
    if try image.readableXMP() != nil {
      try image.editXMP { packet throws(ImageError) in try packet.removeDirectory() }
    }
    return image
  }
}
