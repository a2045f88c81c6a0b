// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A TIFF directory to be serialized.
///
/// Source: TIFF 6.0, section 2.
package struct NewTIFFDirectory {
  /// Value of an entry.
  package enum Value {
    /// Values in the byte order of the file.
    case bytes([UInt8])
    case directory(NewTIFFDirectory)
  }

  package struct Entry {
    package var tag: TIFFTag
    package var type: TIFFEntry.ValueType
    package var count: Int
    package var value: Value
  }

  private var entries: [TIFFTag: Entry] = [:]

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package func contains(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

  /// Adds an entry, or replaces the entry with this tag.
  package mutating func set(_ entry: Entry) { entries[entry.tag] = entry }

  /// The entries with some tags.
  func entries(of tags: Set<TIFFTag>) -> NewTIFFDirectory {
    var copy = NewTIFFDirectory()
    copy.entries = entries.filter { tags.contains($0.key) }
    return copy
  }

  /// Removes the entry with this tag, if any.
  mutating func remove(_ tag: TIFFTag) { entries[tag] = nil }

  /// Adds the entries of another directory, in place of those with the same tags.
  mutating func merge(_ other: NewTIFFDirectory) { entries.merge(other.entries) { $1 } }

  /// Limits the number of values of an entry.
  mutating func truncate(_ tag: TIFFTag, to count: Int) {
    guard let entry = entries[tag], entry.count > count, case .bytes(let bytes) = entry.value else {
      return
    }
    entries[tag]?.count = count
    entries[tag]?.value = .bytes(Array(bytes.prefix(count * entry.type.size)))
  }

  /// Reverses the byte order of all values.
  ///
  /// Of those without a type, the text of UserComment is reversed, maker notes are left unchanged, and others whose
  /// byte order is that of the file are removed.
  mutating func reverseByteOrder() {
    for (tag, entry) in entries {
      switch entry.value {
      case .directory(var directory):
        directory.reverseByteOrder()
        entries[tag]?.value = .directory(directory)
      case .bytes where Self.ordered.contains(tag.rawValue): entries[tag] = nil
      case .bytes(var bytes):
        var size = entry.type == .rational || entry.type == .signedRational ? 4 : entry.type.size
        var first = 0
        if tag.rawValue == 0x9286, bytes.starts(with: Array("UNICODE\0".utf8)) {
          (size, first) = (2, 8)
        }
        for start in stride(from: first, to: bytes.count - size + 1, by: size) {
          bytes[start..<start + size].reverse()
        }
        entries[tag]?.value = .bytes(bytes)
      }
    }
  }

  /// OECF, SpatialFrequencyResponse, CFAPattern and DeviceSettingDescription, which contain numbers without a type.
  private static let ordered: Set<UInt16> = [0x8828, 0xA20C, 0xA302, 0xA40B]

  package mutating func set(_ tag: TIFFTag, _ directory: NewTIFFDirectory) {
    set(Entry(tag: tag, type: .long, count: 1, value: .directory(directory)))
  }

  package mutating func set(_ tag: TIFFTag, undefined bytes: [UInt8], type: TIFFEntry.ValueType) {
    set(Entry(tag: tag, type: type, count: bytes.count, value: .bytes(bytes)))
  }

  /// Sets an entry to numbers; a rational value takes two numbers, so its `count` differs from
  /// theirs.
  package mutating func set<Number: FixedWidthInteger>(
    _ tag: TIFFTag, _ numbers: [Number], type: TIFFEntry.ValueType, count: Int? = nil,
    order: TIFFFile.ByteOrder
  ) {
    let bytes = numbers.flatMap { order.bytes(of: $0) }
    set(Entry(tag: tag, type: type, count: count ?? numbers.count, value: .bytes(bytes)))
  }

  /// Copies an entry of a file with the same byte order.
  ///
  /// - Throws: `.truncated` or `.unsupported` for unreadable values.
  package mutating func copy(_ entry: TIFFEntry, of file: TIFFFile) throws(ImageError) {
    let bytes = try file.bytes(of: entry)
    guard let type = entry.type else { return }
    set(Entry(tag: entry.tag, type: type, count: entry.count, value: .bytes(bytes)))
  }

  /// Serializes a structure with the directory alone, with a header.
  package func serialized(order: TIFFFile.ByteOrder) -> [UInt8] {
    let header = order.header(firstDirectoryAt: 8)
    return header + serialized(at: header.count, order: order)
  }

  /// Serializes the directory for storage at `offset`, followed by the values of its entries.
  ///
  /// - Parameters:
  ///   - offset: Offset of the directory in the file.
  ///   - order: Byte order of the file.
  ///   - next: Offset of the next directory; 0 for none.
  /// - Returns: The bytes of the directory and of its values.
  package func serialized(at offset: Int, order: TIFFFile.ByteOrder, next: Int = 0) -> [UInt8] {
    let sorted = entries.values.sorted { $0.tag.rawValue < $1.tag.rawValue }
    let size = 2 + 12 * sorted.count + 4
    var table = order.bytes(of: UInt16(clamping: sorted.count))
    var values: [UInt8] = []
    for entry in sorted {
      table += order.bytes(of: entry.tag.rawValue) + order.bytes(of: entry.type.rawValue)
      table += order.bytes(of: UInt32(clamping: entry.count))
      let place = offset + size + values.count
      var bytes: [UInt8]
      switch entry.value {
      case .bytes(let content) where content.count <= 4:
        table += content + [UInt8](repeating: 0, count: 4 - content.count)
        continue
      case .bytes(let content): bytes = content
      case .directory(let directory): bytes = directory.serialized(at: place, order: order)
      }
      table += order.bytes(of: UInt32(clamping: place))
      if bytes.count % 2 == 1 { bytes.append(0) }
      values += bytes
    }
    return table + order.bytes(of: UInt32(clamping: next)) + values
  }
}

extension NewTIFFDirectory {
  /// Tags of the first directory that describe the image, not its samples.
  ///
  /// Source: Exif 3.0, table of tags for the 0th IFD.
  private static let descriptive: Set<UInt16> = [
    270, 271, 272, 282, 283, 296, 305, 306, 315, 316, 33432,
    // Of Windows: ratings, title, comment, author, keywords and subject.
    18246, 18249, 40091, 40092, 40093, 40094, 40095,
  ]

  /// Whether an entry of the first directory describes the image, not its samples.
  static func isDescriptive(_ tag: TIFFTag) -> Bool { descriptive.contains(tag.rawValue) }

  /// Collects some entries of a directory, with the Exif and GPS directories that they refer to.
  static func part(
    of file: TIFFFile, _ directory: TIFFDirectory, budget: inout Int,
    where isCopied: (TIFFTag) -> Bool
  ) throws(ImageError) -> NewTIFFDirectory {
    var copy = try copy(of: file, [directory], &budget) { !locating.contains($0) && isCopied($0) }
    for tag in [TIFFTag.exifDirectory, .gpsDirectory] where !isCopied(tag) { copy.remove(tag) }
    return copy
  }

  /// Limit above the size in real files, in bytes; overlapping values could declare far more.
  static let mostBytes = 1 << 24

  /// Collects the description, exposure and location entries of a TIFF or Exif structure.
  ///
  /// The result has the byte order of the file, and is empty if the structure does not contain such
  /// entries. Maker notes are copied; offsets in them that are relative to the start of the file
  /// become invalid.
  package static func description(of file: TIFFFile) throws(ImageError) -> NewTIFFDirectory {
    var budget = mostBytes
    return try copy(of: file, try file.describingDirectories, &budget) {
      descriptive.contains($0.rawValue)
    }
  }

  /// Collects all entries of Exif that do not locate other data, without some tags.
  ///
  /// Directories after the first, which describe a thumbnail, are omitted.
  package static func exif(
    of file: TIFFFile, omitting omitted: Set<TIFFTag>
  ) throws(ImageError) -> NewTIFFDirectory {
    var budget = mostBytes
    return try copy(of: file, [file.mainDirectory], &budget, omitting: omitted) {
      !locating.contains($0) && !omitted.contains($0)
    }
  }

  /// Tags whose values are offsets.
  private static let locating: Set<TIFFTag> = [
    .stripOffsets, .stripByteCounts, .tileOffsets, .tileByteCounts, .subdirectories, .jpegOffset,
    .jpegByteCount, .exifDirectory, .gpsDirectory, .interoperabilityDirectory,
  ]

  /// Collects entries of directories, and those of their Exif and GPS directories; of equal tags, the first.
  private static func copy(
    of file: TIFFFile, _ directories: [TIFFDirectory], _ budget: inout Int,
    omitting omitted: Set<TIFFTag> = [], where isCopied: (TIFFTag) -> Bool
  ) throws(ImageError) -> NewTIFFDirectory {
    var copy = NewTIFFDirectory()
    for entry in directories.flatMap(\.entries) where isCopied(entry.tag) {
      try copy.add(entry, of: file, &budget)
    }
    for tag in [TIFFTag.exifDirectory, .gpsDirectory] {
      guard let entry = directories.lazy.compactMap({ $0[tag] }).first,
        let directory = try file.firstSubdirectory(entry)
      else { continue }
      var nested = NewTIFFDirectory()
      for entry in directory.entries where !omitted.contains(entry.tag) {
        try nested.add(entry, of: file, &budget)
      }
      if let entry = directory[.interoperabilityDirectory],
        let directory = try file.firstSubdirectory(entry)
      {
        var interoperability = NewTIFFDirectory()
        for entry in directory.entries { try interoperability.add(entry, of: file, &budget) }
        nested.set(.interoperabilityDirectory, interoperability)
      }
      copy.set(tag, nested)
    }
    return copy
  }

  /// Collects the same entries from three directories that a camera stores as separate structures.
  ///
  /// Directories with another byte order than the first are omitted.
  package static func description(
    main: TIFFFile, exposure: TIFFFile?, location: TIFFFile?
  ) throws(ImageError) -> NewTIFFDirectory {
    var copy = try description(of: main)
    var budget = mostBytes
    for (tag, file) in [(TIFFTag.exifDirectory, exposure), (.gpsDirectory, location)] {
      guard let file, file.byteOrder == main.byteOrder else { continue }
      var nested = NewTIFFDirectory()
      for entry in file.mainDirectory.entries { try nested.add(entry, of: file, &budget) }
      copy.set(tag, nested)
    }
    return copy
  }

  /// Copies an entry unless it is unreadable or a pointer to a directory.
  private mutating func add(
    _ entry: TIFFEntry, of file: TIFFFile, _ budget: inout Int
  ) throws(ImageError) {
    let type = entry.type.flatMap { $0.rawValue <= 12 ? $0 : nil }
    let isCopied =
      type != nil && !Self.locating.contains(entry.tag) && entries[entry.tag] == nil
      && entry.values.count <= file.source.count
    budget -= 12 + (isCopied ? entry.values.count : 0)
    guard budget >= 0 else {
      throw ImageError(
        .limitExceeded, "metadata of more than {limit byte}", ["limit": Self.mostBytes],
        at: .init(offset: entry.offset))
    }
    guard isCopied, let type else { return }
    guard let bytes = try ifReadable(try file.bytes(of: entry)) else { return }
    set(Entry(tag: entry.tag, type: type, count: entry.count, value: .bytes(bytes)))
  }
}

extension TIFFFile.ByteOrder {
  package func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .littleEndian: writer.writeLittleEndian(number)
    case .bigEndian: writer.writeBigEndian(number)
    }
    return writer.bytes
  }

  /// The header of a structure whose first directory is stored at `offset`.
  package func header(firstDirectoryAt offset: Int) -> [UInt8] {
    Array(rawValue.utf8) + bytes(of: UInt16(42)) + bytes(of: UInt32(clamping: offset))
  }
}
