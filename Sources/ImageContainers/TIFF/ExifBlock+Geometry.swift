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
      let isCleared = try block.removeThumbnail()
      notices.append(
        Notice(.exifThumbnailDropped, at: .init(path: ["Exif"])))
      if !isCleared {
        notices.append(Notice(.exifThumbnailOverlaps, at: .init(path: ["Exif"])))
      }
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

  /// Removes the thumbnail, which shows what the image was before: its directory is unlinked, its
  /// bytes become zeros.
  ///
  /// Source: Exif 3.0, 4.5.8.
  ///
  /// - Returns: Whether no byte of it is left; `false` where it overlaps what stays, which keeps its
  ///   bytes.
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  @discardableResult
  public mutating func removeThumbnail() throws(ImageError) -> Bool {
    guard main.next != 0 else { return true }
    var edited = bytes
    // Where the next directory is follows the entries.
    let link = main.offset + 2 + 12 * main.entries.count
    edited.replaceSubrange(link..<link + 4, with: encoded(0 as UInt32))
    let thumbnail = thumbnailRange
    let isSeparate = thumbnail.map { range in !kept.contains { $0.overlaps(range) } } ?? true
    if let thumbnail, isSeparate {
      edited.replaceSubrange(thumbnail, with: repeatElement(0, count: thumbnail.count))
      if thumbnail.upperBound == edited.count { edited.removeLast(thumbnail.count) }
    }
    self = try ExifBlock(parsing: edited)
    return isSeparate
  }

  /// The bytes of the header and of what the first directory holds and leads to.
  private var kept: [Range<Int>] {
    var ranges = [0..<8]
    var directories = [main]
    var visited: Set<Int> = []
    while let directory = directories.popLast() {
      guard visited.insert(directory.offset).inserted else { continue }
      let end = directory.offset + 2 + 12 * directory.entries.count + 4
      ranges.append(directory.offset..<end)
      for entry in directory.entries {
        ranges.append(entry.values)
        if Self.pointers.contains(entry.tag) { directories += structure.subdirectories(entry) }
      }
    }
    return ranges
  }

  /// Entries of the camera's circumstances, of the location, and of compatibility.
  private static let pointers: Set<TIFFTag> = [
    .exifDirectory, .gpsDirectory, TIFFTag(rawValue: 0xA005),
  ]
}
