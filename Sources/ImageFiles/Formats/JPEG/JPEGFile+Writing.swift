// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGFile {
  /// Serializes the file with its edits; without edits the bytes are unchanged.
  ///
  /// If parts moved, the offsets of the MPF directory and the lengths of the container directory
  /// are updated. If images were added or removed, the MPF directory is replaced or removed.
  ///
  /// - Returns: New bytes and ranges of the parsed file.
  /// - Throws: `.malformed` if the XMP packet that contains a directory cannot be edited,
  ///   `.limitExceeded` for a file that is too large and `.invalidArgument` for one with too many
  ///   images to be described by the MPF directory.
  package func serialized() throws(ImageError) -> SplicedBytes {
    let unchanged = spliced()
    if unchanged.pieces == [.kept(0..<source.count)], !arrangesDirectory, !hasStaleDirectory {
      return unchanged
    }
    var copy = self
    try copy.updateContainerLengths()
    try copy.updateMultiPicture()
    return copy.spliced()
  }

  private func spliced() -> SplicedBytes {
    var output = SplicedBytes(source: source)
    primary.append(to: &output)
    for appendix in appendices {
      switch appendix {
      case .image(let image): image.append(to: &output)
      case .trailer(let trailer):
        for piece in trailer.pieces {
          switch piece {
          case .kept(let range): output.append(range)
          case .new(let bytes): output.append(bytes)
          }
        }
      }
    }
    return output
  }

  private mutating func updateContainerLengths() throws(ImageError) {
    let images = images
    let changed = containerItems.filter { _, range in
      images.contains { $0.stored == range && $0.serialized().count != range.count }
    }
    guard !changed.isEmpty else { return }
    try primary.editXMP { packet throws(ImageError) in
      for (item, range) in changed {
        guard let image = images.first(where: { $0.stored == range }) else { continue }
        try packet.setContainerLength(image.serialized().count, ofItem: item)
      }
    }
  }

  private mutating func updateMultiPicture() throws(ImageError) {
    let images = images
    if images.count != parsedImageCount || hasStaleDirectory {
      try primary.replace(
        .multiPicture, with: images.count > 1 ? [try newMultiPicture().serialized()] : [])
    }
    guard let body = primary.segments(.multiPicture).first?.body,
      var format = try ifReadable(try MultiPictureFormat(parsing: body))
    else { return }
    // Only one directory is written; others would count in the places of images.
    try primary.replace(.multiPicture, with: [body])
    let places = places()
    let header = offsetOfMultiPicture() ?? 0
    for (index, image) in imageIndices(of: format).enumerated() {
      guard let image else { continue }
      format.entries[index].size = try Self.field(places[image].count)
      format.entries[index].offset =
        image == 0 ? 0 : try Self.field(places[image].lowerBound - header)
    }
    try primary.replace(.multiPicture, with: [format.patched(body)])
  }

  /// A directory of all images, with the types that the present one specifies.
  private func newMultiPicture() throws(ImageError) -> MultiPictureFormat {
    var format = MultiPictureFormat(count: images.count)
    guard let old = try multiPicture else { return format }
    for (entry, index) in zip(old.entries, imageIndices(of: old)).dropFirst() {
      guard let index, format.entries.indices.contains(index) else { continue }
      // Dependencies are not kept.
      format.entries[index].attributes = entry.attributes & 0x00FF_FFFF
    }
    return format
  }

  /// Whether the MPF directory has an entry for an image, whose offset serializing updates.
  ///
  /// - Throws: Errors that end the whole job.
  package func listsInMultiPicture(_ index: Int) throws(ImageError) -> Bool {
    try multiPicture.map { imageIndices(of: $0).contains(index) } ?? false
  }

  /// Indices of images that the MPF directory describes as previews of the first image.
  ///
  /// Source: CIPA DC-007 (2021), 5.2.3.3.1: types 0x010001 and 0x010002 are large thumbnails.
  ///
  /// - Throws: Errors that end the whole job.
  var largeThumbnails: Set<Int> {
    get throws(ImageError) {
      guard let format = try multiPicture else { return [] }
      let found = zip(format.entries, imageIndices(of: format)).compactMap { entry, index in
        entry.attributes & 0xFF_0000 == 0x01_0000 ? index : nil
      }
      return Set(found).subtracting([0])
    }
  }

  /// Whether the MPF directory has entries that do not refer to an image.
  ///
  /// - Throws: Errors that end the whole job.
  package var listsMissingImages: Bool {
    get throws(ImageError) { try multiPicture.map { imageIndices(of: $0).contains(nil) } ?? false }
  }

  /// The MPF directory; `nil` if it is missing or unreadable.
  private var multiPicture: MultiPictureFormat? {
    get throws(ImageError) { try ifReadable(try primary.multiPicture()?.format) }
  }

  /// Reduces the MPF directory to its entries; those of other images than the first are removed.
  ///
  /// - Throws: Errors of replacing segments.
  package mutating func minimizeMultiPicture() throws(ImageError) {
    if let body = primary.segments(.multiPicture).first?.body {
      let format = try ifReadable(try MultiPictureFormat(parsing: body))
      // An unreadable directory is replaced.
      hasStaleDirectory = hasStaleDirectory || format == nil
      try primary.replace(.multiPicture, with: format.map { [$0.minimal] } ?? [])
    }
    for index in images.indices.dropFirst() {
      var image = images[index]
      try image.replace(.multiPicture, with: [])
      replaceImage(index, with: image)
    }
  }

  /// Returns the index of the image that each entry refers to.
  ///
  /// Entry 0 refers to the first image, the others to the image at their offset or to one of the
  /// remaining images in order.
  private func imageIndices(of format: MultiPictureFormat) -> [Int?] {
    let starts = images.map { $0.stored?.lowerBound }
    var found: [Int?] = format.entries.enumerated().map { index, entry in
      if index == 0 { return 0 }
      guard let multiPictureHeader else { return nil }
      return starts.dropFirst().firstIndex(of: multiPictureHeader + Int(entry.offset))
    }
    guard found.count == starts.count else { return found }
    var left = starts.indices.filter { !found.contains($0) }[...]
    for index in found.indices where found[index] == nil { found[index] = left.popFirst() }
    return found
  }

  /// Returns the range of each image in the serialized file.
  private func places() -> [Range<Int>] {
    var position = 0
    var places: [Range<Int>] = []
    func place(_ length: Int) -> Range<Int> {
      defer { position += length }
      return position..<position + length
    }
    places.append(place(primary.serialized().count))
    for appendix in appendices {
      switch appendix {
      case .image(let image): places.append(place(image.serialized().count))
      case .trailer(let trailer): position += trailer.count
      }
    }
    return places
  }

  /// Returns the offset of the MPF TIFF header in the serialized file.
  private func offsetOfMultiPicture() -> Int? {
    var position = 2
    for part in primary.parts {
      switch part {
      case .segment(let segment):
        let length = segment.stored?.count ?? segment.serialized().count
        if segment.role == .multiPicture { return position + length - segment.body.count }
        if segment.marker == .startOfScan { return nil }
        position += length
      case .scan(let range), .stray(let range): position += range.count
      case .copied(let bytes, _): position += bytes.count
      }
    }
    return nil
  }

  private static func field(_ value: Int) throws(ImageError) -> UInt32 {
    guard let field = UInt32(exactly: value) else {
      throw ImageError(
        .limitExceeded, "{value byte} do not fit a field of the multi-picture directory",
        ["value": value])
    }
    return field
  }
}

extension JPEGImage {
  /// Parses the MPF directory, which cameras store in the first image of a file.
  ///
  /// - Returns: The directory, and the offset of its TIFF header in the file, to which the offsets
  ///   of images are relative; `nil` without a directory.
  /// - Throws: `.malformed` or `.truncated` if the directory cannot be parsed.
  package func multiPicture() throws(ImageError) -> (format: MultiPictureFormat, header: Int)? {
    guard let segment = segments(.multiPicture).first else { return nil }
    let format = try MultiPictureFormat(parsing: segment.body)
    return (format, (segment.stored?.upperBound ?? segment.body.count) - segment.body.count)
  }
}
