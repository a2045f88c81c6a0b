// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Location data of Exif.
extension ExifBlock {
  /// Whether the block contains a location: in the GPS directory, in the metadata of a thumbnail, in
  /// XMP or IPTC, in a maker note that is read, or as signs in other values.
  ///
  /// - Throws: Errors that end the whole job, such as `.limitExceeded` for the work.
  package var hasLocation: Bool {
    get throws(ImageError) {
      if try hasPosition { return true }
      for entry in try distinctEntries([.xmp, .iptc, .photoshop, .makerNote]) {
        let isFound =
          entry.tag == .makerNote
          ? try !placesOfMakerNote(entry).isEmpty : try embeddedHasLocation(entry)
        if isFound { return true }
      }
      if try thumbnailHasLocation { return true }
      return try hasEvidence
    }
  }

  /// Whether a GPS directory contains more than its version.
  var hasPosition: Bool {
    get throws(ImageError) {
      for entry in try distinctEntries([.gpsDirectory]) {
        // Tag 0 is a version.
        let isFound = try structure.subdirectories(entry).contains { directory in
          directory.entries.contains { $0.tag.rawValue != 0 }
        }
        if isFound { return true }
      }
      return false
    }
  }

  /// Parts that may contain a location and are not read.
  package var unreadParts: [String] {
    get throws(ImageError) {
      var parts: [String] = []
      for entry in try distinctEntries([.makerNote]) where try !isReadNote(entry) {
        parts.append("maker note (\(entry.values.count) bytes)")
      }
      for entry in try distinctEntries([.xmp]) {
        if let value = try value(of: entry) {
          parts += try ifReadable(try XMPPacket(parsing: value).unreadParts) ?? []
        }
      }
      return parts + (try unreadValues)
    }
  }

  /// Entries with these tags, one for each value: many may share one, which is read once.
  func distinctEntries(_ tags: Set<TIFFTag>) throws(ImageError) -> [TIFFEntry] {
    try distinctEntries(where: tags.contains)
  }

  func distinctEntries(where isMeant: (TIFFTag) -> Bool) throws(ImageError) -> [TIFFEntry] {
    struct Value: Hashable {
      let tag: TIFFTag
      let range: Range<Int>
    }
    var known: Set<Value> = []
    return try knownDirectories.flatMap(\.entries).filter { entry in
      isMeant(entry.tag) && known.insert(Value(tag: entry.tag, range: entry.values)).inserted
    }
  }

  /// The bytes of an entry's values, whose copy and search is debited; `nil` if they cannot be read.
  func value(of entry: TIFFEntry) throws(ImageError) -> [UInt8]? {
    guard entry.values.upperBound <= bytes.count else { return nil }
    try Execution.current.budget.debit(steps: entry.values.count >> 6, for: "Exif values")
    return try ifReadable(try structure.bytes(of: entry))
  }

  /// Removes all locations.
  ///
  /// The bytes are set to zero; other data keep their offsets.
  ///
  /// - Returns: Whether the block contained a location.
  /// - Throws: `.malformed` if the location cannot be parsed or shares bytes with other metadata.
  package mutating func removeLocation() throws(ImageError) -> Bool {
    // Each step parses the edited block.
    let steps = [
      try removeGPS(), try removeEmbeddedLocations(), try removePlacesOfMakerNotes(),
      try removeMetadataOfThumbnail(), try removeEvidence(),
    ]
    return steps.contains(true)
  }

  private mutating func removeGPS() throws(ImageError) -> Bool {
    let owners = try knownDirectories.filter { $0[.gpsDirectory] != nil }
    guard !owners.isEmpty else { return false }
    var erased: [Range<Int>] = []
    for entry in try distinctEntries([.gpsDirectory]) {
      let directories = try structure.subdirectories(entry)
      guard try ifReadable(try structure.unsigned(entry).count) == directories.count else {
        throw ImageError(.exifLocationUnreadable, at: Self.gpsPlace)
      }
      for directory in try structure.reachable(from: directories, by: [.gpsDirectory]) {
        erased += ranges(of: directory)
      }
    }
    var edited = bytes
    try erase(erased, in: &edited, except: .gpsDirectory)
    for owner in owners { remove(.gpsDirectory, from: owner, in: &edited) }
    self = try ExifBlock(parsing: edited)
    return true
  }

  private static let gpsPlace = ImageError.Location(path: ["Exif", "GPS"])

  /// Sets ranges to zero that no other metadata use.
  private func erase(
    _ erased: [Range<Int>], in edited: inout [UInt8], except tag: TIFFTag
  ) throws(ImageError) {
    let kept = SortedRanges(joining: try keptRanges(except: tag))
    let distinct = SortedRanges(joining: erased.map { $0.clamped(to: 0..<bytes.count) })
    for range in distinct.ranges {
      guard kept.removed(from: range) == [range] else {
        throw ImageError(.exifLocationShared, at: Self.gpsPlace)
      }
      for index in range { edited[index] = 0 }
    }
  }

  /// Directories of the chain, and those that they refer to, except GPS directories.
  var knownDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      try structure.reachable(from: structure.directories, by: Self.directoryTags)
    }
  }

  /// Ranges of all metadata except those of a tag.
  private func keptRanges(except tag: TIFFTag) throws(ImageError) -> [Range<Int>] {
    var ranges = [0..<8]
    let directories = try knownDirectories
    for directory in directories {
      ranges.append(tableRange(of: directory))
      ranges += directory.entries.filter { $0.tag != tag }.map(\.values)
    }
    return ranges.filter { $0.upperBound <= bytes.count }
  }

  /// Ranges of a directory, its link, and its values outside the directory.
  private func ranges(of directory: TIFFDirectory) -> [Range<Int>] {
    let table = tableRange(of: directory)
    return [table] + directory.entries.map(\.values).filter { $0.clamped(to: table) != $0 }
  }

  func tableRange(of directory: TIFFDirectory) -> Range<Int> {
    directory.offset..<min(directory.offset + 2 + 12 * directory.entries.count + 4, bytes.count)
  }

  /// Removes an entry from a directory; subsequent entries and the link move up.
  private func remove(_ tag: TIFFTag, from directory: TIFFDirectory, in edited: inout [UInt8]) {
    let rest = directory.entries.filter { $0.tag != tag }
    let table = tableRange(of: directory)
    var writer = ByteWriter()
    writer.write(encoded(UInt16(clamping: rest.count)))
    for entry in rest { writer.write(edited[entry.offset..<entry.offset + 12]) }
    writer.write(edited[(directory.offset + 2 + 12 * directory.entries.count)..<table.upperBound])
    writer.write([UInt8](repeating: 0, count: max(table.count - writer.count, 0)))
    edited.replaceSubrange(table, with: writer.bytes)
  }

  /// Removes entries with a tag from all directories, with their values.
  ///
  /// - Throws: `.malformed` if the values share bytes with other metadata.
  package mutating func removeEntries(_ tag: TIFFTag) throws(ImageError) {
    let owners = try knownDirectories.filter { $0[tag] != nil }
    guard !owners.isEmpty else { return }
    var edited = bytes
    let values = owners.flatMap { owner in
      let table = tableRange(of: owner)
      return owner.entries.filter { $0.tag == tag }.map(\.values).filter {
        $0.clamped(to: table) != $0
      }
    }
    try erase(values, in: &edited, except: tag)
    for owner in owners { remove(tag, from: owner, in: &edited) }
    self = try ExifBlock(parsing: edited)
  }
}

/// XMP, IPTC and Photoshop resources in directories, as in TIFF.
extension ExifBlock {
  private func embeddedHasLocation(_ entry: TIFFEntry) throws(ImageError) -> Bool {
    guard let value = try value(of: entry) else { return false }
    let isFound: Bool? =
      switch entry.tag {
      case .xmp: try ifReadable(try XMPPacket(parsing: value).hasLocation)
      case .iptc: try PhotoshopResources(iptc: value).hasLocation
      default: try ifReadable(try PhotoshopResources(parsing: value).hasLocation)
      }
    if let isFound { return isFound }
    return try LocationEvidence.isPresent(in: value)
  }

  /// Edits XMP in place; removes IPTC and resources with a location.
  private mutating func removeEmbeddedLocations() throws(ImageError) -> Bool {
    var isFound = false
    for tag in [TIFFTag.xmp, .iptc, .photoshop] {
      var values: [Range<Int>] = []
      for entry in try distinctEntries([tag]) where try embeddedHasLocation(entry) {
        values.append(entry.values)
      }
      guard !values.isEmpty else { continue }
      isFound = true
      let isEdited = tag == .xmp ? try removeLocations(fromXMP: values) : false
      if !isEdited { try removeEntries(tag) }
    }
    return isFound
  }

  /// Edits packets in place.
  ///
  /// - Returns: Whether all were edited; otherwise, the block is unchanged.
  private mutating func removeLocations(fromXMP ranges: [Range<Int>]) throws(ImageError) -> Bool {
    var edited = bytes
    for range in ranges {
      guard var packet = try ifReadable(try XMPPacket(parsing: Array(edited[range]))),
        try packet.removeLocation(), packet.bytes.count <= range.count
      else { return false }
      let padding = [UInt8](repeating: 0x20, count: range.count - packet.bytes.count)
      edited.replaceSubrange(range, with: packet.bytes + padding)
    }
    self = try ExifBlock(parsing: edited)
    return true
  }
}

/// Places in maker notes.
extension ExifBlock {
  private struct NoteFormat: Sendable {
    /// Start of the offsets in a note.
    enum Origin: Sendable {
      case block
      case note
      /// A TIFF header in the note.
      case header
    }

    let signature: String
    /// Offset of the directory or of the TIFF header in the note.
    let start: Int
    let origin: Origin
    /// Tags of places.
    let places: Set<UInt16>
    /// Tags whose values are known not to name places.
    var others: Range<UInt16> = 0..<0
  }

  /// Makers whose notes are read.
  ///
  /// Source: ExifTool, Panasonic.pm, Nikon.pm and Apple.pm, as documentation of the formats.
  private static let notes: [NoteFormat] = [
    // Location, Country, State, City, Landmark, City2.
    NoteFormat(
      signature: "Panasonic\0\0\0", start: 12, origin: .block,
      places: [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
    NoteFormat(
      signature: "LEICA\0\0\0", start: 8, origin: .block,
      places: [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
    // LocationInfo.
    NoteFormat(signature: "Nikon\0\u{2}", start: 10, origin: .header, places: [0x39]),
    NoteFormat(
      signature: "Apple iOS\0\0\u{1}MM", start: 14, origin: .note, places: [], others: 1..<0x80),
  ]

  /// The directories of a note of a known maker; `base` is the offset of its values in the block.
  private func directories(
    ofNote entry: TIFFEntry
  ) throws(ImageError) -> (format: NoteFormat, directories: [TIFFDirectory], base: Int)? {
    guard let note = try value(of: entry),
      let format = Self.notes.first(where: { note.starts(with: $0.signature.utf8) })
    else { return nil }
    let start = entry.values.lowerBound
    let file: TIFFFile?
    var base = 0
    switch format.origin {
    case .block:
      file = try ifReadable(
        try TIFFFile(
          parsing: structure.source, byteOrder: structure.byteOrder,
          firstDirectoryAt: start + format.start))
    case .note:
      base = start
      file = try ifReadable(
        try TIFFFile(
          parsing: ByteSource(note), byteOrder: .bigEndian, firstDirectoryAt: format.start))
    case .header:
      base = start + format.start
      file = try ifReadable(try TIFFFile(parsing: ByteSource(Array(note.dropFirst(format.start)))))
    }
    return file.map { (format, $0.directories, base) }
  }

  /// Whether all bytes of a note are in values of known tags, or too short for a place.
  private func isReadNote(_ entry: TIFFEntry) throws(ImageError) -> Bool {
    guard let (format, directories, base) = try directories(ofNote: entry) else { return false }
    let start = entry.values.lowerBound
    var read = [start..<start + format.start + (format.origin == .header ? 8 : 0)]
    for directory in directories {
      let table = tableRange(of: directory)
      read.append(shifted(table, by: base))
      for entry in directory.entries {
        let tag = entry.tag.rawValue
        guard entry.values.count <= 4 || format.places.contains(tag) || format.others.contains(tag)
        else { return false }
        read.append(shifted(entry.values, by: base))
      }
    }
    return SortedRanges(joining: read).removed(from: entry.values).allSatisfy { range in
      bytes[range].allSatisfy { $0 == 0 }
    }
  }

  /// Ranges of place names in a maker note, in the block.
  private func placesOfMakerNote(_ entry: TIFFEntry) throws(ImageError) -> [Range<Int>] {
    guard let (format, directories, base) = try directories(ofNote: entry) else { return [] }
    let places = directories.flatMap(\.entries).filter {
      format.places.contains($0.tag.rawValue)
    }.map { shifted($0.values, by: base) }
    return SortedRanges(joining: places).ranges.filter { range in
      bytes[range].contains { $0 != 0 }
    }
  }

  /// A range of a note as a range of the block.
  private func shifted(_ range: Range<Int>, by base: Int) -> Range<Int> {
    let range = range.clamped(to: bytes.indices)
    return (base + range.lowerBound..<base + range.upperBound).clamped(to: bytes.indices)
  }

  /// Sets place names to zero, except bytes of other metadata, which a note with wrong offsets refers to.
  private mutating func removePlacesOfMakerNotes() throws(ImageError) -> Bool {
    var places: [Range<Int>] = []
    for entry in try distinctEntries([.makerNote]) { places += try placesOfMakerNote(entry) }
    let kept = SortedRanges(joining: try keptRanges(except: .makerNote))
    places = places.flatMap(kept.removed(from:)).filter { bytes[$0].contains { $0 != 0 } }
    guard !places.isEmpty else { return false }
    var edited = bytes
    for range in places {
      for index in range { edited[index] = 0 }
    }
    self = try ExifBlock(parsing: edited)
    return true
  }
}

/// Metadata inside the thumbnail.
extension ExifBlock {
  private var thumbnailHasLocation: Bool {
    get throws(ImageError) {
      guard let thumbnail,
        let image = try ifReadable(try JPEGImage(parsing: ByteSource(thumbnail)))
      else { return false }
      for segment in image.segments where segment.isPrivate {
        if try LocationEvidence.isPresent(in: segment.payload) { return true }
      }
      return false
    }
  }

  /// Removes metadata from the thumbnail, or the thumbnail itself if they cannot be separated.
  ///
  /// - Returns: Whether there were any.
  private mutating func removeMetadataOfThumbnail() throws(ImageError) -> Bool {
    guard let range = thumbnailRange, let thumbnail else { return false }
    guard let image = try ifReadable(try JPEGImage(parsing: ByteSource(thumbnail))) else {
      guard try LocationEvidence.isPresent(in: thumbnail) else { return false }
      guard try removeThumbnail() else {
        throw ImageError(.exifLocationShared, at: .init(path: ["Exif", "thumbnail"]))
      }
      return true
    }
    let isLonger = (image.stored?.upperBound ?? 0) < thumbnail.count
    guard isLonger || image.segments.contains(where: \.isPrivate) else { return false }
    var edited = image
    edited.removePrivateSegments()
    let new = try edited.serialized().allBytes()
    let kept = SortedRanges(joining: try keptRanges(except: .jpegOffset))
    guard new.count <= range.count, kept.removed(from: range) == [range] else {
      throw ImageError(.exifLocationShared, at: .init(path: ["Exif", "thumbnail"]))
    }
    var block = bytes
    let zeros = [UInt8](repeating: 0, count: range.count - new.count)
    block.replaceSubrange(range, with: new + zeros)
    if let entry = structure.directories[1][.jpegByteCount] {
      let count =
        entry.type == .short ? encoded(UInt16(clamping: new.count)) : encoded(UInt32(new.count))
      block.replaceSubrange(
        entry.values.lowerBound..<entry.values.lowerBound + count.count, with: count)
    }
    self = try ExifBlock(parsing: block)
    return true
  }
}
