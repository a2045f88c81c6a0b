public import HDRCore

extension ExifBlock {
  /// Exif for a picture that is cut, sized or turned; as it is if it cannot be read.
  ///
  /// - Parameters:
  ///   - exif: What was said before.
  ///   - width: Of the stored picture.
  ///   - height: Of the stored picture.
  ///   - keepsThumbnail: Whether that still shows the same.
  ///   - notices: Gets what is lost.
  /// - Returns: The block.
  /// - Throws: `.malformed` if it would not be readable any more.
  public static func fitted(
    _ exif: [UInt8], width: Int, height: Int, keepsThumbnail: Bool, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try? ExifBlock(parsing: exif) else { return exif }
    try block.updatePixelSize(width: width, height: height)
    if !keepsThumbnail, block.main.next != 0 {
      try block.removeThumbnail()
      notices.append(
        Notice(
          .lost, "the thumbnail in Exif, which shows the picture as it was",
          at: .init(path: ["Exif"])))
    }
    return block.bytes
  }

  /// Makes the block say how large the stored picture is, where it says so at all.
  ///
  /// Source: Exif 3.0, 4.6.5.1.1 (ImageWidth, ImageLength), 4.6.6.2 (PixelXDimension,
  /// PixelYDimension).
  ///
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
    var edited = bytes
    for (directory, tag, count) in [
      (main, 0x0100 as UInt16, width), (main, 0x0101, height), (exposure, 0xA002, width),
      (exposure, 0xA003, height),
    ] {
      guard let entry = directory?[TIFFTag(rawValue: tag)], entry.count == 1 else { continue }
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
