// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension HEIFFile {
  /// Makes an image item the gain map of the primary image, with the given metadata.
  ///
  /// All other metadata of the gain map and all other gain maps of the primary image are removed.
  /// Coded data do not change.
  ///
  /// Source: ISO/IEC 23008-12 (`tmap`), as read by libavif; Adobe and Apple files.
  ///
  /// - Parameters:
  ///   - map: A coded image or a grid.
  ///   - description: Gain map metadata to write.
  /// - Returns: Notices about metadata that cannot be stored.
  /// - Throws: `.malformed` without a primary image or for XMP that cannot be edited,
  ///   `.invalidArgument` for flavors that exclude each other.
  package mutating func setGainMap(
    _ map: UInt32, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard description.xmp == nil || description.apple == nil else {
      throw ImageError(.gainMapTwoAuxiliaryTypes)
    }
    let base = try primaryItem
    guard let mapItem = item(map), map != base.id else {
      throw ImageError(
        .malformed, "item {map} is not a gain map of item {base}", ["map": map, "base": base.id])
    }
    for item in [base, mapItem] { try item.requireReadableProperties() }
    let ownXMP = try xmpItems(describing: map).first.flatMap { item throws(ImageError) in
      try ifReadable(try XMPPacket(parsing: try data(of: item.id)))
    }
    let mapXMP = try description.mapXMP.flatMap { xmp throws(ImageError) in
      try ifReadable(try XMPPacket(parsing: xmp))
    }
    let packet = mapXMP ?? ownXMP
    let keepsAdobe = description.isContained(in: packet)
    var notices = try removeGainMaps(
      keeping: map, keepsAppleProperties: description.keepsAppleXMP,
      keepsAdobeProperties: keepsAdobe)
    updateItem(map) { item in
      item.isHidden = description.iso != nil
      item.setColor(cicp: mapItem.cicp?.ofGainMap ?? .gainMap, icc: nil)
      item.takeTransformations(of: base)
    }
    if let xmp = description.mapXMP {
      try editXMP(describing: map) { (packet) throws(ImageError) in
        packet = try XMPPacket(parsing: xmp)
        try packet.removeGainMapProperties(
          keepingApple: description.keepsAppleXMP, keepingAdobe: keepsAdobe)
      }
    }
    if let metadata = description.iso {
      addToneMap(metadata, base: base, map: map, alternate: description.alternate)
    }
    if let metadata = description.xmp {
      setAuxiliary(.adobe, map, of: base.id)
      if !keepsAdobe {
        try editXMP(describing: map) { (packet) throws(ImageError) in
          try GainMapXMP.write(metadata, into: &packet)
        }
      }
      try editXMP(describing: base.id) { (packet) throws(ImageError) in
        try GainMapXMP.announce(in: &packet)
      }
    }
    if let apple = description.apple {
      setAuxiliary(.apple, map, of: base.id)
      if !description.keepsAppleXMP {
        try editXMP(describing: map) { (packet) throws(ImageError) in
          try AppleGainMapXMP.write(Headroom(apple.alternateHeadroom), into: &packet, isJPEG: false)
        }
      }
      if !description.keepsMakerNote {
        notices += try writeMakerNote(
          description.makerNote, for: Headroom(apple.alternateHeadroom), describing: base.id)
      }
    }
    return notices
  }

  /// Removes the gain maps of the primary image, including invalid ones, and the metadata that
  /// signal them.
  ///
  /// - Returns: Notices about invalid structures.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  @discardableResult
  package mutating func removeGainMaps() throws(ImageError) -> [Notice] {
    try removeGainMaps(keeping: nil, keepsAppleProperties: false, keepsAdobeProperties: false)
  }

  /// Removes gain maps, or only the metadata of one of them.
  ///
  /// - Parameters:
  ///   - kept: A gain map of which only the metadata are removed.
  ///   - keepsAppleProperties: Whether it keeps Apple XMP.
  ///   - keepsAdobeProperties: Whether it keeps Adobe XMP.
  /// - Returns: Notices about invalid structures.
  /// - Throws: `.malformed` for XMP that cannot be edited.
  private mutating func removeGainMaps(
    keeping kept: UInt32?, keepsAppleProperties: Bool, keepsAdobeProperties: Bool
  ) throws(ImageError) -> [Notice] {
    let oldGroups = Set(groups)
    var (toneMaps, images) = (Set<UInt32>(), [UInt32]())
    for found in try GainMapInventory(of: self).maps {
      // A primary image may be marked as a gain map by mistake.
      guard case .item(let id) = found.location, id != primaryItemID,
        belongsToPrimaryImage(found, id)
      else { continue }
      if let toneMap = found.toneMapItem { toneMaps.insert(toneMap) }
      if id == kept {
        updateItem(id) { $0.setProperty(AuxiliaryTypeBox.boxType, to: nil) }
        removeReferences("auxl", from: id)
        try editXMP(describing: id) { (packet) throws(ImageError) in
          try packet.removeGainMapProperties(
            keepingApple: keepsAppleProperties, keepingAdobe: keepsAdobeProperties)
        }
      } else {
        images.append(id)
      }
    }
    removeItems(toneMaps)
    removeImages(images)
    let notices = removeBrokenToneMaps(keeping: kept)
    if let primaryItemID {
      try editXMP(describing: primaryItemID) { (packet) throws(ImageError) in
        try packet.removeGainMapProperties()
      }
    }
    groups.removeAll { $0.type == "altr" && $0.entities.count < 2 && !oldGroups.contains($0) }
    if !items.contains(where: { $0.type == "tmap" }) {
      fileType.compatibleBrands.removeAll { $0 == "tmap" }
    }
    return notices
  }

  /// Removes invalid tone maps, and hidden images that are not referenced afterwards.
  ///
  /// Invalid are tone maps without an existing baseline image, and those of the primary image that
  /// are left when its valid gain maps have been removed.
  private mutating func removeBrokenToneMaps(keeping kept: UInt32?) -> [Notice] {
    let broken = items.filter { item in
      guard item.type == "tmap" else { return false }
      let base = references(from: item.id, type: "dimg").first
      return base == nil || base == item.id || base == primaryItemID || self.item(base ?? 0) == nil
    }
    guard !broken.isEmpty else { return [] }
    removeItems(Set(broken.map(\.id)))
    let mentioned = Set(
      references.lazy.filter { $0.type != "cdsc" }.flatMap(\.to)
        + references.lazy.filter { $0.type != "dimg" }.map(\.from) + groups.lazy.flatMap(\.entities)
    )
    let dropped = items.filter {
      $0.isHidden && $0.id != kept && $0.id != primaryItemID && !mentioned.contains($0.id)
        && $0.isImage
    }
    removeImages(dropped.map(\.id))
    func notice(_ item: HEIFItem, _ code: NoticeCode) -> Notice {
      Notice(code, at: .init(path: ["item \(item.id)"]))
    }
    return broken.map { notice($0, .gainMapBrokenToneMapDropped) }
      + dropped.map { notice($0, .gainMapUnreferencedImageDropped) }
  }

  private func belongsToPrimaryImage(_ found: FoundGainMap, _ id: UInt32) -> Bool {
    if let toneMap = found.toneMapItem {
      return references(from: toneMap, type: "dimg").first == primaryItemID
    }
    let masters = references(from: id, type: "auxl")
    return masters.contains { $0 == primaryItemID } || masters.allSatisfy { item($0) == nil }
  }

  // MARK: ISO 21496-1

  private mutating func addToneMap(
    _ metadata: GainMapMetadata, base: HEIFItem, map: UInt32, alternate: FoundGainMap.AlternateImage
  ) {
    let bits: UInt8 = metadata.isBaseHDR ? 8 : 10
    let id = addItem(
      "tmap",
      properties: base.properties.filter { $0.type == "ispe" }.map(\.box) + [
        .pixelInformation(.init(bitsPerChannel: [bits, bits, bits]))
      ],
      data: .file(ISO21496Payload(metadata).toneMapItem))
    updateItem(id) { item in
      let isSignaled = alternate.cicp != nil || alternate.icc != nil
      item.setColor(
        cicp: isSignaled ? alternate.cicp : base.usualAlternate(isHDR: !metadata.isBaseHDR),
        icc: alternate.icc)
      item.setLightMetadata(alternate.light)
    }
    addReference("dimg", from: id, to: [base.id, map])
    addGroup("altr", of: [id, base.id])
    if !fileType.compatibleBrands.contains("tmap") { fileType.compatibleBrands.append("tmap") }
  }

  // MARK: Auxiliary images

  private mutating func setAuxiliary(_ auxiliary: GainMapAuxiliary, _ map: UInt32, of base: UInt32)
  {
    updateItem(map) {
      $0.setProperty(
        AuxiliaryTypeBox.boxType, to: .auxiliaryType(AuxiliaryTypeBox(auxiliary.auxiliaryType)))
    }
    addReference("auxl", from: map, to: [base])
  }

  private mutating func removeReferences(_ type: FourCC, from id: UInt32) {
    references.removeAll { $0.type == type && $0.from == id }
  }

  /// Removes images with their tiles and with metadata that do not describe other images.
  private mutating func removeImages(_ ids: [UInt32]) {
    let parts = Set(ids.flatMap { self.references(from: $0, type: "dimg") })
    let metadata = Set(ids.flatMap { self.references(to: $0, type: "cdsc") })
    removeItems(Set(ids))
    removeItems(parts.filter { self.references(to: $0, type: "dimg").isEmpty })
    removeItems(metadata.filter { self.references(from: $0, type: "cdsc").isEmpty })
  }

  // MARK: Metadata

  /// Edits the XMP that describes an item; adds a packet if necessary and removes an empty one.
  mutating func editXMP(
    describing id: UInt32, _ edit: (inout XMPPacket) throws(ImageError) -> Void
  ) throws(ImageError) {
    let carrier = xmpItems(describing: id).first
    let old: [UInt8]? =
      if let carrier { try data(of: carrier.id) } else { nil }
    var packet = try XMPPacket(parsing: old ?? XMPPacket.empty)
    try edit(&packet)
    guard let carrier else {
      if !packet.isEmpty { addXMP(packet.bytes, describing: [id]) }
      return
    }
    guard packet.bytes != old else { return }
    if packet.isEmpty {
      removeItem(carrier.id)
    } else {
      updateItem(carrier.id) { $0.data = .file(packet.bytes) }
    }
  }

  private mutating func writeMakerNote(
    _ note: AppleMakerNote?, for headroom: Headroom, describing id: UInt32
  ) throws(ImageError) -> [Notice] {
    let carrier = metadataItems(describing: id, type: "Exif").first
    do throws(ImageError) {
      var block: [UInt8] = []
      if let carrier { block = try exif(ofItem: carrier.id) }
      try (note ?? AppleMakerNote(headroom: headroom)).write(into: &block)
      if let carrier {
        updateItem(carrier.id) { $0.data = .file(ExifBlock.dataBlock(block)) }
      } else {
        addExif(block, describing: [id])
      }
      return AppleMakerNote.notices(for: headroom)
    } catch {
      guard !error.endsJob else { throw error }
      return [
        Notice(.gainMapMakerNoteNotUpdated, ["cause": error])
      ]
    }
  }
}

extension HEIFItem {
  /// Copies rotation and mirroring from another item; the clean aperture is kept.
  fileprivate mutating func takeTransformations(of base: HEIFItem) {
    for type in ["irot", "imir"] as [FourCC] {
      setProperty(type, to: base.properties.first { $0.type == type }?.box)
    }
  }
}

extension HEIFItem {
  /// Default code points of the alternate image: PQ or sRGB, with the primaries of the baseline
  /// image.
  fileprivate func usualAlternate(isHDR: Bool) -> CICP {
    let declared = cicp?.primaries ?? .unspecified
    let profile = icc.flatMap { try? ICCProfile(parsing: $0) }
    let primaries = declared == .unspecified ? profile?.primaries ?? .bt709 : declared
    return CICP(primaries: primaries, transfer: isHDR ? .pq : .srgb, matrix: cicp?.matrix ?? .bt601)
  }
}

extension ICCProfile {
  /// The code point of the primaries of the profile; `nil` if they do not have one.
  fileprivate var primaries: CICP.Primaries? {
    if let cicp { return cicp.primaries }
    guard case .matrix(let model) = model, let primaries = model.primaries else { return nil }
    let named: [(ColorPrimaries, CICP.Primaries)] = [
      (.bt709, .bt709), (.displayP3, .displayP3), (.bt2020, .bt2020),
    ]
    // The tolerance covers the chromatic adaptation to D50 and back.
    return named.first { $0.0.isClose(to: primaries, tolerance: 2e-3) }?.1
  }
}

extension CICP {
  /// Code points of gain map samples: unspecified primaries and transfer, matrix coefficients of
  /// JPEG.
  fileprivate static let gainMap = CICP(
    primaries: .unspecified, transfer: .unspecified, matrix: .bt601)

  /// The code points with unspecified primaries and transfer, which do not apply to gain maps.
  fileprivate var ofGainMap: CICP {
    var cicp = self
    (cicp.primaries, cicp.transfer) = (.unspecified, .unspecified)
    return cicp
  }
}

extension HEIFFile {
  func gainMaps(_ options: OpeningOptions) throws(ImageError) -> GainMapInventory {
    try GainMapInventory(of: self, appleCurve: options.appleCurve)
  }

  var basePrimaries: ColorPrimaries? {
    let item = try? primaryItem
    return FoundGainMap.AlternateImage(cicp: item?.cicp, icc: item?.icc).specifiedPrimaries
  }

  func primaryLayout() throws(ImageError) -> FoundGainMap.Layout? {
    gainMapLayout(of: try primaryItem)
  }

  var stillCodec: StillCodec {
    get throws(ImageError) {
      let coded = try standalone(try primaryItem.id).items
      return coded.contains { $0.property(AV1ConfigurationBox.self) != nil } ? .av1 : .hevc
    }
  }

  mutating func describeGainMap(
    at place: FoundGainMap.Location, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .item(let id) = place else { throw .notEditable }
    return try setGainMap(id, description)
  }

  mutating func addGainMap(
    imageOf other: ImageFile, _ description: GainMapMetadataSet
  ) throws(ImageError) -> [Notice] {
    guard case .heif(let file) = other.container else {
      throw ImageError(.gainMapContainerUnsupported)
    }
    return try setGainMap(try adopt(imageOf: file), description)
  }

  /// Removes the gain maps if nothing but their data is missing.
  mutating func dropUnreadableGainMaps() throws(ImageError) -> [Notice] {
    let inventory = try GainMapInventory(of: self)
    let maps = inventory.maps.flatMap { map -> [UInt32] in
      guard case .item(let id) = map.location else { return [] }
      return [id] + references(from: id, type: "dimg") + (map.toneMapItem.map { [$0] } ?? [])
    }
    let cut = cutItems.map(\.id)
    guard Set(cut).isSubset(of: maps) else { return [] }
    guard cut.isEmpty else { return try dropGainMaps() }
    let undescribed = inventory.undescribedMapNotices
    return undescribed.isEmpty
      ? try dropUnreadableDescriptions(inventory) : undescribed + (try dropGainMaps())
  }

  mutating func dropGainMaps() throws(ImageError) -> [Notice] {
    let cut = cutItems
    let notices = try removeGainMaps()
    return notices
      + cut.filter { item($0.id) == nil }.map {
        Notice(
          .dropped, "dropped: '{type}' of the gain map (its data are missing)",
          ["type": "\($0.type)"], at: .init(path: ["item \($0.id)"]))
      }
  }
}
