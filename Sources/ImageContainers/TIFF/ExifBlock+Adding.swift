public import HDRCore

/// New entries, which go into copies of their directories at the end of the block, so that no offset
/// within it changes.
extension ExifBlock {
  /// Adds an entry to the directory with the circumstances of the exposure, which is made if there
  /// is none.
  ///
  /// - Parameters:
  ///   - tag: One that the directory does not have yet.
  ///   - type: The kind of values.
  ///   - values: Their bytes, in the byte order of the block.
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func addToExposure(
    _ tag: TIFFTag, _ type: TIFFEntry.ValueType, _ values: [UInt8]
  ) throws(ImageError) {
    var edited = bytes
    var field = values
    if values.count > 4 {
      Self.align(&edited)
      field = encoded(UInt32(clamping: edited.count))
      edited += values
    }
    field += [UInt8](repeating: 0, count: 4 - field.count)
    let entry =
      encoded(tag.rawValue) + encoded(type.rawValue)
      + encoded(UInt32(clamping: values.count / type.size)) + field
    let place = try append(exposure, adding: entry, to: &edited)
    if let pointer = main[.exifDirectory], pointer.values.count == 4, exposure != nil {
      edited.replaceSubrange(pointer.values, with: encoded(place))
    } else {
      let pointer =
        encoded(TIFFTag.exifDirectory.rawValue) + encoded(TIFFEntry.ValueType.long.rawValue)
        + encoded(1 as UInt32) + encoded(place)
      try appendMain(adding: pointer, to: &edited)
    }
    self = try ExifBlock(parsing: edited)
  }

  /// Appends a copy of the first directory with one more entry, and makes it the first.
  func appendMain(adding entry: [UInt8], to edited: inout [UInt8]) throws(ImageError) {
    let place = try append(main, adding: entry, to: &edited)
    edited.replaceSubrange(4..<8, with: encoded(place))
  }

  /// Appends a copy of a directory with one more entry, in place of any with its tag.
  private func append(
    _ directory: TIFFDirectory?, adding entry: [UInt8], to edited: inout [UInt8]
  ) throws(ImageError) -> UInt32 {
    func tag(_ entry: [UInt8]) -> UInt16 {
      structure.byteOrder == .bigEndian
        ? UInt16(entry[0]) << 8 | UInt16(entry[1]) : UInt16(entry[1]) << 8 | UInt16(entry[0])
    }
    var entries = (directory?.entries ?? []).map { Array(bytes[$0.offset..<$0.offset + 12]) }
      .filter { tag($0) != tag(entry) }
    let index = entries.firstIndex { tag($0) > tag(entry) }
    entries.insert(entry, at: index ?? entries.count)
    Self.align(&edited)
    guard let place = UInt32(exactly: edited.count), let count = UInt16(exactly: entries.count)
    else { throw ImageError(.limitExceeded, "too large to grow", at: .init(path: ["Exif"])) }
    edited += encoded(count)
    edited += entries.joined()
    edited += encoded(UInt32(clamping: directory?.next ?? 0))
    return place
  }

  /// Directories and values begin at even offsets.
  private static func align(_ bytes: inout [UInt8]) {
    if bytes.count % 2 == 1 { bytes.append(0) }
  }
}
