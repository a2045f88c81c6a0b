// SPDX-License-Identifier: Apache-2.0
extension ExifBlock {
  /// The JPEG thumbnail of the second directory (IFD 1); `nil` if missing, truncated or not JPEG.
  ///
  /// Source: Exif 3.0, 4.5.8.
  package var thumbnail: [UInt8]? {
    guard let range = thumbnailRange else { return nil }
    let thumbnail = Array(bytes[range])
    return thumbnail.starts(with: [0xFF, 0xD8]) ? thumbnail : nil
  }

  /// Range of the thumbnail, as specified by the second directory.
  var thumbnailRange: Range<Int>? {
    guard structure.directories.count > 1,
      let start = integer(TIFFTag(rawValue: 0x0201), of: structure.directories[1]),
      let length = integer(TIFFTag(rawValue: 0x0202), of: structure.directories[1]),
      length > 0, start <= bytes.count, length <= bytes.count - start
    else { return nil }
    return start..<start + length
  }

  private func integer(_ tag: TIFFTag, of directory: TIFFDirectory) -> Int? {
    guard let entry = directory[tag], let value = try? structure.unsigned(entry).first else {
      return nil
    }
    return Int(exactly: value)
  }
}
