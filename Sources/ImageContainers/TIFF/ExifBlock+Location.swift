// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Location data of Exif.
extension ExifBlock {
  /// Removes the GPS directory, its values and the pointer to it.
  ///
  /// The bytes are set to zero; other data keep their offsets.
  ///
  /// - Returns: Whether the block contained a location.
  /// - Throws: `.malformed` if the location cannot be parsed or shares bytes with other metadata.
  public mutating func removeLocation() throws(ImageError) -> Bool {
    let owners = knownDirectories.filter { $0[.gpsDirectory] != nil }
    guard !owners.isEmpty else { return false }
    var erased: [Range<Int>] = []
    for owner in owners {
      for entry in owner.entries where entry.tag == .gpsDirectory {
        let directories = structure.subdirectories(entry)
        guard let count = try? structure.unsigned(entry).count, count == directories.count else {
          throw ImageError(.exifLocationUnreadable, at: Self.gpsPlace)
        }
        for directory in directories { erased += ranges(of: directory) }
      }
    }
    var edited = bytes
    let kept = SortedRanges(joining: try keptRanges())
    for range in erased.map({ $0.clamped(to: 0..<bytes.count) }) where !range.isEmpty {
      guard kept.removed(from: range) == [range] else {
        throw ImageError(.exifLocationShared, at: Self.gpsPlace)
      }
      for index in range { edited[index] = 0 }
    }
    for owner in owners { remove(.gpsDirectory, from: owner, in: &edited) }
    self = try ExifBlock(parsing: edited)
    return true
  }

  private static let gpsPlace = ImageError.Location(path: ["Exif", "GPS"])

  /// Directories of the chain, with their Exif and sub-image directories.
  private var knownDirectories: [TIFFDirectory] {
    var known = structure.directories
    for tag in [TIFFTag.exifDirectory, .subdirectories] {
      known += known.flatMap { directory in
        directory[tag].map { structure.subdirectories($0) } ?? []
      }
    }
    return known
  }

  /// Ranges of all metadata except the location.
  private func keptRanges() throws(ImageError) -> [Range<Int>] {
    [0..<8]
      + knownDirectories.flatMap { directory in
        [tableRange(of: directory)]
          + directory.entries.filter { $0.tag != .gpsDirectory }.map(\.values)
      }.filter { $0.upperBound <= bytes.count }
  }

  /// Ranges of a directory, its link, and its values outside the directory.
  private func ranges(of directory: TIFFDirectory) -> [Range<Int>] {
    let table = tableRange(of: directory)
    return [table] + directory.entries.map(\.values).filter { $0.clamped(to: table) != $0 }
  }

  private func tableRange(of directory: TIFFDirectory) -> Range<Int> {
    directory.offset..<min(directory.offset + 2 + 12 * directory.entries.count + 4, bytes.count)
  }

  /// Removes an entry from a directory; subsequent entries and the link move up.
  private func remove(_ tag: TIFFTag, from directory: TIFFDirectory, in edited: inout [UInt8]) {
    let rest = directory.entries.filter { $0.tag != tag }
    let table = tableRange(of: directory)
    var writer = ByteWriter()
    writer.write(encoded(UInt16(clamping: rest.count)))
    for entry in rest { writer.write(bytes[entry.offset..<entry.offset + 12]) }
    writer.write(bytes[(directory.offset + 2 + 12 * directory.entries.count)..<table.upperBound])
    writer.write([UInt8](repeating: 0, count: max(table.count - writer.count, 0)))
    edited.replaceSubrange(table, with: writer.bytes)
  }
}
