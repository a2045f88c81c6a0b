// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Exif of an image that is encoded again.
///
/// Parts that belong to the old file are dropped: the thumbnail, and large maker notes. Camera,
/// lens, date, copyright and the headroom of Apple gain maps stay.
enum MetadataOfNewFile {
  /// Size of maker notes and of single properties above which they are not copied, in bytes.
  static let mostBytes = 16 << 10

  /// Returns Exif for the new file; unchanged if it cannot be parsed.
  ///
  /// - Parameters:
  ///   - bytes: Exif of the old file.
  ///   - keepsMakerNotes: Whether large maker notes are kept.
  ///   - notices: Gets notices about dropped data.
  /// - Returns: The block.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func exif(
    _ bytes: [UInt8], keepsMakerNotes: Bool, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try ifReadable(try ExifBlock(parsing: bytes)) else { return bytes }
    if let note = block.exposure?[.makerNote], note.values.count > mostBytes, !keepsMakerNotes {
      let numbers = try AppleMakerNote(block)
      let order = block.structure.byteOrder
      // Offsets in the note do not have to stay valid, so that the rest can move together.
      let rest = try NewTIFFDirectory.exif(of: block.structure, omitting: [.makerNote])
      let hadThumbnail = block.main.next != 0
      var copy = rest.serialized(order: order)
      try numbers?.write(into: &copy)
      notices.append(.notCopied([item("maker note", note.values.count)]))
      if hadThumbnail { notices.append(Notice(.exifThumbnailDropped, at: .init(path: ["Exif"]))) }
      return copy
    }
    guard block.main.next != 0 else { return block.bytes }
    let isCleared = try block.removeThumbnail()
    notices.append(Notice(.exifThumbnailDropped, at: .init(path: ["Exif"])))
    if !isCleared { notices.append(Notice(.exifThumbnailOverlaps, at: .init(path: ["Exif"]))) }
    return block.bytes
  }

  /// Name and size of dropped data.
  static func item(_ name: String, _ size: Int) -> String {
    size < 1 << 10 ? name : "\(name) (\(size >> 10) kB)"
  }
}

extension Notice {
  /// The notice about data of the camera that are not copied.
  static func notCopied(_ items: [String]) -> Notice {
    Notice(.metadataMakerNotesDropped, ["items": items])
  }
}

extension XMPPacket {
  /// Returns the packet with its orientation and size, if it has them, updated.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image; `nil` to keep the size.
  ///   - orientation: Orientation of the image.
  /// - Returns: The packet.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func fitted(to layout: ImageLayout?, orientation: Orientation) throws(ImageError) -> XMPPacket {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    if let layout { try packet.updatePixelSize(width: layout.width, height: layout.height) }
    return packet
  }

  /// Returns the packet for a new file of its image: without references to the other images and the
  /// video of the old file, without data of its old samples and of its camera, and without light
  /// levels, which the encoder of the new file writes.
  ///
  /// - Parameters:
  ///   - keepsMakerNotes: Whether data of the camera are kept.
  ///   - notices: Gets a notice about dropped data.
  /// - Returns: The packet; `nil` if no properties are left.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func forNewFile(keepsMakerNotes: Bool, notices: inout [Notice]) throws(ImageError) -> [UInt8]? {
    var packet = self
    try packet.removeGainMapProperties()
    try packet.removeDirectory()
    try packet.setLightLevel(nil)
    let bound = packet.properties.filter { property in
      property.name == Self.thumbnails
        || !keepsMakerNotes
          && (Self.makerNotes.contains(property.name.local.lowercased())
            || property.value.byteCount > MetadataOfNewFile.mostBytes)
    }
    if !bound.isEmpty {
      try packet.remove(Set(bound.map(\.name)))
      notices.append(
        .notCopied(bound.map { MetadataOfNewFile.item($0.name.local, $0.value.byteCount) }))
    }
    return packet.properties.isEmpty ? nil : packet.bytes
  }

  private static let thumbnails = XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails")
  /// Properties of Google's cameras, in lower case.
  private static let makerNotes: Set<String> = [
    "hdrp_makernote", "hdrplusmakernote", "shot_log_data",
  ]
}

extension XMPValue {
  /// Size of all texts, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .array(let items): items.reduce(0) { $0 + $1.byteCount }
    case .structure(let fields): fields.reduce(0) { $0 + $1.value.byteCount }
    }
  }
}
