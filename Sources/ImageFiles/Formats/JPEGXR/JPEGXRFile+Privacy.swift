// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXRFile {
  /// Removes locations from the metadata of all images.
  ///
  /// - Parameters:
  ///   - new: The metadata to edit.
  ///   - isRewritten: Becomes true if a location may be outside of them.
  /// - Returns: Notices about dropped and unread parts.
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  func removeLocation(
    _ new: inout Edited, _ isRewritten: inout Bool
  ) throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    let place = ImageError.Location(path: ["IFD \(selected)"])
    if let entry = directories.mainDirectory[.gpsDirectory],
      try directories.firstSubdirectory(entry) == nil
    {
      throw ImageError(.exifLocationUnreadable, at: place).unreadableLocation
    }
    if let exif = new.metadata.exif {
      new.metadata.exif = try PrivateBlock.withoutLocation(exif: exif, &findings)
    }
    if let xmp = new.metadata.xmp {
      new.metadata.xmp = try PrivateBlock.withoutLocation(xmp: xmp, &findings)
    }
    if let bytes = new.metadata.photoshop {
      if var resources = try ifReadable(try PhotoshopResources(parsing: bytes)) {
        try resources.removeLocation(&findings)
        new.metadata.photoshop = resources.bytes
      } else if try !findings.keeps("Photoshop resources", bytes) {
        new.metadata.photoshop = nil
      }
    }
    if let bytes = new.metadata.iptc {
      var resources = PhotoshopResources(iptc: bytes)
      try resources.removeLocation(&findings)
      new.metadata.iptc = resources.iptc
    }
    for entry in directories.mainDirectory.entries {
      let bytes = try ifReadable(try directories.bytes(of: entry)) ?? []
      if entry.tag == .padding {
        // It is left out of each new directory.
        if bytes.contains(where: { $0 != 0 }) { isRewritten = true }
      } else if let count = Self.fieldSizes[entry.tag] {
        if entry.count > count { new.trimsFields = true }
      } else if !Self.isRead(entry.tag), try !findings.keeps(entry.tag.title, bytes) {
        new.removed?.insert(entry.tag)
      }
    }
    if try !otherDirectories.isEmpty {
      isRewritten = true
      findings.drop("other directories")
    }
    for (index, directory) in directories.directories.enumerated() where index != selected {
      guard directory.entries.contains(where: { !Self.isNeeded($0.tag) }) else { continue }
      new.keepsOthers = false
      findings.drop("metadata of IFD \(index)")
    }
    if !isRewritten, try hasUnreferencedData {
      isRewritten = true
      findings.drop("data outside of the directories")
    }
    return findings.all
  }

  /// Removes a part of the metadata from the selected image.
  ///
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    let old = try current(try image(selected))
    var (new, notices) = (old, [Notice]())
    if let exif = new.metadata.exif {
      new.metadata.exif = try part.removed(fromExif: exif, &notices)
    }
    new.metadata.xmp = try new.metadata.xmp.map { bytes throws(ImageError) in
      try part.removed(fromXMP: bytes)
    }
    if let bytes = new.metadata.photoshop {
      let rest = try part.removed(fromResources: bytes, &notices)
      new.metadata.photoshop = rest.isEmpty ? nil : rest
    }
    if part == .iptc { new.metadata.iptc = nil }
    guard new != old else { return notices }
    let isFirst = edited == nil
    edited = new
    let parts = isFirst ? try partsNotKept() : []
    return notices
      + (parts.isEmpty ? [] : [Notice(.dropped, "not kept: {items item}", ["items": parts])])
  }

  /// Names of data that an edited file does not contain.
  func partsNotKept() throws(ImageError) -> [String] {
    var names: [String] = []
    for (index, directory) in directories.directories.enumerated() {
      if index != selected, try ifReadable(try image(index)) == nil { names.append("IFD \(index)") }
      var known: Set<TIFFTag> = []
      for entry in directory.entries
      where !known.insert(entry.tag).inserted || (entry.type?.rawValue ?? 13) > 12
        || entry.tag == .subdirectories || entry.tag == .jpegOffset || entry.tag == .stripOffsets
      {
        names.append(entry.tag.jpegXRName ?? entry.tag.title)
      }
    }
    if try !otherDirectories.isEmpty { names.append("directories inside of Exif") }
    if try hasUnreferencedData { names.append("data outside of the directories") }
    return names
  }

  /// Whether a decoder needs an entry to show the image.
  static func isNeeded(_ tag: TIFFTag) -> Bool { fieldSizes[tag] != nil || tag == .iccProfile }

  /// Numbers of values of the entries that decoders need.
  ///
  /// Source: T.832, table A.4.
  static let fieldSizes: [TIFFTag: Int] = [
    .pixelFormat: 16, .transformation: 1, .imageType: 1, .ptmColorInfo: 4, .jpegXRWidth: 1,
    .jpegXRHeight: 1, .widthResolution: 1, .heightResolution: 1, .imageOffset: 1,
    .imageByteCount: 1, .alphaOffset: 1, .alphaByteCount: 1, .imageBands: 1, .alphaBands: 1,
  ]

  /// Whether an entry is needed, is part of `JPEGXRMetadata`, or is empty.
  static func isRead(_ tag: TIFFTag) -> Bool {
    isNeeded(tag) || NewTIFFDirectory.isDescriptive(tag)
      || [.exifDirectory, .gpsDirectory, .xmp, .photoshop, .iptc, .padding].contains(tag)
  }

  /// Directories that edits do not write: of thumbnails, and those that Exif and GPS directories refer to.
  private var otherDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      var known = Set(directories.directories.map(\.offset))
      func add(_ entry: TIFFEntry?) throws(ImageError) -> TIFFDirectory? {
        guard let entry, let directory = try directories.firstSubdirectory(entry) else {
          return nil
        }
        known.insert(directory.offset)
        return directory
      }
      for directory in directories.directories {
        let exposure = try add(directory[.exifDirectory])
        _ = try add(exposure?[.interoperabilityDirectory])
        _ = try add(directory[.gpsDirectory])
      }
      return try allDirectories.filter { !known.contains($0.offset) }
    }
  }

  /// Whether bytes that are not zero are in no directory, value or codestream.
  private var hasUnreferencedData: Bool {
    get throws(ImageError) {
      var used = try structures.ranges
      for index in directories.directories.indices {
        guard let image = try ifReadable(try image(index)) else { continue }
        used += [image.codestream] + (image.alpha.map { [$0] } ?? [])
      }
      // Zeros align what follows.
      for gap in SortedRanges(joining: used).removed(from: 0..<directories.source.count)
      where try directories.source.bytes(in: gap).contains(where: { $0 != 0 }) {
        return true
      }
      return false
    }
  }
}
