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
  package func serialized(at offset: Int, order: TIFFFile.ByteOrder) -> [UInt8] {
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
    return table + [0, 0, 0, 0] + values
  }
}

extension NewTIFFDirectory {
  /// Tags of the first directory that describe the image, not its samples.
  ///
  /// Source: Exif 3.0, table of tags for the 0th IFD.
  private static let descriptive: Set<UInt16> = [
    270, 271, 272, 282, 283, 296, 305, 306, 315, 316, 33432,
  ]

  /// Limit above the size in real files, in bytes; overlapping values could declare far more.
  private static let mostBytes = 1 << 24

  /// Collects the description, exposure and location entries of a TIFF or Exif structure.
  ///
  /// The result has the byte order of the file, and is empty if the structure does not contain such
  /// entries. Maker notes are copied; offsets in them that are relative to the start of the file
  /// become invalid.
  package static func description(of file: TIFFFile) throws(ImageError) -> NewTIFFDirectory {
    var budget = mostBytes
    return try copy(of: file, file.describingDirectories, &budget) {
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
        let directory = file.firstSubdirectory(entry)
      else { continue }
      var nested = NewTIFFDirectory()
      for entry in directory.entries where !omitted.contains(entry.tag) {
        try nested.add(entry, of: file, &budget)
      }
      if let entry = directory[.interoperabilityDirectory],
        let directory = file.firstSubdirectory(entry)
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
    guard let type = entry.type, type.rawValue <= 12,
      entry.tag != .interoperabilityDirectory, entries[entry.tag] == nil,
      entry.values.count <= file.source.count
    else { return }
    budget -= entry.values.count + 12
    guard budget >= 0 else {
      throw ImageError(
        .tiffMetadataLimitExceeded, ["limit": Self.mostBytes], at: .init(offset: entry.offset))
    }
    guard let bytes = try? file.bytes(of: entry) else { return }
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
