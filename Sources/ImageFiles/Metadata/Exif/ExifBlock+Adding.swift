// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Added entries, which are stored in copies of their directories at the end of the block.
///
/// Offsets within the block do not change. The bytes of what was replaced become zeros.
extension ExifBlock {
  /// Adds an entry to the Exif directory, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - tag: Tag of the entry, which replaces an entry with the same tag.
  ///   - type: Type of the values.
  ///   - values: Bytes of the values, in the byte order of the block; a multiple of the size of the
  ///     type.
  /// - Throws: `.malformed` if the edited block cannot be parsed, `.limitExceeded` for a block of 4
  ///   GiB or a directory of 65 535 entries.
  package mutating func addToExposure(
    _ tag: TIFFTag, _ type: TIFFEntry.ValueType, _ values: [UInt8]
  ) throws(ImageError) {
    try addToExposure([NewEntry(tag: tag, type: type, values: values)])
  }

  /// An entry to add to a directory.
  struct NewEntry {
    let tag: TIFFTag
    let type: TIFFEntry.ValueType
    /// Bytes of the values, in the byte order of the block.
    let values: [UInt8]
  }

  /// Adds entries to the Exif directory; see `addToExposure(_:_:_:)`.
  mutating func addToExposure(_ entries: [NewEntry]) throws(ImageError) {
    var edited = bytes
    let coded = entries.map { encode($0, to: &edited) }
    let place = try append(exposure, adding: coded, to: &edited)
    if let pointer = main[.exifDirectory], pointer.values.count == 4, exposure != nil {
      edited.replaceSubrange(pointer.values, with: encoded(place))
    } else {
      let pointer =
        encoded(TIFFTag.exifDirectory.rawValue) + encoded(TIFFEntry.ValueType.long.rawValue)
        + encoded(1 as UInt32) + encoded(place)
      try appendMain(adding: [pointer], to: &edited)
    }
    try replace(with: edited, moving: [main, exposure], replacing: entries.map(\.tag))
  }

  /// Adds entries to the main directory (IFD 0).
  mutating func addToMain(_ entries: [NewEntry]) throws(ImageError) {
    var edited = bytes
    let coded = entries.map { encode($0, to: &edited) }
    try appendMain(adding: coded, to: &edited)
    try replace(with: edited, moving: [main], replacing: entries.map(\.tag))
  }

  /// Takes edited bytes, with zeros for directories that were moved or removed and values that were replaced.
  ///
  /// Bytes that something refers to stay.
  mutating func replace(
    with edited: [UInt8], moving directories: [TIFFDirectory?], replacing tags: [TIFFTag] = []
  ) throws(ImageError) {
    var released: [Range<Int>] = []
    for directory in directories.compactMap(\.self) {
      released.append(tableRange(of: directory))
      released += directory.entries.filter { tags.contains($0.tag) }.map(\.values)
    }
    self = try ExifBlock(parsing: edited)
    guard let gaps = try ifReadable(try gaps) else { return }
    let unused = SortedRanges(joining: gaps)
    let used = SortedRanges(joining: released.flatMap { unused.removed(from: $0) })
    var cleared = edited
    for range in released.flatMap({ used.removed(from: $0) }) where range.upperBound <= edited.count
    {
      cleared.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    if cleared != edited { self = try ExifBlock(parsing: cleared) }
  }

  /// Serializes an entry; values of more than four bytes are appended to the block.
  private func encode(_ entry: NewEntry, to edited: inout [UInt8]) -> [UInt8] {
    var field = entry.values
    if field.count > 4 {
      Self.align(&edited)
      edited += field
      field = encoded(UInt32(clamping: edited.count - field.count))
    }
    field += [UInt8](repeating: 0, count: 4 - field.count)
    return encoded(entry.tag.rawValue) + encoded(entry.type.rawValue)
      + encoded(UInt32(clamping: entry.values.count / entry.type.size)) + field
  }

  /// Appends a copy of the main directory with additional entries, and updates the header.
  func appendMain(adding new: [[UInt8]], to edited: inout [UInt8]) throws(ImageError) {
    let place = try append(main, adding: new, to: &edited)
    edited.replaceSubrange(4..<8, with: encoded(place))
  }

  /// Appends a copy of a directory with additional entries, which replace those with the same tags.
  private func append(
    _ directory: TIFFDirectory?, adding new: [[UInt8]], to edited: inout [UInt8]
  ) throws(ImageError) -> UInt32 {
    func tag(_ entry: [UInt8]) -> UInt16 {
      structure.byteOrder == .bigEndian
        ? UInt16(entry[0]) << 8 | UInt16(entry[1]) : UInt16(entry[1]) << 8 | UInt16(entry[0])
    }
    var entries = (directory?.entries ?? []).map { Array(bytes[$0.offset..<$0.offset + 12]) }
      .filter { old in !new.contains { tag($0) == tag(old) } }
    for entry in new {
      let index = entries.firstIndex { tag($0) > tag(entry) }
      entries.insert(entry, at: index ?? entries.count)
    }
    Self.align(&edited)
    guard let place = UInt32(exactly: edited.count), let count = UInt16(exactly: entries.count)
    else {
      throw ImageError(.limitExceeded, "Exif is too large to extend", at: .init(path: ["Exif"]))
    }
    edited += encoded(count)
    edited += entries.joined()
    edited += encoded(UInt32(clamping: directory?.next ?? 0))
    return place
  }

  /// Pads to an even offset, at which directories and values must begin.
  private static func align(_ bytes: inout [UInt8]) {
    if bytes.count % 2 == 1 { bytes.append(0) }
  }
}
