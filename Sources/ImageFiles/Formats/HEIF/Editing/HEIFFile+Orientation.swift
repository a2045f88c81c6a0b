// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
        companion.setOrientation(
          companion.orientation.followed(by: old.inverse).followed(by: new))
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
    var found = Set(
      references(to: id, type: "auxl") + references(to: id, type: "thmb"))
    for tone in references(to: id, type: "dimg") where item(tone)?.type == "tmap" {
      found.formUnion(references(from: tone, type: "dimg"))
      if item(tone)?.orientation != .upright { found.insert(tone) }
    }
    found.remove(id)
    return found
  }
}
