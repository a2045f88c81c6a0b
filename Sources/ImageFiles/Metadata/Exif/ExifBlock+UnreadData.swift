// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ExifBlock {
  /// Tags of pointers to directories other than GPS.
  static let directoryTags: Set<TIFFTag> = [
    .exifDirectory, .subdirectories, .interoperabilityDirectory,
  ]
}

/// Values and bytes that are not read, and texts, which are searched for signs of a location.
extension ExifBlock {
  /// Whether texts, unknown values or bytes outside of values have signs of a location.
  var hasEvidence: Bool {
    get throws(ImageError) {
      if try !tagsWithEvidence.isEmpty { return true }
      return try !gapsWithEvidence.isEmpty
    }
  }

  /// Values of unknown tags, texts that contain encoded or other data, and bytes that no directory refers to.
  var unreadValues: [String] {
    get throws(ImageError) {
      var names: [String] = []
      for entry in try distinctEntries(where: { !Self.isKnown($0) }) where entry.values.count > 4 {
        guard let value = try value(of: entry), value.contains(where: { $0 != 0 }) else { continue }
        names.append(Self.name(of: entry))
      }
      for entry in try distinctEntries(where: Self.isKnown)
      where entry.values.count > 64 && !Self.parsedTags.contains(entry.tag) {
        if let value = try value(of: entry), !isReadable(value, of: entry) {
          names.append(Self.name(of: entry))
        }
      }
      var rest = 0
      for range in try gaps { rest += range.count }
      return rest > 0 ? names + ["\(rest) bytes of Exif without a tag"] : names
    }
  }

  private static func name(of entry: TIFFEntry) -> String {
    "Exif tag \(entry.tag.rawValue) (\(entry.values.count) bytes)"
  }

  /// Whether a value is not a text, or one without encoded data.
  ///
  /// Texts in Latin-1 are searched as well.
  ///
  /// Source: Exif 3.0, 4.6.5: UserComment begins with the name of its encoding.
  private func isReadable(_ value: [UInt8], of entry: TIFFEntry) -> Bool {
    let isTitle = Self.titles.contains(entry.tag.rawValue)
    let isComment = entry.tag.rawValue == 37510
    guard isTitle || isComment || entry.type == .ascii else { return true }
    let text: String
    if isTitle || value.starts(with: "UNICODE\0".utf8) {
      let isLittle = isTitle || structure.byteOrder == .littleEndian
      let units = value.dropFirst(isTitle ? 0 : 8).utf16Units(isBigEndian: !isLittle)
      text = String(decoding: units.filter { $0 != 0 }, as: UTF16.self)
    } else {
      text = String(decoding: value.dropFirst(isComment ? 8 : 0).filter { $0 != 0 }, as: UTF8.self)
    }
    return LocationEvidence.isText(text.utf8)
  }

  /// Names of values with signs of a location.
  var textsWithLocation: [String] {
    get throws(ImageError) {
      try tagsWithEvidence.sorted { $0.rawValue < $1.rawValue }.map { "Exif \($0.title)" }
    }
  }

  /// Removes values with signs of a location, and sets such bytes outside of values to zero.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: `.malformed` if the values share bytes with other metadata.
  mutating func removeEvidence() throws(ImageError) -> Bool {
    let tags = try tagsWithEvidence
    for tag in tags { try removeEntries(tag) }
    let found = try gapsWithEvidence
    guard !found.isEmpty else { return !tags.isEmpty }
    var edited = bytes
    for range in found { edited.replaceSubrange(range, with: repeatElement(0, count: range.count)) }
    self = try ExifBlock(parsing: edited)
    return true
  }

  private var tagsWithEvidence: Set<TIFFTag> {
    get throws(ImageError) {
      var found: Set<TIFFTag> = []
      for entry in try distinctEntries(where: { !Self.parsedTags.contains($0) })
      where entry.values.count > 4 && !found.contains(entry.tag) {
        if let value = try value(of: entry), try LocationEvidence.isPresent(in: value) {
          found.insert(entry.tag)
        }
      }
      return found
    }
  }

  private var gapsWithEvidence: [Range<Int>] {
    get throws(ImageError) {
      var found: [Range<Int>] = []
      for range in try gaps where try LocationEvidence.isPresent(in: Array(bytes[range])) {
        found.append(range)
      }
      return found
    }
  }

  /// Ranges that no directory refers to, except those with only zeros.
  var gaps: [Range<Int>] {
    get throws(ImageError) {
      var positions: [TIFFDirectory] = []
      for entry in try distinctEntries([.gpsDirectory]) {
        positions += try structure.subdirectories(entry)
      }
      let directories =
        try knownDirectories + structure.reachable(from: positions, by: [.gpsDirectory])
      var covered = [0..<8]
      for directory in directories {
        covered.append(tableRange(of: directory))
        for strip in try strips(of: directory)
        where try !LocationEvidence.isPresent(in: Array(bytes[strip])) { covered.append(strip) }
        covered += directory.entries.map(\.values).filter { $0.upperBound <= bytes.count }
      }
      if let thumbnailRange { covered.append(thumbnailRange) }
      return SortedRanges(joining: covered).removed(from: bytes.indices).filter { range in
        bytes[range].contains { $0 != 0 }
      }
    }
  }

  /// Samples of an image, such as a thumbnail.
  func strips(of directory: TIFFDirectory) throws(ImageError) -> [Range<Int>] {
    guard let first = directory[.stripOffsets], let second = directory[.stripByteCounts],
      let offsets = try ifReadable(try structure.unsigned(first)),
      let counts = try ifReadable(try structure.unsigned(second))
    else { return [] }
    var strips: [Range<Int>] = []
    for (offset, count) in zip(offsets, counts)
    where count > 0 && offset <= UInt64(bytes.count) && count <= UInt64(bytes.count) - offset {
      strips.append(Int(offset)..<Int(offset + count))
    }
    return strips
  }

  /// Tags with a structure that is parsed.
  private static let parsedTags: Set<TIFFTag> = directoryTags.union([
    .gpsDirectory, .xmp, .iptc, .photoshop,
  ])

  /// Whether the values of a tag are numbers or texts, or are parsed or named elsewhere.
  private static func isKnown(_ tag: TIFFTag) -> Bool {
    parsedTags.contains(tag) || tag == .makerNote
      || knownTags.contains { $0.contains(tag.rawValue) }
  }

  /// Titles of Windows, in UTF-16.
  private static let titles: ClosedRange<UInt16> = 40091...40095

  /// Source: TIFF 6.0, section 8; Exif 3.0, 4.6; titles of Windows.
  private static let knownTags: [ClosedRange<UInt16>] = [
    254...297, 301...301, 305...306, 315...325, 338...339, 512...532, 18246...18249,
    33432...33437, 34675...34675, 34850...34869, 36864...36868, 36880...36882, 37121...37122,
    37377...37396, 37510...37522, 37888...37893, titles, 40960...40964, 41483...41495,
    41728...41730, 41985...41996, 42016...42040, 42080...42082, 42240...42240, 59932...59933,
  ]
}
