// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Parses the structure of a file.
  ///
  /// A low-overhead file is expanded to the equivalent `meta` box. A file that is truncated in its
  /// last box after `meta` is parsed if no displayed image is truncated; `notices` then contains
  /// the missing size.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file; the data of items are not read.
  ///   - limits: Limits of the number of boxes, items, properties and references, and of nesting.
  /// - Throws: `.unsupported` for a file without a still image in a `meta` or `mini` box;
  ///   `.truncated`, `.malformed` and `.limitExceeded` with box and offset; errors of reading the
  ///   source.
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
    var parser = HEIFParser(source: source, limits: limits)
    self = try parser.parse()
  }
}

/// Parses a file box by box, without reading the content of `mdat` and `idat`.
struct HEIFParser {
  let origin: SourceBytes.Origin
  let limits: ImageLimits
  private var file: HEIFFile
  private var isComplete = (fileType: false, meta: false)

  init(source: ByteSource, limits: ImageLimits) {
    origin = SourceBytes.Origin(source)
    self.limits = limits
    file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: []), limits: limits)
    file.layout.topLevel = []
  }

  mutating func parse() throws(ImageError) -> HEIFFile {
    var offset = 0
    let end = origin.source.count
    while offset < end {
      guard let box = try readTopLevelHeader(at: offset, end: end) else {
        file.layout.trailer = SourceBytes(origin, offset..<end)
        file.notices.append(
          Notice(.heifTrailingBytes, ["size": end - offset], at: .init(offset: offset)))
        break
      }
      guard file.layout.topLevel.count < limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "boxes"], at: .init(offset: offset))
      }
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      if box.type == "ftyp", isComplete.fileType, isComplete.meta {
        // Offsets in the boxes of the appended file are relative to its own start.
        file.layout.trailer = SourceBytes(origin, offset..<end)
        file.layout.trailerIsFile = try isMovie(from: offset)
        if !file.layout.trailerIsFile {
          file.notices.append(
            Notice(.heifTrailingBytes, ["size": end - offset], at: .init(offset: offset)))
        }
        break
      }
      if box.missing > 0 {
        file.layout.cutBox = .init(type: box.type, offset: offset, missing: box.missing)
        file.layout.damage.append(cutNotice(box, at: offset))
        // Only media data are rearranged on writing.
        guard box.type == "mdat" else {
          file.layout.trailer = SourceBytes(origin, offset..<end)
          break
        }
      }
      let content = offset + box.headerSize..<offset + box.headerSize + box.contentSize
      do throws(ImageError) {
        file.layout.topLevel.append(try readTopLevel(box, content))
      } catch {
        throw error.inside(box.type.description)
      }
      offset = content.upperBound
    }
    guard isComplete.fileType else { throw ImageError(.missingElement, ["element": "'ftyp'"]) }
    guard isComplete.meta else {
      throw ImageError(.unsupported, "no 'meta' box: not a still image")
    }
    try requireShownImages()
    file.notices += file.layout.damage
    return file
  }

  /// Whether the boxes from an offset on are those of a video.
  private func isMovie(from start: Int) throws(ImageError) -> Bool {
    var offset = start
    while let box = try readTopLevelHeader(at: offset, end: origin.source.count) {
      guard box.type != "moov" else { return true }
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      offset += box.headerSize + box.contentSize
    }
    return false
  }

  /// Throws if a displayed image is truncated; truncated auxiliary or hidden images are accepted.
  private func requireShownImages() throws(ImageError) {
    guard let box = file.cutBox else { return }
    let inputsOfToneMaps = Set(
      file.references.lazy.filter { file.item($0.from)?.type == "tmap" }.flatMap(\.to)
    ).subtracting([file.primaryItemID].compactMap { $0 })
    let shown = file.cutItems.first { item in
      !item.isHidden && item.isImage && !inputsOfToneMaps.contains(item.id)
        && ["auxl", "thmb"].allSatisfy { file.references(from: item.id, type: $0).isEmpty }
    }
    guard let shown else { return }
    throw ImageError(
      .itemFileTruncated, ["item": shown.id, "type": "\(shown.type)"],
      at: .init(path: [box.type.description], offset: box.offset))
  }

  /// Returns a notice with the missing size and the items whose data exceed the file.
  private func cutNotice(_ box: BoxHeader, at offset: Int) -> Notice {
    let items = file.cutItems
    let size = box.headerSize + box.contentSize + box.missing
    let place = ImageError.Location(path: [box.type.description], offset: offset)
    guard !items.isEmpty else {
      return Notice(
        .heifTruncated, ["missing": box.missing, "size": size, "type": "\(box.type)"], at: place)
    }
    return Notice(
      .dropped,
      "truncated: {missing} of {size byte} of '{type}' missing, with data of {items item}",
      [
        "missing": box.missing, "size": size, "type": "\(box.type)",
        "items": items.map { "item \($0.id) ('\($0.type)')" },
      ], at: place)
  }

  /// Parses a top-level header; returns `nil` if bytes after the required boxes are not a box.
  private func readTopLevelHeader(at offset: Int, end: Int) throws(ImageError) -> BoxHeader? {
    let available = end - offset
    let bytes = try origin.source.bytes(in: offset..<offset + min(available, BoxHeader.maximumSize))
    var reader = ByteReader(bytes.span, fileOffset: offset)
    let hasImages = isComplete.fileType && isComplete.meta
    if hasImages {
      var probe = reader
      guard available >= 8, let size = try? probe.readBigEndian(as: UInt32.self),
        !(2..<8).contains(size), let type = try? probe.readBigEndian(as: UInt32.self),
        FourCC(rawValue: type).isPrintable
      else { return nil }
    }
    do throws(ImageError) {
      return try BoxHeader(parsing: &reader, available: available, mayBeCut: hasImages)
    } catch {
      guard hasImages, error.category == .truncated else { throw error }
      return nil
    }
  }

  private mutating func readTopLevel(
    _ box: BoxHeader, _ content: Range<Int>
  ) throws(ImageError) -> HEIFLayout.TopLevelBox {
    let opaque = OpaqueBox(header: box, content: SourceBytes(origin, content))
    switch box.type {
    case "ftyp" where !isComplete.fileType:
      isComplete.fileType = true
      guard content.count <= 4 * limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "brands"],
          at: .init(offset: content.lowerBound))
      }
      let bytes = try opaque.content.bytes()
      var reader = ByteReader(bytes.span, fileOffset: content.lowerBound)
      file.fileType = try FileTypeBox(parsing: &reader)
      return .fileType
    case "meta" where !isComplete.meta:
      isComplete.meta = true
      var parser = HEIFMetaParser(origin: origin, limits: limits)
      try parser.parse(content, into: &file)
      return .meta
    case MinimizedImageBox.boxType where !isComplete.meta:
      isComplete.meta = true
      let brand = FourCC(rawValue: file.fileType.minorVersion)
      try MinimizedFile(parsing: content, of: origin, brand: brand).expand(into: &file)
      return .meta
    case "meta" where file.isMinimized:
      throw ImageError(
        .duplicateElement, ["element": "image description: 'meta' and 'mini'"],
        at: .init(offset: content.lowerBound))
    case "moov":
      let bytes = try opaque.content.bytes()
      return .movie(
        try MovieBox(parsing: bytes, fileOffset: content.lowerBound, header: box, limits: limits))
    case "mdat": return .mediaData(opaque)
    default: return .other(opaque)
    }
  }
}
