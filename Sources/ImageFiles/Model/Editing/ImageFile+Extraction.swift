// SPDX-License-Identifier: Apache-2.0
public import HDRCore

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
    guard let editable = container.editable else { throw .hasNoItems(format) }
    return try editable.standaloneImage(item)
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
