// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Location data of Exif.
extension ExifBlock {
  /// Whether the block contains a location: in the GPS directory, in the metadata of a thumbnail, in
  /// XMP or IPTC, or in a maker note that is read.
  public var hasLocation: Bool {
    knownDirectories.contains { directory in
      directory.entries.contains { entry in
        switch entry.tag {
        case .gpsDirectory:
          // Tag 0 is a version.
          structure.subdirectories(entry).contains { $0.entries.contains { $0.tag.rawValue != 0 } }
        case .xmp, .iptc, .photoshop: hasLocation(entry)
        case .makerNote: !placesOfMakerNote(entry).isEmpty
        default: false
        }
      }
    } || thumbnailHasLocation
  }

  /// Parts that may contain a location and are not read.
  package var unreadParts: [String] {
    knownDirectories.lazy.flatMap(\.entries).filter { $0.tag == .makerNote && !isReadNote($0) }.map
    {
      "maker note (\($0.values.count) bytes)"
    }
  }

  /// Removes all locations.
  ///
  /// The bytes are set to zero; other data keep their offsets.
  ///
  /// - Returns: Whether the block contained a location.
  /// - Throws: `.malformed` if the location cannot be parsed or shares bytes with other metadata.
  public mutating func removeLocation() throws(ImageError) -> Bool {
    // Each step parses the edited block.
    let steps = [
      try removeGPS(), try removeEmbeddedLocations(), try removePlacesOfMakerNotes(),
      try removeMetadataOfThumbnail(),
    ]
    return steps.contains(true)
  }

  private mutating func removeGPS() throws(ImageError) -> Bool {
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
    for range in erased.map({ $0.clamped(to: 0..<bytes.count) }) where !range.isEmpty {
      guard kept.removed(from: range) == [range] else {
        throw ImageError(.exifLocationShared, at: Self.gpsPlace)
      }
      for index in range { edited[index] = 0 }
    }
  }

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

  /// Ranges of all metadata except those of a tag.
  private func keptRanges(except tag: TIFFTag) throws(ImageError) -> [Range<Int>] {
    [0..<8]
      + knownDirectories.flatMap { directory in
        [tableRange(of: directory)] + directory.entries.filter { $0.tag != tag }.map(\.values)
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
    for entry in rest { writer.write(edited[entry.offset..<entry.offset + 12]) }
    writer.write(edited[(directory.offset + 2 + 12 * directory.entries.count)..<table.upperBound])
    writer.write([UInt8](repeating: 0, count: max(table.count - writer.count, 0)))
    edited.replaceSubrange(table, with: writer.bytes)
  }

  /// Removes entries with a tag from all directories, with their values.
  ///
  /// - Throws: `.malformed` if the values share bytes with other metadata.
  package mutating func removeEntries(_ tag: TIFFTag) throws(ImageError) {
    let owners = knownDirectories.filter { $0[tag] != nil }
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
  private func hasLocation(_ entry: TIFFEntry) -> Bool {
    guard let value = try? structure.bytes(of: entry) else { return false }
    guard entry.tag == .xmp else {
      let resources =
        entry.tag == .iptc
        ? PhotoshopResources(iptc: value) : try? PhotoshopResources(parsing: value)
      return resources?.hasLocation ?? LocationEvidence.isPresent(in: value)
    }
    return (try? XMPPacket(parsing: value))?.hasLocation ?? LocationEvidence.isPresent(in: value)
  }

  /// Edits XMP in place; removes IPTC and resources with a location.
  private mutating func removeEmbeddedLocations() throws(ImageError) -> Bool {
    var isFound = false
    for tag in [TIFFTag.xmp, .iptc, .photoshop] {
      for entry in knownDirectories.flatMap(\.entries) where entry.tag == tag && hasLocation(entry)
      {
        isFound = true
        guard tag == .xmp, let value = try? structure.bytes(of: entry),
          var packet = try? XMPPacket(parsing: value), try packet.removeLocation(),
          packet.bytes.count <= value.count
        else {
          try removeEntries(tag)
          break
        }
        let padding = [UInt8](repeating: 0x20, count: value.count - packet.bytes.count)
        try replace(entry.values, with: packet.bytes + padding)
      }
    }
    return isFound
  }

  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) throws(ImageError) {
    var edited = bytes
    edited.replaceSubrange(range, with: new)
    self = try ExifBlock(parsing: edited)
  }
}

/// Places in maker notes.
extension ExifBlock {
  /// Makers whose notes are read, with the tags of places in their directories.
  ///
  /// Source: ExifTool, Panasonic.pm and Nikon.pm, as documentation of the formats.
  private static let notes:
    [(signature: [UInt8], directory: Int, isOwnStructure: Bool, places: Set<UInt16>)] = [
      // Location, Country, State, City, Landmark, City2; offsets from the TIFF header.
      (Array("Panasonic\0\0\0".utf8), 12, false, [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
      (Array("LEICA\0\0\0".utf8), 8, false, [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
      // LocationInfo; a TIFF header follows the version.
      (Array("Nikon\0\u{2}".utf8), 10, true, [0x39]),
      // Apple maker notes do not name places.
      (Array("Apple iOS\0".utf8), 0, false, []),
    ]

  private func maker(
    of note: [UInt8]
  ) -> (signature: [UInt8], directory: Int, isOwnStructure: Bool, places: Set<UInt16>)? {
    Self.notes.first { note.starts(with: $0.signature) }
  }

  private func isReadNote(_ entry: TIFFEntry) -> Bool {
    guard let note = try? structure.bytes(of: entry) else { return false }
    return maker(of: note) != nil
  }

  /// Ranges of place names in a maker note, in the block.
  private func placesOfMakerNote(_ entry: TIFFEntry) -> [Range<Int>] {
    guard let note = try? structure.bytes(of: entry), let maker = maker(of: note),
      !maker.places.isEmpty
    else { return [] }
    let start = entry.values.lowerBound
    let file: TIFFFile?
    var base = 0
    if maker.isOwnStructure {
      base = start + maker.directory
      file = try? TIFFFile(parsing: ByteSource(Array(note.dropFirst(maker.directory))))
    } else {
      file = try? TIFFFile(
        parsing: structure.source, byteOrder: structure.byteOrder,
        firstDirectoryAt: start + maker.directory)
    }
    let entries = (file?.directories ?? []).flatMap(\.entries)
    return entries.filter { maker.places.contains($0.tag.rawValue) }.map {
      (base + $0.values.lowerBound..<base + $0.values.upperBound).clamped(to: 0..<bytes.count)
    }.filter { range in bytes[range].contains { $0 != 0 } }
  }

  /// Sets place names to zero.
  private mutating func removePlacesOfMakerNotes() throws(ImageError) -> Bool {
    let places = knownDirectories.flatMap(\.entries).filter { $0.tag == .makerNote }
      .flatMap(placesOfMakerNote)
    guard !places.isEmpty else { return false }
    var edited = bytes
    for range in places { for index in range { edited[index] = 0 } }
    self = try ExifBlock(parsing: edited)
    return true
  }
}

/// Metadata inside the thumbnail.
extension ExifBlock {
  private var thumbnailHasLocation: Bool {
    guard let thumbnail, let image = try? JPEGImage(parsing: ByteSource(thumbnail)) else {
      return false
    }
    return image.segments.contains { $0.isPrivate && LocationEvidence.isPresent(in: $0.payload) }
  }

  /// Removes metadata from the thumbnail, or the thumbnail itself if they cannot be separated.
  ///
  /// - Returns: Whether there were any.
  private mutating func removeMetadataOfThumbnail() throws(ImageError) -> Bool {
    guard let range = thumbnailRange, let thumbnail else { return false }
    guard let image = try? JPEGImage(parsing: ByteSource(thumbnail)) else {
      guard LocationEvidence.isPresent(in: thumbnail) else { return false }
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
