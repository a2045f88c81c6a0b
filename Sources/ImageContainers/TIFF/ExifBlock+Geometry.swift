public import HDRCore

extension ExifBlock {
  /// Makes the block say how large the stored picture is, where it says so at all.
  ///
  /// Source: Exif 3.0, 4.6.6.2 (PixelXDimension, PixelYDimension).
  ///
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
    var edited = bytes
    for (tag, count) in [(0xA002 as UInt16, width), (0xA003, height)] {
      guard let entry = exposure?[TIFFTag(rawValue: tag)], entry.count == 1 else { continue }
      let field =
        encoded(tag) + encoded(TIFFEntry.ValueType.long.rawValue) + encoded(1 as UInt32)
        + encoded(UInt32(clamping: count))
      edited.replaceSubrange(entry.offset..<entry.offset + field.count, with: field)
    }
    if edited != bytes { self = try ExifBlock(parsing: edited) }
  }

  /// Removes the thumbnail, which shows what the picture was before: its directory is unlinked, its
  /// bytes become zeros.
  ///
  /// Source: Exif 3.0, 4.5.8.
  ///
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func removeThumbnail() throws(ImageError) {
    guard main.next != 0 else { return }
    var edited = bytes
    if let thumbnail = thumbnailRange {
      edited.replaceSubrange(thumbnail, with: repeatElement(0, count: thumbnail.count))
      if thumbnail.upperBound == edited.count { edited.removeLast(thumbnail.count) }
    }
    // Where the next directory is follows the entries.
    let link = main.offset + 2 + 12 * main.entries.count
    edited.replaceSubrange(link..<link + 4, with: encoded(0 as UInt32))
    self = try ExifBlock(parsing: edited)
  }
}
