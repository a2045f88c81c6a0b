// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension HEIFFile {
  /// Whether the Exif or XMP of any item, or a video, contains a location.
  var hasLocation: Bool {
    get throws(ImageError) {
      var (exif, xmp) = (PayloadResults<Bool?>(), PayloadResults<Bool?>())
      for item in items {
        let isFound: Bool? =
          switch item.privacyRole {
          case .exif:
            try exif.result(of: item.id, in: self) { () throws(ImageError) in
              try ifReadable(try ExifBlock(parsing: try self.exif(ofItem: item.id)).hasLocation)
            }
          case .xmp:
            try xmp.result(of: item.id, in: self) { () throws(ImageError) in
              try ifReadable(try XMPPacket(parsing: try data(of: item.id)).hasLocation)
            }
          case .otherMetadata, .image: false
          }
        if isFound == true { return true }
      }
      return try videosHaveLocation
    }
  }

  private var videosHaveLocation: Bool {
    get throws(ImageError) {
      guard let origin = layout.origin else { return false }
      for range in layout.videos {
        let metadata = try ifReadable(
          try VideoMetadata(in: range, of: origin.source, removing: .location))
        if metadata?.hasLocation == true { return true }
      }
      guard var movie = layout.movie else { return false }
      let (editor, media) = try removeMetadata(of: &movie, .location)
      return editor.hasLocation || media?.hasLocation == true
    }
  }

  /// Removes metadata from a movie box, and finds those in the media data; `nil` for a new file.
  func removeMetadata(
    of movie: inout MovieBox, _ removal: VideoMetadata.Removal
  ) throws(ImageError) -> (editor: MovieEditor, media: VideoMetadata?) {
    let editor = try movie.remove(removal)
    guard let origin = layout.origin else { return (editor, nil) }
    let media = layout.topLevel.compactMap { box -> Range<Int>? in
      if case .mediaData(let box) = box { box.content.range } else { nil }
    }
    // Data of removed metadata items are omitted by the writer.
    var kept = layout.claims.filter { !$0.isImage }.map(\.range)
    for item in items {
      guard case .file(let parts) = item.data else { continue }
      kept += parts.filter { $0.origin === origin }.map(\.range)
    }
    let metadata = try VideoMetadata(
      inMedia: media.map { $0.clamped(to: 0..<origin.source.count) }, of: editor.tracks,
      isFragmented: otherBoxes.contains { $0.type == "moof" }, keeping: kept, source: origin.source,
      removing: removal)
    return (editor, metadata)
  }

  /// Removes the location from all Exif and XMP items and from videos.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    var removed: Set<UInt32> = []
    var (editedExif, editedXMP) = (PayloadResults<SourceBytes?>(), PayloadResults<SourceBytes?>())
    var searched = PayloadResults<Bool?>()
    let unneeded = Set(itemsThatReadersDoNotNeed.map(\.id))
    for item in items {
      do throws(ImageError) {
        switch unneeded.contains(item.id) ? item.privacyRole : .image {
        case .exif:
          try editData(of: item.id, &editedExif) { file throws(ImageError) in
            let old = try file.exif(ofItem: item.id)
            let new = try PrivateBlock.withoutLocation(exif: old, &findings)
            let lead = Array(try file.data(of: item.id).dropFirst(4).dropLast(old.count))
            let isKept = try findings.keeps(
              "\(lead.count) bytes before Exif", ExifBlock.hasPrefix(lead) ? [] : lead)
            return new == old && isKept ? nil : ExifBlock.dataBlock(new)
          }
        case .xmp:
          try editData(of: item.id, &editedXMP) { file throws(ImageError) in
            let old = try file.data(of: item.id)
            let new = try PrivateBlock.withoutLocation(xmp: old, &findings)
            return new == old ? nil : new
          }
        case .otherMetadata:
          let type = item.contentType ?? item.uriType ?? "'\(item.type)'"
          let name = "metadata of type \(type)"
          let isFound = try searched.result(of: item.id, in: self) { () throws(ImageError) in
            guard let bytes = try ifReadable(try data(of: item.id)) else { return nil }
            return try LocationEvidence.isPresent(in: bytes)
          }
          guard isFound == false else {
            removed.insert(item.id)
            findings.drop(name)
            continue
          }
          findings.keep([name])
        case .image: findings.keep(syntax(of: item) == nil ? ["item of type '\(item.type)'"] : [])
        }
      } catch {
        throw error.inside("item \(item.id)")
      }
    }
    removeItems(removed)
    try editJPEGItems { image throws(ImageError) in try image.removeLocation(&findings) }
    var fixed: [String] = []
    do throws(ImageError) {
      try removeIgnoredBytes(
        { name, bytes throws(ImageError) in try !findings.keeps(name, bytes) },
        noting: { fixed.append($0) })
    } catch {
      throw error.unreadableLocation
    }
    findings.keep(fixed)
    try editProperties { property, type throws(ImageError) in
      try property.withoutLocation(in: type, &findings)
    }
    try removeLocationFromUnreadData(&findings)
    try removeLocationFromBoxes(&findings)
    return findings.all
  }

  /// Replaces the properties of all items; one that many share is edited once for each type of items.
  ///
  /// - Parameter edit: Returns the new property of an item of a type; `nil` to remove it.
  /// - Throws: Errors of `edit`.
  private mutating func editProperties(
    _ edit: (ItemProperty, FourCC) throws(ImageError) -> ItemProperty?
  ) throws(ImageError) {
    var edited: [FourCC: [ItemProperty: ItemProperty?]] = [:]
    for index in items.indices {
      let type = items[index].type
      var properties: [ItemProperty] = []
      for property in items[index].properties {
        let new: ItemProperty?
        if let known = edited[type]?[property] {
          new = known
        } else {
          new = try edit(property, type)
          edited[type, default: [:]][property] = .some(new)
        }
        if let new { properties.append(new) }
      }
      items[index].properties = properties
    }
  }

  private mutating func removeLocationFromBoxes(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    findings.keep(try edit(videos: layout.videos, removing: .location))
    var topLevel: [HEIFLayout.TopLevelBox] = []
    for box in layout.topLevel {
      guard case .other(let other) = box, other.type != HEIFLayout.videoBox, !isPlain(other) else {
        if case .other(let other) = box, isPlain(other),
          try LocationEvidence.isPresent(in: other.content)
        {
          findings.keep(["box '\(other.type)'"])
        }
        topLevel.append(box)
        continue
      }
      if let samsung = try other.samsung, samsung.range == other.content.range {
        let edited = try samsung.withoutLocation(in: other.content.source, &findings)
        if edited == samsung {
          topLevel.append(box)
        } else if let bytes = try edited?.bytes(of: other.content.source) {
          topLevel.append(.other(other.replacingContent(with: bytes)))
        }
        continue
      }
      guard other.isCredentials else {
        if try keeps(other, &findings) { topLevel.append(box) }
        continue
      }
      if try JUMBF.mayContainLocation(other.manifest) {
        findings.drop("box '\(other.type)'")
      } else {
        findings.keep(["box '\(other.type)'"])
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
    let isDone = !layout.replacements.isEmpty
    if let origin = layout.origin, !isDone {
      for range in videos where range.upperBound <= origin.source.count {
        let metadata = try VideoMetadata(in: range, of: origin.source, removing: removal)
        layout.replacements += metadata.replacements
        unread += try metadata.unreadParts().map { "\($0) of the video" }
      }
    }
    for (index, box) in layout.topLevel.enumerated() {
      guard case .movie(var movie) = box else { continue }
      let (editor, media) = try removeMetadata(of: &movie, removal)
      unread += try (editor.unread + (media?.unreadParts() ?? []))
        .map { "\($0) of the image sequence" }
      if !isDone { layout.replacements += media?.replacements ?? [] }
      layout.topLevel[index] = .movie(movie)
    }
    layout.replacements.sort { $0.range.lowerBound < $1.range.lowerBound }
    return unread
  }

  /// Removes everything that readers do not need to show the images, and the metadata of videos.
  mutating func removePersonal() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    if let origin = layout.origin {
      for range in layout.videos where range.upperBound <= origin.source.count {
        let video = try VideoMetadata(in: range, of: origin.source, removing: .all)
        guard !video.isSeparable else { continue }
        findings.drop("video")
        try removeVideo()
      }
    }
    var removed: Set<UInt32> = []
    var edited = PayloadResults<SourceBytes?>()
    for item in itemsThatReadersDoNotNeed {
      var isKept = false
      if item.privacyRole == .xmp {
        isKept = try editData(of: item.id, &edited) { file throws(ImageError) in
          try PrivateBlock.structure(ofXMP: try ifReadable(try file.data(of: item.id)))
        }
      }
      if !isKept { removed.insert(item.id) }
    }
    removeItems(removed)
    try editJPEGItems { image throws(ImageError) in try image.removePersonal() }
    try removeIgnoredBytes(keepingImages: true, { _, _ in true }, noting: { _ in })
    for index in items.indices {
      items[index].name = ""
      items[index].unknown = []
    }
    try editProperties { property, type throws(ImageError) in
      try property.privateContent(in: type) == nil ? property.withoutSurplus : nil
    }
    for index in groups.indices { groups[index].unknown = [] }
    handler = handler.unnamed
    fileType.removeUnknownBrands()
    let videos = layout.videos
    _ = try edit(videos: videos, removing: .all)
    let file = self
    layout.topLevel.removeAll { box in
      if case .other(let other) = box {
        !file.isPlain(other) && other.type != HEIFLayout.videoBox
      } else {
        false
      }
    }
    layout.meta.removeAll { box in
      if case .other(let other) = box {
        other.type != "dinf" || !file.hasExternalData
      } else {
        false
      }
    }
    (layout.unusedProperties, layout.surplus) = ([], [])
    (layout.otherAssociations, layout.otherPropertiesBoxes) = ([:], [])
    if !layout.trailerIsFile { layout.trailer = nil }
    layout.omitsUnusedData = layout.movie == nil
    findings.notices = videos.prefix(1).map {
      Notice(.privacyVideoKept, at: .init(offset: $0.lowerBound))
    }
    return findings.all
  }

  /// Removes the video of a motion photo, and what announces it.
  mutating func removeVideo() throws(ImageError) {
    layout.topLevel.removeAll { box in
      if case .other(let other) = box { other.type == HEIFLayout.videoBox } else { false }
    }
    if layout.trailerIsFile { (layout.trailer, layout.trailerIsFile) = (nil, false) }
    var topLevel: [HEIFLayout.TopLevelBox] = []
    for box in layout.topLevel {
      guard case .other(let other) = box, let samsung = try other.samsung, samsung.video != nil
      else {
        topLevel.append(box)
        continue
      }
      guard let rest = samsung.samsung(keeping: { !$0.isOfVideo }, video: nil) else { continue }
      let bytes = try rest.bytes(of: other.content.source)
      topLevel.append(.other(other.replacingContent(with: bytes)))
    }
    layout.topLevel = topLevel
    var edited = PayloadResults<SourceBytes?>()
    for item in items where item.privacyRole == .xmp {
      try editData(of: item.id, &edited) { file throws(ImageError) in
        guard var packet = try ifReadable(try XMPPacket(parsing: try file.data(of: item.id))),
          packet.announcesVideo
        else { return nil }
        try packet.removeVideo()
        return packet.bytes
      }
    }
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
    case _ where isMetadata || !isKnownImage: .otherMetadata
    default: .image
    }
  }
}

extension HEIFFile {
  /// Whether a box is part of the sequence of images of the file.
  private func isPlain(_ box: OpaqueBox) -> Bool {
    layout.movie != nil && ["styp", "moof", "sidx", "ssix", "mfra"].contains(box.type)
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
  static func isPresent(in bytes: SourceBytes) throws(ImageError) -> Bool {
    try isPresent(in: bytes.range, of: bytes.source)
  }
}
