// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXRFile {
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
    let structures = try structures
    for index in directories.directories.indices {
      guard let image = try index == selected ? image(index) : ifReadable(try image(index)) else {
        continue
      }
      let (color, alpha) = codestreams(of: image, structures)
      for range in [color, alpha].compactMap(\.self)
      where structures.removed(from: range) != [range] {
        throw ImageError(
          .malformed, "other data are inside the codestream",
          at: .init(path: ["codestream"], offset: range.lowerBound))
      }
      images.append(
        .init(
          directory: try directory(index, edited, budget: &budget), color: try place(of: color),
          alpha: try alpha.map { (range) throws(ImageError) in try place(of: range) }))
    }
    bytes.append(try NewJPEGXRFile.head(of: images, codestreams: count))
    for range in payloads { bytes.append(range) }
    return bytes
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

  /// The codestreams of an image; those without a size end where other data begin.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - structures: Directories and values.
  /// - Returns: The range of color, and that of alpha if it is separate.
  private func codestreams(
    of image: JPEGXRImage, _ structures: SortedRanges
  ) -> (color: Range<Int>, alpha: Range<Int>?) {
    func whole(_ range: Range<Int>, before next: Int? = nil) -> Range<Int> {
      guard !image.isSized || range.upperBound > directories.source.count else { return range }
      let end = next.flatMap { range.contains($0) ? $0 : nil } ?? range.upperBound
      return structures.removed(from: range.lowerBound..<end).first ?? range
    }
    return (whole(image.codestream, before: image.alpha?.lowerBound), image.alpha.map { whole($0) })
  }

  /// All directories, those of Exif, of locations and of thumbnails included.
  var allDirectories: [TIFFDirectory] {
    get throws(ImageError) {
      try directories.reachable(
        from: directories.directories, by: ExifBlock.directoryTags.union([.gpsDirectory]))
    }
  }

  /// The header, the directories, and their values inside the file.
  var structures: SortedRanges {
    get throws(ImageError) {
      var ranges = [0..<8]
      for directory in try allDirectories {
        let size = 2 + 12 * directory.entries.count + 4
        ranges.append(directory.offset..<directory.offset + size)
        ranges += directory.entries.lazy.map(\.values).filter {
          $0.count > 4 && $0.upperBound <= directories.source.count
        }
      }
      return SortedRanges(joining: ranges)
    }
  }

  func isEqual(to other: any ParsedContainer) -> Bool { (other as? JPEGXRFile)?.edited == edited }

  func codedPayloads() throws(ImageError) -> [CodedPayload] {
    var payloads: [CodedPayload] = []
    let origin = SourceBytes.Origin(directories.source)
    let structures = try structures
    var count = 0
    for index in directories.directories.indices {
      guard let image = try ifReadable(try image(index)) else { continue }
      let (color, alpha) = codestreams(of: image, structures)
      // Directories without a readable image are not copied.
      let name = "IFD \(count)"
      count += 1
      payloads.append(CodedPayload("\(name) codestream", [SourceBytes(origin, color)]))
      guard let alpha else { continue }
      payloads.append(CodedPayload("\(name) alpha", [SourceBytes(origin, alpha)]))
    }
    return payloads
  }
}
