// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGFile {
  /// Whether the readable metadata of any image or of a video contain a location.
  var hasLocation: Bool {
    get throws(ImageError) {
      for image in images where try image.hasLocation { return true }
      for video in trailers.compactMap(\.video) {
        let metadata = try ifReadable(try VideoMetadata(in: video, of: source, removing: .location))
        if metadata?.hasLocation == true { return true }
      }
      return false
    }
  }

  /// Removes the location from the metadata of all images and videos.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  mutating func removeLocation() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    for index in images.indices {
      var image = images[index]
      try image.removeLocation(&findings)
      replaceImage(index, with: image)
    }
    try removeLocationFromMultiPicture(&findings)
    let source = source
    try editTrailers { trailer throws(ImageError) in
      try trailer.withoutLocation(in: source, &findings)
    }
    return findings.all
  }

  private mutating func removeLocationFromMultiPicture(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    let bodies = images.flatMap { $0.segments(.multiPicture).flatMap(\.body) }
    guard try LocationEvidence.isPresent(in: bodies) else { return }
    findings.drop("MPF")
    try minimizeMultiPicture()
  }

  /// Removes everything from all images that readers do not need to show them, and the metadata of a
  /// video.
  mutating func removePersonal() throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    for video in trailers.compactMap(\.video)
    where try !VideoMetadata(in: video, of: source, removing: .all).isSeparable {
      findings.drop("video")
      try removeVideo()
    }
    for index in images.indices {
      var image = images[index]
      try image.removePersonal()
      replaceImage(index, with: image)
    }
    try minimizeMultiPicture()
    let source = source
    try editTrailers { trailer throws(ImageError) in
      guard let video = trailer.video else { return nil }
      let metadata = try VideoMetadata(in: video, of: source, removing: .all)
      findings.notices = [Notice(.privacyVideoKept, at: .init(offset: video.lowerBound))]
      guard trailer.content == .samsung else { return trailer.replacing(metadata.pieces) }
      return trailer.samsung(keeping: \.isNeeded, video: metadata.pieces)
    }
    return findings.all
  }

  /// Removes a part of the metadata from all images.
  ///
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    if part == .thumbnails {
      let maps = try GainMapInventory(of: self).maps.compactMap { map in
        if case .image(let index) = map.location { index } else { nil }
      }
      removeImages(try largeThumbnails.subtracting(maps))
    }
    for index in images.indices {
      var image = images[index]
      try image.remove(part, &notices)
      replaceImage(index, with: image)
    }
    return notices
  }

  /// Removes the video of a motion photo, and what announces it.
  mutating func removeVideo() throws(ImageError) {
    try editTrailers { trailer throws(ImageError) in
      guard trailer.video != nil else { return trailer }
      return trailer.content == .samsung
        ? trailer.samsung(keeping: { !$0.isOfVideo }, video: nil) : nil
    }
    guard try primary.readableXMP()?.announcesVideo == true else { return }
    try primary.editXMP { packet throws(ImageError) in try packet.removeVideo() }
  }

  /// Replaces or removes trailers.
  private mutating func editTrailers(
    _ edit: (JPEGTrailer) throws(ImageError) -> JPEGTrailer?
  ) throws(ImageError) {
    var edited: [Appendix] = []
    for appendix in appendices {
      guard case .trailer(let trailer) = appendix else {
        edited.append(appendix)
        continue
      }
      if let new = try edit(trailer) {
        edited.append(.trailer(new))
      } else if trailer.range.upperBound < source.count, trailer.content == .unknown {
        // The directory may refer to it.
        hasStaleDirectory = true
      }
    }
    appendices = edited
  }
}

extension JPEGTrailer {
  /// The trailer without a location; `nil` if it is dropped.
  ///
  /// - Throws: Errors of reading, and `.limitExceeded`.
  func withoutLocation(
    in source: ByteSource, _ findings: inout PrivacyFindings
  ) throws(ImageError) -> JPEGTrailer? {
    // Those without any metadata are done.
    guard pieces == [.kept(range)] else { return self }
    let video = try self.video.map { range throws(ImageError) -> VideoMetadata in
      try VideoMetadata(in: range, of: source, removing: .location)
    }
    findings.keep((try video?.unreadParts() ?? []).map { "\($0) of the video" })
    switch content {
    case .padding: return self
    case .video: return replacing(video?.pieces ?? pieces)
    case .unknown:
      let name = "\(DiagnosticTemplate.byteText(range.count)) of camera data after the image"
      guard try LocationEvidence.isPresent(in: range, of: source) else {
        findings.keep([name])
        return self
      }
      findings.drop(name)
      return nil
    case .samsung:
      var dropped: Set<JPEGTrailer.Block> = []
      for block in blocks where block.name != JPEGTrailer.samsungVideo {
        // The country of the mobile network.
        var isLocation = block.name == "MCC_Data"
        if !isLocation { isLocation = try LocationEvidence.isPresent(in: block.data, of: source) }
        if isLocation { dropped.insert(block) }
      }
      for block in blocks where dropped.contains(block) { findings.drop(block.name) }
      findings.keep(
        blocks.filter { !$0.isNeeded && !$0.isTime && !dropped.contains($0) }.map(\.name))
      let areOthersKept = try findings.keeps("other bytes of Samsung", in: others, of: source)
      guard !dropped.isEmpty || !areOthersKept || video?.replacements.isEmpty == false else {
        return self
      }
      return samsung(keeping: { !dropped.contains($0) }, video: video?.pieces)
    }
  }

  /// The bytes to write.
  ///
  /// - Throws: `.inputOutput` if the file cannot be read.
  func bytes(of source: ByteSource) throws(ImageError) -> [UInt8] {
    var bytes = SplicedBytes(source: source)
    for piece in pieces {
      switch piece {
      case .kept(let range): bytes.append(range)
      case .new(let new): bytes.append(new)
      }
    }
    return try bytes.allBytes()
  }

  /// Ranges of Samsung's data outside of the blocks and of a directory of as many entries.
  fileprivate var others: [Range<Int>] {
    let directory = max(range.upperBound - 20 - 12 * blocks.count, range.lowerBound)
    return SortedRanges(joining: blocks.map(\.range) + [directory..<range.upperBound])
      .removed(from: range)
  }

  fileprivate func replacing(_ pieces: [SplicedBytes.Piece]) -> JPEGTrailer {
    var copy = self
    if pieces != [.kept(range)] { copy.pieces = pieces }
    return copy
  }
}

extension JPEGTrailer.Block {
  /// Whether the block is the video of a motion photo or describes it.
  var isOfVideo: Bool { name.hasPrefix("MotionPhoto") }
  /// Whether viewers need the block for the video: its data, or its version, such as `mpv3`.
  fileprivate var isNeeded: Bool {
    name == JPEGTrailer.samsungVideo || name == "MotionPhoto_Version" && data.count <= 4
  }
  /// Milliseconds since 1970.
  fileprivate var isTime: Bool { name == "Image_UTC_Data" && data.count <= 13 }
}

extension JPEGImage {
  fileprivate var hasLocation: Bool {
    get throws(ImageError) {
      for segment in segments where try Self.hasLocation(segment) { return true }
      if !segments(.extendedXMP).isEmpty, try readableXMP()?.hasLocation == true { return true }
      return try photoshop()?.hasLocation ?? false
    }
  }

  private static func hasLocation(_ segment: JPEGSegment) throws(ImageError) -> Bool {
    switch segment.role {
    case .exif: try ifReadable(try ExifBlock(parsing: segment.body).hasLocation) ?? false
    case .xmp: try ifReadable(try XMPPacket(parsing: segment.body).hasLocation) ?? false
    case .comment, .other, .jfifExtension:
      segment.isPrivate ? try LocationEvidence.isPresent(in: segment.payload) : false
    default: false
    }
  }

  /// Photoshop image resources, joined from all segments; `nil` if missing or unreadable.
  private func photoshop() throws(ImageError) -> PhotoshopResources? {
    let bodies = segments(.photoshop).map(\.body)
    guard !bodies.isEmpty else { return nil }
    return try ifReadable(try PhotoshopResources(parsing: Array(bodies.joined())))
  }

  /// Removes everything that readers do not need.
  mutating func removePersonal() throws(ImageError) {
    let orientation = try ExifBlock.orientation(of: exif)
    var ignored: [Notice] = []
    let packet = try PrivateBlock.structure(ofXMP: try ifReadable(try xmp(notices: &ignored)))
    try setXMP(packet)
    try setExif(orientation == .upright ? nil : ExifBlock.minimal(orientation: orientation))
    try trimProfile()
    try trimGainMapMetadata()
    parts = NeededJPEGParts(of: self).parts
    removePrivateSegments(except: [.exif, .xmp])
    try cutScans { _ in true }
  }

  mutating func removeLocation(_ findings: inout PrivacyFindings) throws(ImageError) {
    var found = findings
    _ = try editSegments(.exif) { segment throws(ImageError) in
      let edited = try PrivateBlock.withoutLocation(exif: segment.body, &found)
      return edited == segment.body ? segment.payload : segment.payload.prefix(6) + edited
    }
    findings = found
    do throws(ImageError) {
      try removeLocationFromXMP(&findings)
    } catch {
      throw error.unreadableLocation
    }
    try removeLocationFromPhotoshop(&findings)
    try removeLocationFromBoxes(&findings)
    try removeLocationFromUnreadData(&findings)
    found = findings
    for role in [JPEGSegment.Role.comment, .other, .jfifExtension] {
      _ = try editSegments(role) { segment throws(ImageError) in
        guard !segment.holdsJUMBF else { return segment.payload }
        guard try LocationEvidence.isPresent(in: segment.payload) else {
          let isRead = role == .comment && LocationEvidence.isText(segment.payload)
          if !isRead { found.keep(["\(segment.marker) segment"]) }
          return segment.payload
        }
        found.drop("\(segment.marker) segment")
        return nil
      }
    }
    findings = found
  }

  private mutating func removeLocationFromPhotoshop(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    guard var resources = try photoshop() else {
      let bytes = segments(.photoshop).flatMap(\.body)
      guard !bytes.isEmpty else { return }
      guard try LocationEvidence.isPresent(in: bytes) else {
        return findings.keep(["Photoshop resources"])
      }
      findings.drop("Photoshop resources")
      return try replace(.photoshop, with: [])
    }
    let isFound = try resources.hasLocation
    try resources.removeLocation(&findings)
    if isFound { try setPhotoshop(resources.bytes) }
  }

  /// Removes content credentials and other JUMBF boxes that may contain a location.
  private mutating func removeLocationFromBoxes(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    // A box continues in segments with the same number, each with a copy of its header.
    let boxes = Dictionary(grouping: segments.filter(\.holdsJUMBF)) {
      $0.payload.dropFirst(2).prefix(2)
    }
    var removed: Set<ArraySlice<UInt8>> = []
    for (number, parts) in boxes {
      let box = parts.enumerated().flatMap { $1.payload.dropFirst($0 == 0 ? 8 : 16) }
      guard try JUMBF.mayContainLocation(box) else { continue }
      removed.insert(number)
      findings.drop(
        parts.contains(where: \.isC2PA) ? "content credentials (C2PA)" : "JUMBF metadata (APP11)")
    }
    guard !removed.isEmpty else { return }
    _ = try editSegments(.other) { segment in
      let number = segment.payload.dropFirst(2).prefix(2)
      return segment.holdsJUMBF && removed.contains(number) ? nil : segment.payload
    }
  }

  private mutating func removeLocationFromXMP(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    let packets = segments(.xmp).map(\.body)
    guard let main = packets.first else { return try removeLoneExtendedXMP(&findings.notices) }
    var ignored: [Notice] = []
    let hasExtended = try XMPPacket(parsing: main)[XMPPacket.hasExtended] != nil
    if !hasExtended { try removeLoneExtendedXMP(&findings.notices) }
    guard let whole = try xmp(notices: &ignored) else { return }
    let isBroken = ignored.contains { $0.category == .dropped }
    var packet = try XMPPacket(parsing: whole)
    var others: [[UInt8]] = []
    let steps = [try packet.removeLocation(), try packet.removeLocationOutsideOfProperties()]
    var hadLocation = steps.contains(true)
    findings.keep(try packet.unreadParts)
    for other in packets.dropFirst() {
      var packet = try XMPPacket(parsing: other)
      if try packet.removeLocation() { hadLocation = true }
      if try packet.removeLocationOutsideOfProperties() { hadLocation = true }
      findings.keep(try packet.unreadParts)
      others.append(packet.bytes)
    }
    guard hadLocation || isBroken else { return }
    if isBroken { findings.notices.append(Self.lostExtendedXMP) }
    try setXMP(packet.bytes)
    if !others.isEmpty { try replace(.xmp, with: segments(.xmp).prefix(1).map(\.body) + others) }
  }

  /// Removes extended XMP that no packet refers to; readers ignore it, but it may contain a
  /// location.
  private mutating func removeLoneExtendedXMP(_ notices: inout [Notice]) throws(ImageError) {
    guard !segments(.extendedXMP).isEmpty else { return }
    try replace(.extendedXMP, with: [])
    notices.append(Self.lostExtendedXMP)
  }

  /// Removes extended XMP that cannot be joined with its packet, and may contain anything.
  mutating func removeUnreadExtendedXMP(_ notices: inout [Notice]) throws(ImageError) {
    var found: [Notice] = []
    _ = try xmp(notices: &found)
    guard !segments(.extendedXMP).isEmpty, found.contains(where: { $0.category == .dropped }) else {
      return
    }
    try removeLoneExtendedXMP(&notices)
  }

  private static var lostExtendedXMP: Notice {
    Notice(.xmpExtendedDropped, at: .init(path: ["APP1", "XMP"]))
  }
}
