// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXRFile: EditableContainer {
  /// The metadata of an edited file.
  struct Edited: Hashable, Sendable {
    /// Metadata of the image that is read.
    var metadata: JPEGXRMetadata
    /// Other entries of its directory that are removed; `nil` for all that decoders do not need.
    var removed: Set<TIFFTag>? = []
    /// Whether other images keep their metadata.
    var keepsOthers = true
    /// Whether the resolution is that of new Exif, not that of the container.
    var replacesResolution = false
    /// Whether entries that decoders need are limited to the size of their fields.
    var trimsFields = false
    /// Whether the file is written without other directories and the bytes that nothing refers to.
    var dropsGaps = false
  }

  var asContainer: FileContainer { .jpegXR(self) }

  /// Changes metadata of the image that is read.
  ///
  /// If locations or personal data are removed, other images keep only what decoders need.
  ///
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.invalidArgument` for metadata that the container cannot store, `.malformed` for
  ///   metadata that cannot be edited.
  mutating func apply(_ edit: MetadataEdit) throws(ImageError) -> [Notice] {
    guard edit.item == nil || edit.item == 0 else { throw .hasNoItems(.jpegXR) }
    let image = try image(selected)
    try edit.requireFields(in: .jpegXR)
    try edit.checkNewMetadata(components: image.pixelFormat.isGray ? 1 : 3)
    var new = try current(image)
    var notices: [Notice] = []
    if edit.dropsPersonal {
      new = Edited(
        metadata: JPEGXRMetadata(
          profile: new.metadata.profile, orientation: new.metadata.orientation),
        removed: nil, keepsOthers: false, trimsFields: true, dropsGaps: true)
    }
    if let profile = edit.profile.newValue, directories.mainDirectory[.ptmColorInfo] != nil {
      new.removed?.insert(.ptmColorInfo)
      new.metadata.profile = profile
      notices.append(Notice(.jpegXRColorInfoDropped, at: .init(path: ["PTM_COLOR_INFO"])))
    }
    new.metadata.profile = edit.profile.applied(to: new.metadata.profile)
    if edit.correctsStructure {
      new.metadata.profile = new.metadata.profile.map { ICCProfile.correctingIdentifier(of: $0) }
    }
    if edit.exif != .keep {
      new.metadata.exif = edit.exif.newValue.map { ExifBlock.withoutPrefix($0) }
      new.replacesResolution = true
      // Directories that cannot be read are not part of the block.
      new.dropsGaps = true
    }
    if edit.xmp != .keep {
      new.metadata.xmp = try XMPPacket.replacing(
        new.metadata.xmp, with: edit.xmp.newValue, notices: &notices)
    }
    if edit.orientation != .keep {
      let orientation = edit.orientation.newValue ?? .upright
      new.metadata.orientation = orientation
      if let bytes = new.metadata.xmp, var xmp = try ifReadable(try XMPPacket(parsing: bytes)),
        try xmp.updateOrientation(orientation)
      {
        new.metadata.xmp = xmp.bytes
      }
      // The orientation of T.832 is the one that is edited.
      new.removed?.insert(.orientation)
    }
    if edit.dropsLocation, !edit.dropsPersonal { notices += try removeLocation(&new) }
    guard try new != current(image) else { return notices }
    edited = new
    let parts = try partsNotKept()
    if !parts.isEmpty, !edit.dropsLocation, !edit.dropsPersonal {
      notices.append(Notice(.jpegXRPartsNotKept, ["items": parts]))
    }
    return notices
  }

  /// Names of data that an edited file does not contain.
  private func partsNotKept() throws(ImageError) -> [String] {
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
    if try !otherDirectories().isEmpty { names.append("directories inside of Exif") }
    if try hasUnreferencedData() { names.append("data outside of the directories") }
    return names
  }

  /// The metadata with the edits that were made.
  private func current(_ image: JPEGXRImage) throws(ImageError) -> Edited {
    if let edited { return edited }
    let file = directories
    return Edited(
      metadata: JPEGXRMetadata(
        exif: try exif(image), xmp: try ifReadable(try file.wholeValue(of: .xmp)) ?? nil,
        profile: try ifReadable(try file.wholeValue(of: .iccProfile)) ?? nil,
        photoshop: try ifReadable(try file.wholeValue(of: .photoshop)) ?? nil,
        iptc: try ifReadable(try file.wholeValue(of: .iptc)) ?? nil,
        orientation: image.orientation ?? .upright))
  }

  // MARK: Locations

  private func removeLocation(_ new: inout Edited) throws(ImageError) -> [Notice] {
    var findings = PrivacyFindings()
    let place = ImageError.Location(path: ["IFD \(selected)"])
    if let entry = directories.mainDirectory[.gpsDirectory],
      directories.firstSubdirectory(entry) == nil
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
        if bytes.contains(where: { $0 != 0 }) { new.dropsGaps = true }
      } else if let count = Self.fieldSizes[entry.tag] {
        if entry.count > count { new.trimsFields = true }
      } else if !Self.isRead(entry.tag), try !findings.keeps(entry.tag.title, bytes) {
        new.removed?.insert(entry.tag)
      }
    }
    if try !otherDirectories().isEmpty {
      new.dropsGaps = true
      findings.drop("other directories")
    }
    for (index, directory) in directories.directories.enumerated() where index != selected {
      guard directory.entries.contains(where: { !Self.isNeeded($0.tag) }) else { continue }
      new.keepsOthers = false
      findings.drop("metadata of IFD \(index)")
    }
    if !new.dropsGaps, try hasUnreferencedData() {
      new.dropsGaps = true
      findings.drop("data outside of the directories")
    }
    return findings.all
  }

  // MARK: Entries

  /// Whether a decoder needs an entry to show the image.
  private static func isNeeded(_ tag: TIFFTag) -> Bool {
    fieldSizes[tag] != nil || tag == .iccProfile
  }

  /// Numbers of values of the entries that decoders need.
  ///
  /// Source: T.832, table A.4.
  private static let fieldSizes: [TIFFTag: Int] = [
    .pixelFormat: 16, .transformation: 1, .imageType: 1, .ptmColorInfo: 4, .jpegXRWidth: 1,
    .jpegXRHeight: 1, .widthResolution: 1, .heightResolution: 1, .imageOffset: 1,
    .imageByteCount: 1, .alphaOffset: 1, .alphaByteCount: 1, .imageBands: 1, .alphaBands: 1,
  ]

  /// Whether an entry is needed, is part of `JPEGXRMetadata`, or is empty.
  private static func isRead(_ tag: TIFFTag) -> Bool {
    isNeeded(tag) || NewTIFFDirectory.isDescriptive(tag)
      || [.exifDirectory, .gpsDirectory, .xmp, .photoshop, .iptc, .padding].contains(tag)
  }

  /// The directory of an image as it is written, without the places of codestreams.
  private func directory(
    _ index: Int, _ edited: Edited, budget: inout Int
  ) throws(ImageError) -> NewTIFFDirectory {
    let isSelected = index == selected
    let keepsAll = isSelected ? edited.removed != nil : edited.keepsOthers
    var new = try NewTIFFDirectory.part(
      of: directories, directories.directories[index], budget: &budget
    ) { tag in
      if isSelected {
        if tag == .iccProfile || edited.removed?.contains(tag) == true { return false }
        if Self.isRead(tag) { return Self.isNeeded(tag) }
      }
      return keepsAll || Self.isNeeded(tag)
    }
    if !keepsAll || edited.trimsFields {
      for (tag, count) in Self.fieldSizes { new.truncate(tag, to: count) }
    }
    guard isSelected else { return new }
    let resolution =
      edited.replacesResolution ? nil : new.entries(of: [.widthResolution, .heightResolution])
    try new.add(edited.metadata)
    if let resolution { new.merge(resolution) }
    return new
  }

  // MARK: Writing

  func rewritten() throws(ImageError) -> SplicedBytes {
    var bytes = SplicedBytes(source: directories.source)
    guard let edited else {
      bytes.append(0..<directories.source.count)
      return bytes
    }
    var budget = NewTIFFDirectory.mostBytes
    var images: [NewJPEGXRFile.NewImage] = []
    var payloads: [Range<Int>] = []
    var places: [Range<Int>: Int] = [:]
    var count = 0
    // Images may share a codestream.
    func place(of range: Range<Int>) throws(ImageError) -> Range<Int> {
      guard range.upperBound <= directories.source.count else {
        throw ImageError(
          .jpegXRDataTruncated, ["end": range.upperBound, "size": directories.source.count],
          at: .init(path: ["codestream"], offset: range.lowerBound))
      }
      let start = places[range] ?? count
      if places.updateValue(start, forKey: range) == nil {
        payloads.append(range)
        count += range.count
      }
      return start..<start + range.count
    }
    let starts = try starts()
    for index in directories.directories.indices {
      guard let image = try index == selected ? image(index) : ifReadable(try image(index)) else {
        continue
      }
      let (color, alpha) = codestreams(of: image, starts)
      try check(color, starts)
      if let alpha { try check(alpha, starts) }
      images.append(
        .init(
          directory: try directory(index, edited, budget: &budget), color: try place(of: color),
          alpha: try alpha.map { (range) throws(ImageError) in try place(of: range) }))
    }
    bytes.append(try NewJPEGXRFile.head(of: images, codestreams: count))
    for range in payloads { bytes.append(range) }
    return bytes
  }

  /// Throws an error for a codestream with other data inside it.
  private func check(_ range: Range<Int>, _ starts: [Int]) throws(ImageError) {
    guard let next = starts.firstIndexAbove(range.lowerBound), starts[next] < range.upperBound
    else {
      return
    }
    throw ImageError(
      .jpegXRDataOverlap, ["offset": starts[next]],
      at: .init(path: ["codestream"], offset: range.lowerBound))
  }

  /// The codestreams of an image; those without a size end where other data begin.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - starts: Offsets of all data, in ascending order.
  /// - Returns: The range of color, and that of alpha if it is separate.
  private func codestreams(
    of image: JPEGXRImage, _ starts: [Int]
  ) -> (color: Range<Int>, alpha: Range<Int>?) {
    func whole(_ range: Range<Int>) -> Range<Int> {
      guard !image.isSized || range.upperBound > directories.source.count,
        let next = starts.firstIndexAbove(range.lowerBound)
      else { return range }
      return range.lowerBound..<min(starts[next], range.upperBound)
    }
    return (whole(image.codestream), image.alpha.map { whole($0) })
  }

  /// Offsets of directories, values and codestreams, in ascending order.
  private func starts() throws(ImageError) -> [Int] {
    var starts = try structures().map(\.lowerBound)
    for index in directories.directories.indices {
      guard let image = try ifReadable(try image(index)) else { continue }
      starts += [image.codestream.lowerBound] + (image.alpha.map { [$0.lowerBound] } ?? [])
    }
    return starts.sorted()
  }

  private static let directoryTags: [TIFFTag] = [
    .exifDirectory, .gpsDirectory, .interoperabilityDirectory, .subdirectories,
  ]

  /// All directories, those of Exif, of locations and of thumbnails included.
  ///
  /// - Throws: `.limitExceeded` for too many entries.
  private func allDirectories() throws(ImageError) -> [TIFFDirectory] {
    var pending = directories.directories
    var all: [TIFFDirectory] = []
    var known = Set(pending.map(\.offset))
    while let directory = pending.popLast() {
      try Execution.current.budget.debit(
        elements: directory.entries.count, of: "directory entries",
        at: .init(offset: directory.offset))
      all.append(directory)
      for entry in directory.entries where Self.directoryTags.contains(entry.tag) {
        guard let nested = directories.firstSubdirectory(entry),
          known.insert(nested.offset).inserted
        else { continue }
        pending.append(nested)
      }
    }
    return all
  }

  /// Directories that Exif of the image that is read does not contain as edits write it: of thumbnails, and those that
  /// Exif and GPS directories refer to.
  private func otherDirectories() throws(ImageError) -> [TIFFDirectory] {
    var known = Set(directories.directories.map(\.offset))
    func add(_ entry: TIFFEntry?) -> TIFFDirectory? {
      guard let entry, let directory = directories.firstSubdirectory(entry) else { return nil }
      known.insert(directory.offset)
      return directory
    }
    for directory in directories.directories {
      let exposure = add(directory[.exifDirectory])
      _ = add(exposure?[.interoperabilityDirectory])
      _ = add(directory[.gpsDirectory])
    }
    return try allDirectories().filter { !known.contains($0.offset) }
  }

  /// Ranges of the directories and of their values inside the file.
  private func structures() throws(ImageError) -> [Range<Int>] {
    var ranges: [Range<Int>] = [0..<8]
    for directory in try allDirectories() {
      let size = 2 + 12 * directory.entries.count + 4
      ranges.append(directory.offset..<directory.offset + size)
      ranges += directory.entries.lazy.map(\.values).filter {
        $0.count > 4 && $0.upperBound <= directories.source.count
      }
    }
    return ranges
  }

  /// Whether bytes that are not zero are in no directory, value or codestream.
  private func hasUnreferencedData() throws(ImageError) -> Bool {
    var used = try structures()
    for index in directories.directories.indices {
      guard let image = try ifReadable(try image(index)) else { continue }
      used += [image.codestream] + (image.alpha.map { [$0] } ?? [])
    }
    var end = 0
    let size = directories.source.count
    for range in used.sorted(by: { $0.lowerBound < $1.lowerBound }) + [size..<size] {
      let gap = end..<max(end, min(range.lowerBound, size))
      // Zeros align what follows.
      if try directories.source.bytes(in: gap).contains(where: { $0 != 0 }) { return true }
      end = max(end, range.upperBound)
      if end >= size { return false }
    }
    return false
  }

  // MARK: Coded data

  func isEqual(to other: any EditableContainer) -> Bool {
    (other as? JPEGXRFile)?.edited == edited
  }

  func codedPayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    let origin = SourceBytes.Origin(directories.source)
    let starts = try starts()
    for index in directories.directories.indices {
      guard let image = try ifReadable(try image(index)) else { continue }
      let (color, alpha) = codestreams(of: image, starts)
      payloads.append(CodedPayload("\(image.name) codestream", [SourceBytes(origin, color)]))
      guard let alpha else { continue }
      payloads.append(CodedPayload("\(image.name) alpha", [SourceBytes(origin, alpha)]))
    }
    return payloads
  }

  func standaloneImage(_ item: UInt32) throws(ImageError) -> SplicedBytes {
    throw .hasNoItems(.jpegXR)
  }

  /// The metadata of the image that is read.
  ///
  /// - Throws: `.invalidArgument` for any item other than `nil` and 0.
  func summary(of item: UInt32?) throws(ImageError) -> MetadataSummary {
    guard item == nil || item == 0 else { throw .hasNoItems(.jpegXR) }
    let metadata = try current(try image(selected)).metadata
    var summary = try MetadataSummary(
      profile: metadata.profile, exif: metadata.exif, xmp: metadata.xmp,
      orientation: metadata.orientation)
    if let bytes = metadata.photoshop,
      let resources = try ifReadable(try PhotoshopResources(parsing: bytes)),
      try resources.hasLocation
    {
      summary.hasLocation = true
    }
    if let bytes = metadata.iptc, try PhotoshopResources(iptc: bytes).hasLocation {
      summary.hasLocation = true
    }
    guard edited == nil, !summary.hasLocation else { return summary }
    let main = directories.mainDirectory.offset
    for directory in try allDirectories()
    where directory.offset != main && directory[.gpsDirectory] != nil {
      summary.hasLocation = true
    }
    for (index, directory) in directories.directories.enumerated() where index != selected {
      guard let entry = directory[.xmp],
        let bytes = try ifReadable(try directories.bytes(of: entry)),
        try ifReadable(try XMPPacket(parsing: bytes).hasLocation) == true
      else { continue }
      summary.hasLocation = true
    }
    return summary
  }
}

extension PhotoshopResources {
  /// Removes locations, and notes the parts that are not read.
  fileprivate mutating func removeLocation(_ findings: inout PrivacyFindings) throws(ImageError) {
    try removeLocation()
    findings.keep(try unreadParts)
  }
}

extension [Int] {
  /// Index of the first of these ascending numbers above another one; `nil` for none.
  fileprivate func firstIndexAbove(_ number: Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > number { high = middle } else { low = middle + 1 }
    }
    return low < count ? low : nil
  }
}
