// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A part of the metadata that an edit removes from all images of a file.
package enum DroppedPart: Sendable {
  /// IPTC data sets and their digest; what XMP repeats of them is XMP.
  case iptc
  /// Smaller copies of the image, in metadata and as images.
  case thumbnails

  /// Exif without the part.
  ///
  /// - Throws: `.malformed` for Exif that cannot be edited.
  package func removed(
    fromExif bytes: [UInt8], _ notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try ifReadable(try ExifBlock(parsing: bytes)) else {
      notices.append(
        Notice(.irregular, "kept: Exif that cannot be read", at: .init(path: ["Exif"])))
      return bytes
    }
    switch self {
    case .iptc: try block.removeIPTC()
    case .thumbnails:
      if try !block.removeThumbnail() {
        notices.append(Notice(.exifThumbnailOverlaps, at: .init(path: ["Exif"])))
      }
    }
    return block.bytes
  }

  /// XMP without the part.
  ///
  /// - Throws: `.malformed` for XMP that cannot be edited.
  package func removed(fromXMP bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    guard self == .thumbnails else { return bytes }
    var packet = try XMPPacket(parsing: bytes)
    try packet.remove(XMPPacket.thumbnails)
    return packet.bytes
  }

  /// Photoshop resources without the part; empty if nothing remains.
  ///
  /// - Throws: `.malformed` for resources that cannot be separated.
  package func removed(
    fromResources bytes: [UInt8], _ notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    var resources = try PhotoshopResources(parsing: bytes)
    var found: [Notice] = []
    try resources.edit { id, data throws(ImageError) in
      switch (self, id) {
      case (.iptc, PhotoshopResources.iptc), (.iptc, PhotoshopResources.iptcDigest): return nil
      case (.thumbnails, _) where PhotoshopResources.thumbnails.contains(id): return nil
      case (.thumbnails, PhotoshopResources.xmp): return try removed(fromXMP: data)
      case (.thumbnails, _) where PhotoshopResources.exif.contains(id):
        return try removed(fromExif: data, &found)
      default: return data
      }
    }
    notices += found
    return resources.bytes
  }
}

extension XMPPacket {
  /// Thumbnails in Base64.
  ///
  /// Source: XMP Specification, part 2, 3.2 (XMP basic namespace).
  fileprivate static let thumbnails = XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails")
}

extension ExifBlock {
  /// Removes IPTC data sets from all directories, also those in Photoshop resources.
  fileprivate mutating func removeIPTC() throws(ImageError) {
    try removeEntries(.iptc)
    for entry in try distinctEntries([.photoshop]) {
      guard entry.type?.size == 1, let old = try value(of: entry) else { continue }
      var ignored: [Notice] = []
      let new = try DroppedPart.iptc.removed(fromResources: old, &ignored)
      guard new != old else { continue }
      guard !new.isEmpty else {
        try removeEntries(.photoshop)
        return
      }
      var edited = bytes
      let rest = [UInt8](repeating: 0, count: old.count - new.count)
      edited.replaceSubrange(entry.values, with: new + rest)
      let count = encoded(UInt32(clamping: new.count))
      edited.replaceSubrange(entry.offset + 4..<entry.offset + 8, with: count)
      self = try ExifBlock(parsing: edited)
    }
  }
}

extension AuxiliaryMetadata {
  /// Removes a part.
  ///
  /// - Throws: `.malformed` for resources that cannot be separated.
  package mutating func remove(
    _ part: DroppedPart, _ notices: inout [Notice]
  ) throws(ImageError) {
    if let old = resources {
      let new = try part.removed(fromResources: old, &notices)
      resources = new.isEmpty ? nil : new
    }
    if part == .thumbnails { bound.removeAll { $0 == Self.photoshopThumbnail } }
  }
}

// MARK: Files

extension JPEGImage {
  mutating func remove(_ part: DroppedPart, _ notices: inout [Notice]) throws(ImageError) {
    var found: [Notice] = []
    _ = try editSegments(.exif) { segment throws(ImageError) in
      let new = try part.removed(fromExif: segment.body, &found)
      return new == segment.body ? segment.payload : segment.payload.prefix(6) + new
    }
    let old = segments(.photoshop).flatMap(\.body)
    let new = try part.removed(fromResources: old, &found)
    if new != old { try setPhotoshop(new) }
    _ = try editSegments(.photoshop, afterHead: true) { segment throws(ImageError) in
      let new = try part.removed(fromResources: segment.body, &found)
      return new.isEmpty ? nil : segment.payload.dropLast(segment.body.count) + new
    }
    notices += found
    guard part == .thumbnails else { return }
    try editXMP { packet throws(ImageError) in try packet.remove(XMPPacket.thumbnails) }
    _ = try editSegments(.xmp, afterHead: true) { segment throws(ImageError) in
      try segment.payload.dropLast(segment.body.count) + part.removed(fromXMP: segment.body)
    }
    try removeUnreadExtendedXMP(&notices)
    _ = try editSegments(.jfifExtension) { _ in nil }
    dropThumbnailOfJFIF()
  }
}

extension JPEGFile {
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
}

extension HEIFFile {
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    if part == .thumbnails { removeItems(thumbnailItems) }
    var (exif, xmp) = (PayloadResults<SourceBytes?>(), PayloadResults<SourceBytes?>())
    for item in items {
      do throws(ImageError) {
        if item.type == "Exif" {
          try editData(of: item.id, &exif) { file throws(ImageError) in
            let old = try file.exif(ofItem: item.id)
            let new = try part.removed(fromExif: old, &notices)
            return new == old ? nil : ExifBlock.dataBlock(new)
          }
        } else if part == .thumbnails, item.contentType == Self.xmpContentType {
          try editData(of: item.id, &xmp) { file throws(ImageError) in
            let old = try file.data(of: item.id)
            let new = try part.removed(fromXMP: old)
            return new == old ? nil : new
          }
        }
      } catch {
        throw error.inside("item \(item.id)")
      }
    }
    try editJPEGItems { image throws(ImageError) in try image.remove(part, &notices) }
    return notices
  }

  /// Thumbnails with the tiles, auxiliary images and metadata that belong to them alone.
  private var thumbnailItems: Set<UInt32> {
    // Images that are made of an item, and images that it describes.
    var (uses, subjects) = ([UInt32: Int](), [UInt32: Int]())
    for reference in references {
      switch reference.type {
      case "dimg": for tile in reference.to { uses[tile, default: 0] += 1 }
      case "auxl", "cdsc": subjects[reference.from, default: 0] += Set(reference.to).count
      default: break
      }
    }
    var removed: Set<UInt32> = []
    var waiting = references.filter { $0.type == "thmb" }.map(\.from)
    while let id = waiting.popLast() {
      guard id != primaryItemID, removed.insert(id).inserted else { continue }
      for tile in references(from: id, type: "dimg") {
        uses[tile, default: 0] -= 1
        if uses[tile] == 0 { waiting.append(tile) }
      }
      for other in references(to: id, type: "auxl") + references(to: id, type: "cdsc") {
        subjects[other, default: 0] -= 1
        if subjects[other] == 0 { waiting.append(other) }
      }
    }
    return removed
  }
}

extension JPEGXLFile {
  /// Data for the reconstruction of a JPEG file may contain the part, and are removed as well.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    if let old = try exif() {
      let new = try part.removed(fromExif: old, &notices)
      if new != old { setExif(new) }
    }
    if let old = try xmp() {
      let new = try part.removed(fromXMP: old)
      if new != old { setXMP(new) }
    }
    return notices + dropReconstruction()
  }
}

extension JPEGXRFile {
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    let old = try current(try image(selected))
    var (new, notices) = (old, [Notice]())
    if let exif = new.metadata.exif {
      new.metadata.exif = try part.removed(fromExif: exif, &notices)
    }
    new.metadata.xmp = try new.metadata.xmp.map { bytes throws(ImageError) in
      try part.removed(fromXMP: bytes)
    }
    if let bytes = new.metadata.photoshop {
      let rest = try part.removed(fromResources: bytes, &notices)
      new.metadata.photoshop = rest.isEmpty ? nil : rest
    }
    if part == .iptc { new.metadata.iptc = nil }
    guard new != old else { return notices }
    let isFirst = edited == nil
    edited = new
    let parts = isFirst ? try partsNotKept() : []
    return notices
      + (parts.isEmpty ? [] : [Notice(.dropped, "not kept: {items item}", ["items": parts])])
  }
}
