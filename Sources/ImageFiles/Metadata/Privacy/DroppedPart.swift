// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A part of the metadata that an edit removes from all images of a file.
package enum DroppedPart: String, Sendable {
  /// IPTC data sets and their digest; what XMP repeats of them is XMP.
  case iptc
  /// Smaller copies of the image, in metadata and as images.
  case thumbnails = "thumbnail"

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
  static let thumbnails = XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails")
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
