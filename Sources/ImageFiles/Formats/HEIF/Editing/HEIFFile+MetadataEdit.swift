// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Changes the metadata of an item, or of the file if the edit does not specify an item.
  ///
  /// The color descriptions of a grid are also written to those of its tiles that have their own.
  /// Other items that shared a property keep it.
  ///
  /// - Returns: Notices about dropped and about contradictory metadata.
  /// - Throws: `.invalidArgument` if the image does not exist or new metadata cannot be parsed,
  ///   `.malformed` without a primary image and for metadata that cannot be edited; the error of a
  ///   property of the image that cannot be parsed.
  package mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    let item = try image(edit.item)
    let channels = item.property(PixelInformationBox.self)?.bitsPerChannel.count
    try edit.checkNewMetadata(components: channels)
    var notices: [Notice] = []
    let note = try AppleMakerNote(of: self)
    if edit.dropsVideo { try removeVideo() }
    if edit.dropsPersonalData { notices += try removePersonal() }
    try changeColor(of: item, edit, &notices)
    try changeLight(of: item.id, edit)
    try rotation(item, edit)
    try changeExif(of: item.id, edit)
    try changeXMP(of: item.id, edit, &notices)
    if edit.dropsLocation { notices += try removeLocation() }
    notices += try keepAppleHeadroom(of: note)
    if edit.correctsStructure { try correctStructure() }
    return notices
  }

  /// The editable metadata of an image; of the primary image for `nil`.
  ///
  /// - Throws: `.invalidArgument` if the image does not exist, `.malformed` without a primary
  ///   image; the error of a property of the image that cannot be parsed; errors that end the whole
  ///   job.
  func summary(of id: UInt32?, in file: ImageFile) throws(ImageError) -> MetadataSummary {
    let item = try image(id)
    var ignored: [Notice] = []
    var summary = MetadataSummary()
    summary.light = item.lightMetadata(transfer: try transfer(of: item), notices: &ignored)
    summary.codePoints = item.cicp
    summary.profile = item.icc
    summary.orientation = item.orientation
    if let exif = exifItems(of: item.id, id).first {
      summary.exif = try ifReadable(try self.exif(ofItem: exif.id))
    }
    if let xmp = xmpItems(of: item.id, id).first {
      summary.xmp = try ifReadable(try data(of: xmp.id))
    }
    summary.hasLocation = try hasLocation
    return summary
  }

  private func image(_ id: UInt32?) throws(ImageError) -> HEIFItem {
    let item = try specifiedImage(id)
    try item.requireReadableProperties()
    return item
  }

  private func specifiedImage(_ id: UInt32?) throws(ImageError) -> HEIFItem {
    guard let id else { return try primaryItem }
    guard let item = item(id) else { throw ImageError(.itemUnknown, ["item": id]) }
    guard !item.isMetadata else {
      throw ImageError(
        .invalidArgument, "item {item} of type '{type}' is not an image",
        ["item": id, "type": "\(item.type)"])
    }
    return item
  }
}

extension HEIFFile {
  private mutating func changeColor(
    of item: HEIFItem, _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    if case .set(let cicp) = edit.codePoints, let coded = try bitstreamCodePoints(of: item),
      coded.contradicts(cicp)
    {
      notices.append(
        Notice(
          .conflict, "the bitstream signals {bitstream}, the item {item}; readers use the item's",
          ["bitstream": "\(coded)", "item": "\(cicp)"],
          at: .init(path: ["item \(item.id)", "colr"])))
    }
    updateItem(item.id) { $0.changeColor(edit) }
    guard item.type == "grid" else { return }
    for tile in references(from: item.id, type: "dimg") {
      updateItem(tile) { tile in
        var edit = edit
        if tile.cicp == nil { edit.codePoints = .keep }
        if tile.icc == nil { edit.profile = .keep }
        tile.changeColor(edit)
      }
    }
  }

  private mutating func changeLight(of id: UInt32, _ edit: MetadataEdit) throws(ImageError) {
    guard let item = item(id) else { return }
    let scale = ContentVolumeScale(try transfer(of: item))
    let new = edit.applied(to: LightMetadata())
    updateItem(id) { item in
      for light in LightMetadata.items where !light.isKept(by: edit) {
        item.setProperty(light.boxType, to: light.property(of: new, scale: scale))
      }
    }
  }

  /// The transfer function of an image: from its code points, its ICC profile, or its bitstream.
  private func transfer(of item: HEIFItem) throws(ImageError) -> CICP.Transfer? {
    if let transfer = item.declaredTransfer { return transfer }
    return try bitstreamCodePoints(of: item)?.transfer
  }

  /// The code points in the bitstream of a coded item, or of the first tile of a grid.
  private func bitstreamCodePoints(of item: HEIFItem) throws(ImageError) -> CICP? {
    switch item.type {
    case "hvc1", "hev1":
      let configuration = item.property(HEVCConfigurationBox.self)
      return (try? configuration?.sequenceParameterSet)?.usability?.cicp
    case "av01": return try ifReadable(try av1SequenceHeader(of: item.id))?.cicp
    case "grid":
      guard let tile = references(from: item.id, type: "dimg").first.flatMap(self.item),
        tile.type != "grid"
      else { return nil }
      return try bitstreamCodePoints(of: tile)
    default: return nil
    }
  }
}

extension CICP {
  /// Whether two descriptions differ in a field that both specify.
  fileprivate func contradicts(_ other: CICP) -> Bool {
    func differ<Field: Equatable>(_ a: Field, _ b: Field, unless unspecified: Field) -> Bool {
      a != b && a != unspecified && b != unspecified
    }
    return differ(primaries, other.primaries, unless: .unspecified)
      || differ(transfer, other.transfer, unless: .unspecified)
      || differ(matrix, other.matrix, unless: .unspecified) || isFullRange != other.isFullRange
  }
}

extension HEIFItem {
  fileprivate mutating func changeColor(_ edit: MetadataEdit) {
    switch edit.profile {
    case .keep: break
    case .drop: replaceColor(.profile, with: nil)
    case .set(let profile): replaceColor(.profile, with: .unrestrictedICC(profile))
    }
    switch edit.codePoints {
    case .keep: break
    case .drop: replaceColor(.codePoints, with: nil)
    case .set(let cicp): replaceColor(.codePoints, with: .nclx(cicp))
    }
  }

  private enum ColorCarrier {
    case codePoints
    case profile

    func matches(_ property: ItemProperty) -> Bool {
      guard case .colorInformation(let color) = property.box else { return false }
      switch color {
      case .nclx: return self == .codePoints
      case .unrestrictedICC, .restrictedICC: return self == .profile
      case .other: return false
      }
    }
  }

  /// Replaces the color descriptions of a carrier at their present position.
  ///
  /// A new profile is inserted before code points, as in the files of most encoders.
  private mutating func replaceColor(_ carrier: ColorCarrier, with color: ColorInformationBox?) {
    let old = properties.firstIndex(where: carrier.matches)
    let isEssential = old.map { properties[$0].isEssential }
    let rank = ItemProperty.Box.colorInformation(.unrestrictedICC([])).rank
    let usual = properties.firstIndex { $0.box.rank > rank } ?? properties.endIndex
    let beforeCodePoints =
      carrier == .profile ? properties.firstIndex(where: ColorCarrier.codePoints.matches) : nil
    let place = old ?? beforeCodePoints ?? usual
    properties.removeAll(where: carrier.matches)
    guard let color else { return }
    properties.insert(ItemProperty(.colorInformation(color), isEssential: isEssential), at: place)
  }
}

extension HEIFFile {
  /// Sets the orientation of an image, and of its associated images if the edit specifies no item.
  ///
  /// Auxiliary images, thumbnails and the gain map keep their orientation relative to the image. A
  /// tone map is rotated with its inputs, unless it has its own transformative properties, as in
  /// Apple files.
  mutating func rotation(_ item: HEIFItem, _ edit: MetadataEdit) throws(ImageError) {
    guard edit.orientation != .keep else { return }
    let old = item.orientation
    let new = edit.orientation.newValue ?? .upright
    guard old != new else { return }
    let companions = edit.item == nil ? companions(of: item.id) : []
    for id in companions { try self.item(id)?.requireReadableProperties() }
    if edit.item == nil { resizeToneMaps(of: item, from: old, to: new) }
    updateItem(item.id) { $0.setOrientation(new) }
    for id in companions {
      updateItem(id) { companion in
        companion.setOrientation(companion.orientation.followed(by: old.inverse).followed(by: new))
      }
    }
    var edited = PayloadResults<SourceBytes?>()
    for exif in exifItems(of: item.id, edit.item) {
      try editData(of: exif.id, &edited) { file throws(ImageError) in
        guard var block = try ifReadable(try ExifBlock(parsing: try file.exif(ofItem: exif.id)))
        else { return nil }
        try block.setOrientation(new)
        return ExifBlock.dataBlock(block.bytes)
      }
    }
    edited = PayloadResults()
    for xmp in xmpItems(of: item.id, edit.item) {
      try editData(of: xmp.id, &edited) { file throws(ImageError) in
        guard var packet = try ifReadable(try XMPPacket(parsing: try file.data(of: xmp.id)))
        else { return nil }
        return try packet.updateOrientation(new) ? packet.bytes : nil
      }
    }
  }

  /// Updates tone maps that store the size of the displayed image to that of the rotated image.
  ///
  /// Apple files store this size, with a rotation of 0. Tone maps with the size of the coded image,
  /// which libavif requires, are not changed.
  private mutating func resizeToneMaps(
    of base: HEIFItem, from old: Orientation, to new: Orientation
  ) {
    guard let coded = base.property(ImageSpatialExtentsBox.self) else { return }
    func shown(_ orientation: Orientation) -> ImageSpatialExtentsBox {
      orientation.swapsSides
        ? ImageSpatialExtentsBox(width: coded.height, height: coded.width) : coded
    }
    for id in references(to: base.id, type: "dimg") {
      guard let tone = item(id), tone.type == "tmap", tone.orientation == .upright,
        let size = tone.property(ImageSpatialExtentsBox.self), size == shown(old),
        size != coded || tone.property(ImageRotationBox.self) != nil
      else { continue }
      updateItem(id) {
        $0.setProperty(ImageSpatialExtentsBox.boxType, to: .imageSpatialExtents(shown(new)))
      }
    }
  }

  /// Auxiliary images, thumbnails and gain map images with the same content as this image.
  private func companions(of id: UInt32) -> Set<UInt32> {
    var found = Set(references(to: id, type: "auxl") + references(to: id, type: "thmb"))
    for tone in references(to: id, type: "dimg") where item(tone)?.type == "tmap" {
      found.formUnion(references(from: tone, type: "dimg"))
      if item(tone)?.orientation != .upright { found.insert(tone) }
    }
    found.remove(id)
    return found
  }
}

extension HEIFFile {
  func rewritten() throws(ImageError) -> SplicedBytes { try spliced() }

  func isEqual(to other: any ParsedContainer) -> Bool { self == other as? HEIFFile }

  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes {
    guard self.item(item) != nil else { throw ImageError(.itemUnknown, ["item": item]) }
    return try standalone(item).spliced()
  }
}
