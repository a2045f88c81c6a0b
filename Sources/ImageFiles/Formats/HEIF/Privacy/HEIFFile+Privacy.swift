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
              try ifReadable(
                try ExifBlock(parsing: try self.exif(ofItem: item.id)).hasLocation)
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
      keeping: kept, source: origin.source, removing: removal)
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
      property.privateContent(in: type) == nil ? property.withoutSurplus : nil
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
    layout.unusedProperties = []
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

extension ItemProperty {
  /// The property without a location; `nil` if it is removed.
  fileprivate func withoutLocation(
    in type: FourCC, _ findings: inout PrivacyFindings
  ) throws(ImageError) -> ItemProperty? {
    let name = "property '\(self.type)'"
    guard try LocationEvidence.isPresent(in: contentBytes) else {
      if isUnread(in: type) || hasSurplus { findings.keep([name]) }
      return self
    }
    if privateContent(in: type) != nil {
      findings.drop(name)
      return nil
    }
    if try !LocationEvidence.isPresent(in: withoutSurplus.contentBytes) {
      findings.drop("bytes after the fields of \(name)")
      return withoutSurplus
    }
    guard !isOptionalForReaders else {
      findings.drop(name)
      return nil
    }
    findings.keep([name])
    return self
  }

  /// Whether the content is of an unknown type other than texts and times.
  fileprivate func isUnread(in item: FourCC) -> Bool {
    isRefused(in: item) || privateContent(in: item) != nil && !Self.descriptions.contains(type)
  }

  /// Whether the image cannot be shown with the property: it is essential or a size or a configuration,
  /// and neither known nor a description.
  func isRefused(in item: FourCC) -> Bool {
    switch box {
    case .unknown(let type, _, _):
      isEssential && !Self.descriptions.contains(type) && !isNeeded(in: item)
        && !["iscl", "rref"].contains(type)
    case .unreadable(let type, _, _): isEssential || ["ispe", "hvcC", "av1C"].contains(type)
    default: false
    }
  }

  /// Whether the property is the configuration of the codec of an item.
  func isConfiguration(of item: FourCC) -> Bool {
    if case .unreadable = box { return false }
    return Self.configurations[item]?.contains(type) == true
  }

  private func isNeeded(in item: FourCC) -> Bool {
    Self.neededByAll.contains(type) || Self.needed[item]?.contains(type) == true
      || isConfiguration(of: item)
  }

  /// Texts and times.
  private static let descriptions: Set<FourCC> = ["udes", "altt", "crtt", "mdft"]

  /// Whether bytes follow the fields, or a profile has tags without colors.
  fileprivate var hasSurplus: Bool {
    let minimal = withoutSurplus
    return minimal.box != box || minimal.contentBytes.count < contentBytes.count
  }

  /// The property without bytes after its fields and such tags, unless it is the configuration of a codec.
  fileprivate var withoutSurplus: ItemProperty {
    switch box {
    case .hevcConfiguration, .av1Configuration, .unreadable: self
    case .colorInformation(.unrestrictedICC(let profile)):
      ICCProfile.trimmed(profile).map {
        ItemProperty(.colorInformation(.unrestrictedICC($0)), isEssential: isEssential)
      } ?? self
    case .colorInformation(.restrictedICC(let profile)):
      ICCProfile.trimmed(profile).map {
        ItemProperty(.colorInformation(.restrictedICC($0)), isEssential: isEssential)
      } ?? self
    case .unknown(let type, let userType, let content):
      if let size = Self.fieldSize(of: type, content), size < content.count {
        ItemProperty(
          .unknown(type, userType: userType, content: Array(content.prefix(size))),
          isEssential: isEssential)
      } else {
        self
      }
    // The subtypes of other types than those of MPEG are not specified.
    case .auxiliaryType(let auxiliary)
    where !auxiliary.subtype.isEmpty && !auxiliary.auxiliaryType.hasPrefix("urn:mpeg:"):
      ItemProperty(
        .auxiliaryType(AuxiliaryTypeBox(auxiliary.auxiliaryType)), isEssential: isEssential)
    default: isIrregular ? ItemProperty(box, isEssential: isEssential) : self
    }
  }

  /// Content of a property that readers do not need; `nil` for others.
  ///
  /// Descriptions, times, identifiers, and others that are unknown or cannot be parsed and are not
  /// essential. Sizes, and configurations of codecs that this library does not parse, are needed.
  ///
  /// - Parameter item: The type of the item.
  /// - Returns: The content; `nil` for a property that readers need.
  fileprivate func privateContent(in item: FourCC) -> [UInt8]? {
    switch box {
    case .unknown(let type, let userType, let content):
      guard Self.descriptions.contains(type) || !isEssential && !isNeeded(in: item) else {
        return nil
      }
      return (userType ?? []) + content
    case .colorInformation(.other(_, let content)): return content
    case .colorInformation(.unrestrictedICC(let profile)),
      .colorInformation(.restrictedICC(let profile)):
      return ICCProfile.trimmed(profile) == nil ? profile : nil
    case .unreadable(let type, let content, _)
    where !isEssential && !["ispe", "hvcC", "av1C"].contains(type):
      return content
    default: return nil
    }
  }

  /// Whether readers that need the property show the image without it as well.
  fileprivate var isOptionalForReaders: Bool { !isEssential && Self.neededByAll.contains(type) }

  /// Positions of the image and of its camera.
  private static let neededByAll: Set<FourCC> = ["rloc", "cmin", "cmex"]

  /// Configurations of codecs by the types of items, which decoders refuse without one.
  ///
  /// Source: ISO/IEC 14496-15, 23001-17 and 23008-12.
  static let configurations: [FourCC: Set<FourCC>] = [
    "hvc1": ["hvcC"], "hev1": ["hvcC"], "hvt1": ["hvcC"], "lhv1": ["lhvC"], "lhe1": ["lhvC"],
    "avc1": ["avcC"], "svc1": ["avcC"], "mvc1": ["avcC"],
    "vvc1": ["vvcC", "vvnC"], "vvn1": ["vvcC", "vvnC"], "evc1": ["evcC"],
    "j2k1": ["j2kH"], "j2ki": ["j2kH"], "mski": ["mskC"], "unci": ["uncC"], "tili": ["tilC"],
  ]

  /// Other properties by the types of items that need them.
  ///
  /// Source: ISO/IEC 14496-15, 23001-17 and 23008-12.
  private static let needed: [FourCC: Set<FourCC>] = [
    "lhv1": ["oinf", "tols"], "lhe1": ["oinf", "tols"], "jpeg": ["jpgC"],
    "unci": ["cmpd", "cmpC", "icef", "cpat", "splz", "cloc", "disi", "fcat", "snuc", "bpat"],
  ]

  /// Size of the fields of a property that is not parsed; `nil` for other types and for content that
  /// is too short.
  ///
  /// Source: ISO/IEC 23008-12, 6.5, B.2.3 and annex L.
  private static func fieldSize(of type: FourCC, _ content: [UInt8]) -> Int? {
    // Version and flags.
    guard content.count >= 4 else { return nil }
    let flags = content[3]
    switch type {
    case "rloc", "iscl": return 12
    case "rref": return content.count > 4 ? 5 + 4 * Int(content[4]) : nil
    case "tols": return 6
    case "mskC": return 5
    case "cmin": return flags & 1 == 0 ? 16 : 24
    case "cmex":
      // A position and an identifier of 32 bits each, and three components of the orientation.
      let width = content[0] == 0 && flags & 0x10 == 0 ? 2 : 4
      return 4 + 4 * (flags & 0x27).nonzeroBitCount + (flags & 8 == 0 ? 0 : 3 * width)
    default: return nil
    }
  }
}
