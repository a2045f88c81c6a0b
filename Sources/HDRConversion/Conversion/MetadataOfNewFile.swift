// SPDX-License-Identifier: Apache-2.0
internal import GainMap
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
