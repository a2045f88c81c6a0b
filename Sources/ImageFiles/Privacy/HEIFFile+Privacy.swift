// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers

extension HEIFFile {
  /// Whether the Exif or XMP of any item, or a video, contains a location.
  var hasLocation: Bool {
    // Many items may share one payload.
    var known: Set<[UInt8]> = []
    return items.contains { item in
      switch item.privacyRole {
      case .exif:
        guard let tiff = try? exif(ofItem: item.id), known.insert(tiff).inserted else {
          return false
        }
        return (try? ExifBlock(parsing: tiff))?.hasLocation ?? false
      case .xmp:
        guard let packet = try? data(of: item.id), known.insert(packet).inserted else {
          return false
        }
        return (try? XMPPacket(parsing: packet))?.hasLocation ?? false
      case .otherMetadata, .image: return false
      }
    } || videosHaveLocation
  }

  private var videosHaveLocation: Bool {
    guard let origin = layout.origin else { return false }
    let isFound = layout.videos.contains { range in
      (try? VideoMetadata(in: range, of: origin.source, removing: .location))?.hasLocation ?? false
    }
    guard !isFound, var movie = layout.movie else { return isFound }
    return movie.remove(.location).hasLocation
  }

  /// Removes the location from all Exif and XMP items and from videos.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    var removed: Set<UInt32> = []
    var edited = EditedPayloads()
    for item in items {
      do throws(ImageError) {
        switch item.privacyRole {
        case .exif:
          let old = try exif(ofItem: item.id)
          let new = try edited.payload(for: old) { () throws(ImageError) in
            try PrivateBlock.withoutLocation(exif: old, &findings)
          }
          if let new, new != old { try replaceTIFF(ofExifItem: item.id, with: new) }
        case .xmp:
          let old = try data(of: item.id)
          let new = try edited.payload(for: old) { () throws(ImageError) in
            try PrivateBlock.withoutLocation(xmp: old)
          }
          if let new, new != old { try replaceData(of: item.id, with: new) }
        case .otherMetadata:
          let name = "metadata of type \(item.contentType ?? item.uriType ?? "unknown")"
          let bytes = try? data(of: item.id)
          guard let bytes, !LocationEvidence.isPresent(in: bytes) else {
            removed.insert(item.id)
            findings.drop(name)
            continue
          }
          findings.keep([name])
        case .image: break
        }
      } catch {
        throw error.inside("item \(item.id)")
      }
    }
    removeItems(removed)
    for index in items.indices {
      items[index].properties.removeAll { property in
        guard let text = property.privateContent, LocationEvidence.isPresent(in: text) else {
          return false
        }
        findings.drop("property '\(property.type)'")
        return true
      }
    }
    try removeLocationFromBoxes(&findings)
    return findings.all
  }

  private mutating func removeLocationFromBoxes(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    findings.keep(try edit(videos: layout.videos, removing: .location))
    var topLevel: [HEIFLayout.TopLevelBox] = []
    for box in layout.topLevel {
      guard case .other(let other) = box, other.type != HEIFLayout.videoBox, !other.isPlain else {
        topLevel.append(box)
        continue
      }
      let isFound =
        try other.isCredentials
        ? JUMBF.mayContainLocation(other.manifest) : LocationEvidence.isPresent(in: other.content)
      if isFound {
        findings.drop("box '\(other.type)'")
      } else {
        if !["free", "skip", "wide"].contains(other.type) {
          findings.keep(["box '\(other.type)'"])
        }
        topLevel.append(box)
      }
    }
    layout.topLevel = topLevel
    guard let trailer = layout.trailer, !layout.trailerIsFile else { return }
    let name = "\(trailer.count) bytes after the last box"
    if trailer.isWhole, try LocationEvidence.isPresent(in: trailer) {
      findings.drop(name)
      layout.trailer = nil
    } else {
      findings.keep([name])
    }
  }

  /// Edits videos and an image sequence in place; returns names of parts that are not read.
  private mutating func edit(
    videos: [Range<Int>], removing removal: VideoMetadata.Removal
  ) throws(ImageError) -> [String] {
    var unread: [String] = []
    // Those without any metadata are done.
    if let origin = layout.origin, layout.replacements.isEmpty {
      for range in videos where range.upperBound <= origin.source.count {
        let metadata = try VideoMetadata(in: range, of: origin.source, removing: removal)
        layout.replacements += metadata.replacements
        unread += metadata.unread.map { "\($0) of the video" }
      }
    }
    layout.replacements.sort { $0.range.lowerBound < $1.range.lowerBound }
    for (index, box) in layout.topLevel.enumerated() {
      guard case .movie(var movie) = box else { continue }
      unread += movie.remove(removal).unread.map { "\($0) of the image sequence" }
      layout.topLevel[index] = .movie(movie)
    }
    return unread
  }

  /// Removes everything that readers do not need to show the images, and the metadata of videos.
  mutating func removePersonal() throws(ImageError) -> [Notice] {
    var removed: Set<UInt32> = []
    var edited = EditedPayloads()
    for item in items where item.isMetadata {
      guard item.privacyRole == .xmp, let old = try? data(of: item.id),
        let new = try edited.payload(
          for: old, { () throws(ImageError) in try PrivateBlock.structure(ofXMP: old) })
      else {
        removed.insert(item.id)
        continue
      }
      try replaceData(of: item.id, with: new)
    }
    removeItems(removed)
    for index in items.indices {
      items[index].name = ""
      items[index].properties.removeAll { $0.privateContent != nil }
    }
    handler = handler.unnamed
    let videos = layout.videos
    _ = try edit(videos: videos, removing: .all)
    layout.topLevel.removeAll { box in
      if case .other(let other) = box {
        !other.isPlain && other.type != HEIFLayout.videoBox
      } else {
        false
      }
    }
    layout.meta.removeAll { box in
      if case .other(let other) = box { other.type != "dinf" } else { false }
    }
    layout.unusedProperties = []
    (layout.otherAssociations, layout.otherPropertiesBoxes) = ([:], [])
    if !layout.trailerIsFile { layout.trailer = nil }
    layout.omitsUnusedData = layout.movie == nil
    return videos.prefix(1).map { Notice(.privacyVideoKept, at: .init(offset: $0.lowerBound)) }
  }

  /// Removes the video of a motion photo, and what announces it.
  mutating func removeVideo() throws(ImageError) {
    layout.topLevel.removeAll { box in
      if case .other(let other) = box { other.type == HEIFLayout.videoBox } else { false }
    }
    if layout.trailerIsFile { (layout.trailer, layout.trailerIsFile) = (nil, false) }
    var topLevel: [HEIFLayout.TopLevelBox] = []
    for box in layout.topLevel {
      guard case .other(let other) = box, let samsung = other.samsung, samsung.video != nil else {
        topLevel.append(box)
        continue
      }
      guard let rest = samsung.samsung(keeping: { !$0.isOfVideo }, video: nil) else { continue }
      let bytes = try rest.bytes(of: other.content.source)
      topLevel.append(.other(other.replacingContent(with: bytes)))
    }
    layout.topLevel = topLevel
    var edited = EditedPayloads()
    for item in items where item.privacyRole == .xmp {
      guard let old = try? data(of: item.id) else { continue }
      let new = try edited.payload(for: old) { () throws(ImageError) in
        guard var packet = try? XMPPacket(parsing: old), packet.announcesVideo else { return nil }
        try packet.removeVideo()
        return packet.bytes
      }
      if let new { try replaceData(of: item.id, with: new) }
    }
  }
}

/// Payloads that were edited, by their bytes: many items may share one, which is edited once.
struct EditedPayloads {
  private var known: [[UInt8]: [UInt8]?] = [:]

  /// The payload after an edit; `nil` if the edit gives none.
  mutating func payload(
    for old: [UInt8], _ edit: () throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> [UInt8]? {
    if let new = known[old] { return new }
    let new = try edit()
    known[old] = .some(new)
    return new
  }
}

extension HEIFItem {
  fileprivate enum PrivacyRole {
    case exif
    case xmp
    case otherMetadata
    case image
  }

  fileprivate var privacyRole: PrivacyRole {
    switch type {
    case "Exif": .exif
    case "mime" where contentType == HEIFFile.xmpContentType: .xmp
    case _ where isMetadata: .otherMetadata
    default: .image
    }
  }
}

extension OpaqueBox {
  /// Whether the box is part of a sequence of images.
  fileprivate var isPlain: Bool {
    ["ftyp", "styp", "moof", "sidx", "ssix", "mfra", "prft"].contains(type)
  }
}

extension OpaqueBox {
  /// Whether the box has content credentials.
  ///
  /// Source: C2PA Technical Specification 1.3, annex A.5: the extended type.
  fileprivate var isCredentials: Bool {
    header.userType == [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4,
      0x81,
    ]
  }

  /// The manifest store: after version and flags, the purpose, and an offset.
  fileprivate var manifest: [UInt8] {
    get throws(ImageError) {
      let bytes = try content.bytes().dropFirst(4)
      return Array(bytes.drop { $0 != 0 }.dropFirst(9))
    }
  }
}

extension LocationEvidence {
  fileprivate static func isPresent(in bytes: SourceBytes) throws(ImageError) -> Bool {
    try isPresent(in: bytes.range, of: bytes.source)
  }
}

extension ItemProperty {
  /// Content of a property that readers do not need; `nil` for others.
  ///
  /// Descriptions, times, identifiers, and unknown ones that are not essential. Configurations of
  /// codecs that this library does not parse are needed.
  fileprivate var privateContent: [UInt8]? {
    guard case .unknown(let type, let userType, let content) = box, !isEssential,
      !Self.needed.contains(type)
    else { return nil }
    return (userType ?? []) + content
  }

  /// Source: ISO/IEC 14496-12, 14496-15, 23001-17 and 23008-12.
  private static let needed: Set<FourCC> = [
    "avcC", "vvcC", "vvnC", "evcC", "lhvC", "jpgC", "j2kH", "uncC", "cmpd", "cmpC", "icef", "cpat",
    "splz", "cloc", "oinf", "tols", "subs", "rloc", "rref", "iscl", "lsel", "mskC", "a1op", "a1lx",
    "clli", "mdcv", "cclv", "amve", "reve", "ndwt", "colr", "pixi", "pasp", "vexu", "cmin", "cmex",
    "disi", "fcat", "snuc", "bpat", "grpl",
  ]
}
