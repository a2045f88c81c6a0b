// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension JPEGFile {
  /// Inserts a gain map after the first image, with the given metadata, replacing existing gain
  /// maps.
  ///
  /// Segments change; the coded data of the image and of the gain map do not.
  ///
  /// - Parameters:
  ///   - map: The gain map image, from this file or another.
  ///   - description: Gain map metadata to write.
  /// - Returns: Notices about metadata that cannot be stored.
  /// - Throws: `.malformed` for XMP that cannot be edited, `.invalidArgument` for metadata that do
  ///   not fit into a segment.
  package mutating func setGainMap(
    _ map: JPEGImage, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    var map = map
    try map.describeAsGainMap(description)
    var notices = try removeGainMaps()
    try insertBehindFirst(map)
    if description.iso?.usesBaseColorSpace == false, description.alternate.profile == nil {
      notices.append(Notice(.gainMapAlternatePrimariesUnknown))
    }
    if description.iso == nil, let xmp = description.xmp, xmp.channels.all.count > 1 {
      notices.append(Notice(.gainMapXMPPerComponent))
    }
    try primary.setISOGainMap(description.iso == nil ? nil : ISO21496Payload.versionOnly)
    if description.xmp != nil {
      var packet = try XMPPacket(parsing: try primary.xmp(notices: &notices) ?? XMPPacket.empty)
      try GainMapXMP.announce(in: &packet)
      if packet.containerItems.isEmpty {
        try packet.insertContainerItem(.init(semantic: "Primary", mime: "image/jpeg"), at: 0)
      }
      try packet.insertContainerItem(
        .init(semantic: "GainMap", mime: "image/jpeg", length: map.serialized().count),
        at: 1)
      try primary.setXMP(packet.bytes)
    }
    if let apple = description.apple, !description.keepsMakerNote {
      notices += try primary.writeMakerNote(
        description.makerNote, for: Headroom(apple.alternateHeadroom))
    }
    return notices
  }

  /// Removes all gain maps, including unreadable ones, and the metadata that signal them.
  ///
  /// - Returns: Notices about invalid structures.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  @discardableResult
  package mutating func removeGainMaps() throws(ImageError) -> [Notice] {
    let maps = Set(
      try GainMapInventory(of: self).maps.compactMap { map in
        if case .image(let index) = map.location { index } else { nil }
      })
    let isMissing = try BaseHints(primary).announcement != nil && maps.isEmpty
    let isOfApple = try AppleMakerNote(of: self) != nil && maps.isEmpty
    let listsMissingImages = try listsMissingImages
    let isExpected = isMissing || isOfApple && listsMissingImages
    removeImages(maps)
    var kept: [Appendix] = []
    var notices: [Notice] = []
    for appendix in appendices {
      guard case .trailer(let trailer) = appendix,
        try holdsBrokenMap(trailer, isExpected: isExpected)
      else {
        kept.append(appendix)
        continue
      }
      notices.append(
        Notice(
          .gainMapUnreadableBytesDropped, ["size": trailer.range.count],
          at: .init(offset: trailer.range.lowerBound)))
    }
    appendices = kept
    if isMissing, notices.isEmpty { notices.append(Notice(.gainMapAnnouncementDropped)) }
    hasStaleDirectory = hasStaleDirectory || !notices.isEmpty
    try primary.removeGainMapProperties()
    return notices
  }

  /// Removes images after the first one, each with padding in front of it.
  mutating func removeImages(_ indices: Set<Int>) {
    var kept: [Appendix] = []
    var index = 0
    for appendix in appendices {
      if case .image = appendix { index += 1 }
      guard case .image = appendix, indices.contains(index) else {
        kept.append(appendix)
        continue
      }
      if case .trailer(let trailer) = kept.last, trailer.content == .padding { kept.removeLast() }
    }
    appendices = kept
  }

  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    let hints = try BaseHints(primary)
    guard !hints.isMap, !hints.hasRecoveryMap else { return [] }
    let inventory = try GainMapInventory(of: self)
    guard inventory.maps.isEmpty else {
      let undescribed = inventory.undescribedMapNotices
      return undescribed.isEmpty
        ? try dropUnreadableDescriptions(inventory) : undescribed + (try removeGainMaps())
    }
    let isMissing = hints.announcement != nil
    // Another image may be the gain map of a format that is not known.
    if isMissing, images.count == 1, !hints.hasISOPayload { return try removeGainMaps() }
    let isOfApple = try AppleMakerNote(of: self) != nil
    let listsMissingImages = try listsMissingImages
    for trailer in trailers
    where try holdsBrokenMap(trailer, isExpected: isMissing || isOfApple && listsMissingImages) {
      return try removeGainMaps()
    }
    return []
  }

  /// Whether data after the images are the remains of a gain map.
  ///
  /// - Parameters:
  ///   - trailer: The data.
  ///   - isExpected: Whether the first image signals a gain map that was not found.
  /// - Returns: Whether to drop the data.
  /// - Throws: Errors that end the whole job.
  private func holdsBrokenMap(_ trailer: JPEGTrailer, isExpected: Bool) throws(ImageError) -> Bool {
    guard trailer.content == .unknown, let segments = try segments(ofImageIn: trailer) else {
      return false
    }
    if isExpected { return true }
    for segment in segments {
      switch segment.role {
      case .isoGainMap where !ISO21496Payload.isVersionOnly(segment.body): return true
      case .xmp:
        let packet = try ifReadable(try XMPPacket(parsing: segment.body))
        if let packet, GainMapXMP.describesMap(packet) || AppleGainMapXMP(packet) != nil {
          return true
        }
      default: break
      }
    }
    return false
  }
}

extension JPEGImage {
  /// Replaces the gain map metadata of a gain map image.
  fileprivate mutating func describeAsGainMap(
    _ description: GainMapMetadataSet
  ) throws(ImageError) {
    if let xmp = description.mapXMP { try setXMP(xmp) }
    let keepsAdobe = description.isContained(in: try readableXMP())
    try removeGainMapProperties(keepingApple: description.keepsAppleXMP, keepingAdobe: keepsAdobe)
    try setISOGainMap(description.iso.map { ISO21496Payload($0).serialized })
    if let metadata = description.iso, !metadata.usesBaseColorSpace {
      try setProfile(description.alternate.profile)
    }
    let writesApple = description.apple != nil && !description.keepsAppleXMP
    let writesAdobe = description.xmp != nil && !keepsAdobe
    guard writesAdobe || writesApple else { return }
    var ignored: [Notice] = []
    var packet = try XMPPacket(parsing: try xmp(notices: &ignored) ?? XMPPacket.empty)
    if let metadata = description.xmp, writesAdobe { try GainMapXMP.write(metadata, into: &packet) }
    if let apple = description.apple, writesApple {
      try AppleGainMapXMP.write(Headroom(apple.alternateHeadroom), into: &packet, isJPEG: true)
    }
    try setXMP(packet.bytes)
  }

  /// Removes all gain map metadata from the image, of a baseline image as of a gain map.
  fileprivate mutating func removeGainMapProperties(
    keepingApple: Bool = false, keepingAdobe: Bool = false
  ) throws(ImageError) {
    try setISOGainMap(nil)
    var ignored: [Notice] = []
    guard let bytes = try xmp(notices: &ignored) else { return }
    var packet = try XMPPacket(parsing: bytes)
    try packet.removeGainMapProperties(keepingApple: keepingApple, keepingAdobe: keepingAdobe)
    if packet.bytes != bytes { try setXMP(packet.isEmpty ? nil : packet.bytes) }
  }

  /// Writes the Apple headroom into the maker note in Exif.
  fileprivate mutating func writeMakerNote(
    _ note: AppleMakerNote?, for headroom: Headroom
  ) throws(ImageError) -> [Notice] {
    var block = exif ?? []
    do throws(ImageError) {
      try (note ?? AppleMakerNote(headroom: headroom)).write(into: &block)
      try setExif(block)
      return AppleMakerNote.notices(for: headroom)
    } catch {
      guard !error.endsJob else { throw error }
      return [
        Notice(.gainMapMakerNoteNotUpdated, ["cause": error])
      ]
    }
  }
}

extension AppleMakerNote {
  /// The notice for a headroom above the maximum of the maker note.
  static func notices(for headroom: Headroom) -> [Notice] {
    guard headroom.stops > largestHeadroom.stops else { return [] }
    return [
      Notice(
        .dropped,
        "the maker note specifies a headroom of {makerNote stop}, its maximum; XMP specifies {xmp}",
        ["makerNote": largestHeadroom.stops, "xmp": headroom.stops])
    ]
  }
}

extension XMPPacket {
  /// Removes gain map metadata: Adobe and Apple properties, and the container directory item.
  ///
  /// - Parameters:
  ///   - keepingApple: Whether Apple properties are kept; false by default.
  ///   - keepingAdobe: Whether Adobe properties are kept; false by default.
  /// - Throws: `.malformed` if the remaining packet is unreadable.
  package mutating func removeGainMapProperties(
    keepingApple: Bool = false, keepingAdobe: Bool = false
  ) throws(ImageError) {
    if !keepingAdobe { try GainMapXMP.remove(from: &self) }
    if !keepingApple { try AppleGainMapXMP.remove(from: &self) }
    try removeContainerItems(semantic: "GainMap")
  }

  /// Whether the packet does not contain any properties.
  var isEmpty: Bool { properties.isEmpty }
}

extension FoundGainMap.AlternateImage {
  /// The ICC profile of the alternate image, or one generated from its code points if possible.
  var profile: [UInt8]? { icc ?? cicp.flatMap { try? ICCProfile.generate(for: $0) } }
}

extension JPEGFile {
  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory {
    try GainMapInventory(of: self, appleCurve: options.appleCurve)
  }

  var stillCodec: StillCodec { .jpeg }

  /// sRGB without a profile.
  var basePrimaries: ColorPrimaries? {
    var ignored: [Notice] = []
    guard let icc = primary.profile(notices: &ignored) else { return .bt709 }
    return FoundGainMap.AlternateImage(icc: icc).specifiedPrimaries
  }

  func primaryLayout() -> FoundGainMap.Layout? { FoundGainMap.Layout(primary.frame) }

  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .image(let index) = place else { throw .notEditable }
    return try setGainMap(images[index], description)
  }

  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .jpeg = other.container else { throw ImageError(.gainMapContainerUnsupported) }
    let image = try JPEGImage(
      parsing: ByteSource(try other.standaloneFile(ofItem: 0)), limits: other.options.limits)
    return try setGainMap(image, description)
  }

  mutating func dropGainMaps() throws(ImageError) -> [Notice] { try removeGainMaps() }
}
