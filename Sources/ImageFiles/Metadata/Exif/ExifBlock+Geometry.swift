// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ExifBlock {
  /// Returns Exif for a cropped, resized or rotated image; unchanged if it cannot be parsed.
  ///
  /// - Parameters:
  ///   - exif: Exif of the original image.
  ///   - width: Width of the stored image, in pixels.
  ///   - height: Height of the stored image, in pixels.
  ///   - keepsThumbnail: Whether the thumbnail still matches the image.
  ///   - notices: Receives notices if the thumbnail is dropped, or if its bytes cannot be cleared.
  /// - Returns: The edited block.
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package static func fitted(
    _ exif: [UInt8], width: Int, height: Int, keepsThumbnail: Bool, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    guard var block = try ifReadable(try ExifBlock(parsing: exif)) else { return exif }
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

  /// Updates the entries that store the size of the image, if they exist.
  ///
  /// Source: Exif 3.0, 4.6.5.1.1 (ImageWidth, ImageLength), 4.6.6.2 (PixelXDimension,
  /// PixelYDimension).
  ///
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package mutating func updatePixelSize(width: Int, height: Int) throws(ImageError) {
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

  /// Removes the thumbnail: its directory is unlinked and its bytes are set to zero.
  ///
  /// Source: Exif 3.0, 4.5.8.
  ///
  /// - Returns: Whether all bytes of the thumbnail were cleared; `false` if it overlaps other
  ///   entries, in which case its bytes are kept.
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  @discardableResult
  package mutating func removeThumbnail() throws(ImageError) -> Bool {
    guard main.next != 0 else { return true }
    var edited = bytes
    // The link to the next directory follows the entries.
    let link = main.offset + 2 + 12 * main.entries.count
    edited.replaceSubrange(link..<link + 4, with: encoded(0 as UInt32))
    var samples = try structure.directories.dropFirst().first.map(strips) ?? []
    if let thumbnailRange { samples.append(thumbnailRange) }
    let kept = SortedRanges(joining: try kept)
    let separate = samples.filter { kept.removed(from: $0) == [$0] }
    for range in separate {
      edited.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if let last = separate.last, last.upperBound == edited.count { edited.removeLast(last.count) }
    let others = Array(structure.directories.dropFirst())
    try replace(
      with: edited, moving: others, replacing: others.flatMap { $0.entries.map(\.tag) })
    return separate.count == samples.count
  }

  /// Ranges of the header and of everything that the main directory contains or refers to.
  private var kept: [Range<Int>] {
    get throws(ImageError) {
      var ranges = [0..<8]
      var directories = [main]
      var visited: Set<Int> = []
      while let directory = directories.popLast() {
        guard visited.insert(directory.offset).inserted else { continue }
        let end = directory.offset + 2 + 12 * directory.entries.count + 4
        ranges.append(directory.offset..<end)
        for entry in directory.entries {
          ranges.append(entry.values)
          if Self.pointers.contains(entry.tag) {
            directories += try structure.subdirectories(entry)
          }
        }
      }
      return ranges
    }
  }

  /// Tags of the pointers to the Exif, GPS and interoperability directories.
  private static let pointers: Set<TIFFTag> = [
    .exifDirectory, .gpsDirectory, TIFFTag(rawValue: 0xA005),
  ]
}
