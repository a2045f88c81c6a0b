// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Serializes the file.
  ///
  /// The layout of the parsed file is preserved: boxes keep their order, and unchanged item data
  /// are copied byte for byte. Data of removed or changed items are omitted, as are references to
  /// them in the tracks of a sequence. New data are written to `idat`, or to a new `mdat` after the
  /// other boxes, but before the video of a motion photo and trailing data. A low-overhead file is
  /// written with a `meta` box.
  ///
  /// - Returns: The bytes of the file.
  /// - Throws: `.truncated` if the source ends before the data of an item, or in the box of a
  ///   sequence; `.invalidArgument` if the number of parts, properties or references exceeds the
  ///   format; `.unsupported` for fragmented sequences; errors of reading the data.
  package func serialized() throws(ImageError) -> [UInt8] { try spliced().allBytes() }

  /// Serializes the file as new bytes and ranges of the parsed file, without reading item data.
  ///
  /// - Returns: The bytes of the file.
  /// - Throws: Errors of `serialized()`.
  package func spliced() throws(ImageError) -> SplicedBytes { try HEIFWriter(self).write() }
}

/// Computes the layout of a file and writes it.
struct HEIFWriter {
  private let file: HEIFFile
  private let dropped: SortedRanges
  /// The boxes of the parsed file with their kept ranges, without media data of which nothing is kept.
  private let boxes: [(box: HEIFLayout.TopLevelBox, kept: [Range<Int>])]
  private let newMediaData: AppendedData
  private let itemData: ItemDataLayout
  /// Index of the box before which new data are inserted.
  ///
  /// New data precede the video of a motion photo, which ends the image's part of the file, or the
  /// trailer.
  private let placeOfNewMediaData: Int

  init(_ file: HEIFFile) throws(ImageError) {
    self.file = file
    try Self.check(file)
    let dropped = Self.droppedRanges(file)
    self.dropped = dropped
    boxes = file.layout.topLevel.compactMap { box in
      switch box {
      case .mediaData(let data):
        let kept = dropped.removed(from: data.content.range)
        let isDropped = kept.isEmpty && (file.layout.omitsUnusedData || !data.content.isEmpty)
        return isDropped ? nil : (box, kept)
      case .other(let other): return (box, [other.content.range])
      case .fileType, .meta, .movie: return (box, [])
      }
    }
    var keptMap = RangeMap()
    for range in boxes.flatMap(\.kept) { keptMap.add(range, at: 0) }
    var newMediaData = AppendedData()
    for item in file.items {
      guard case .file(let parts) = item.data else { continue }
      for part in parts where !part.isEmpty {
        if part.origin !== file.layout.origin || !keptMap.contains(part.range) {
          newMediaData.add(part)
        }
      }
    }
    self.newMediaData = newMediaData
    itemData = ItemDataLayout(file, without: dropped)
    placeOfNewMediaData =
      boxes.firstIndex { box, _ in
        if case .other(let box) = box { box.type == HEIFLayout.videoBox } else { false }
      } ?? boxes.count
  }

  func write() throws(ImageError) -> SplicedBytes {
    let meta = try HEIFMetaWriter(file, itemData: itemData.parts)
    var offsetSize = 4
    var arrangement = arrangement(metaSize: metaSize(meta, offsetSize))
    if arrangement.end > UInt32.max || file.hasWideExtents {
      offsetSize = 8
      arrangement = self.arrangement(metaSize: metaSize(meta, offsetSize))
    }
    let locations = locations(arrangement.map, arrangement.newMediaData)
    var output = SplicedBytes(source: file.layout.origin?.source ?? ByteSource([]))
    for (index, (box, kept)) in boxes.enumerated() {
      if index == placeOfNewMediaData { try appendNewMediaData(to: &output) }
      switch box {
      case .fileType: output.append(file.fileType.boxBytes)
      case .meta:
        for part in meta.parts(locations: locations, offsetSize: offsetSize) {
          try append(part, to: &output)
        }
      case .movie(let movie):
        output.append(movie.header.bytes(contentSize: movie.bytes.count))
        let content = try movie.content { offset in
          Int(exactly: offset).map(dropped.contains) ?? false
        } moving: { offset in
          Int(exactly: offset).flatMap(arrangement.map.target).map(UInt64.init) ?? offset
        }
        output.append(content)
      case .mediaData(let box), .other(let box):
        output.append(box.header.bytes(contentSize: kept.reduce(0) { $0 + $1.count }))
        for range in kept { try append(SourceBytes(box.content.origin, range), to: &output) }
      }
    }
    if placeOfNewMediaData == boxes.count { try appendNewMediaData(to: &output) }
    if let trailer = file.layout.trailer { try append(trailer, to: &output) }
    return output
  }

  private func appendNewMediaData(to output: inout SplicedBytes) throws(ImageError) {
    guard newMediaData.count > 0 else { return }
    output.append(BoxHeader.mediaData.bytes(contentSize: newMediaData.count))
    for part in newMediaData.parts { try append(part, to: &output) }
  }

  private func append(_ part: SourceBytes, to output: inout SplicedBytes) throws(ImageError) {
    if part.origin === file.layout.origin, part.isWhole {
      for piece in part.range.pieces(replacing: file.layout.replacements) {
        switch piece {
        case .kept(let range): output.append(range)
        case .new(let bytes): output.append(bytes)
        }
      }
    } else {
      output.append(try part.bytes())
    }
  }

  /// Returns the size of `meta`, which does not depend on the values of offsets.
  private func metaSize(_ meta: HEIFMetaWriter, _ offsetSize: Int) -> Int {
    meta.parts(locations: locations(RangeMap(), 0), offsetSize: offsetSize)
      .reduce(0) { $0 + $1.count }
  }

  /// Computes the positions of all data in the serialized file.
  private func arrangement(metaSize: Int) -> (map: RangeMap, newMediaData: Int, end: Int) {
    var map = RangeMap()
    var position = 0
    var start = 0
    func addNewMediaData() {
      let header = BoxHeader.mediaData.bytes(contentSize: newMediaData.count).count
      start = position + header
      if newMediaData.count > 0 { position = start + newMediaData.count }
    }
    for (index, (box, kept)) in boxes.enumerated() {
      if index == placeOfNewMediaData { addNewMediaData() }
      switch box {
      case .fileType: position += file.fileType.boxBytes.count
      case .meta: position += metaSize
      case .movie(let movie):
        position += movie.header.bytes(contentSize: movie.bytes.count).count + movie.bytes.count
      case .mediaData(let box), .other(let box):
        position += box.header.bytes(contentSize: kept.reduce(0) { $0 + $1.count }).count
        for range in kept {
          map.add(range, at: position)
          position += range.count
        }
      }
    }
    if placeOfNewMediaData == boxes.count { addNewMediaData() }
    return (map, start, position)
  }

  private func locations(_ map: RangeMap, _ newMediaDataStart: Int) -> ItemLocationBox {
    var entries: [ItemLocationBox.Entry] = []
    for item in file.items {
      var entry = ItemLocationBox.Entry(itemID: item.id, extents: [])
      switch item.data {
      case .absent: continue
      case .external(let elsewhere):
        entry = elsewhere
        entry.itemID = item.id
      case .items(let extents):
        entry.method = .itemOffset
        entry.extents = extents
      case .file(let parts):
        entry.extents = parts.filter { !$0.isEmpty }.map { part in
          let appended = newMediaData.offset(of: part).map { $0 + newMediaDataStart }
          return .init(part, at: appended ?? map.target(of: part.offset))
        }
      case .itemDataBox(let parts):
        entry.method = .itemDataOffset
        entry.extents = parts.filter { !$0.isEmpty }.map { part in
          .init(part, at: itemData.offset(of: part))
        }
      }
      entries.append(entry)
    }
    return ItemLocationBox(entries: entries)
  }
}

extension ItemLocationBox.Extent {
  fileprivate init(_ part: SourceBytes, at offset: Int?) {
    self.init(offset: UInt64(offset ?? 0), length: UInt64(part.count))
  }
}

/// Content of `idat`: kept data of the parsed file, then new data.
private struct ItemDataLayout {
  private(set) var parts: [SourceBytes] = []
  private var map = RangeMap()
  private var appended = AppendedData()
  private var appendedStart = 0

  init(_ file: HEIFFile, without dropped: SortedRanges) {
    if let old = file.layout.itemData {
      for range in dropped.removed(from: old.range) {
        parts.append(SourceBytes(old.origin, range))
        map.add(range, at: appendedStart)
        appendedStart += range.count
      }
    }
    for item in file.items {
      guard case .itemDataBox(let parts) = item.data else { continue }
      for part in parts where !part.isEmpty {
        if part.origin !== file.layout.origin || !map.contains(part.range) { appended.add(part) }
      }
    }
    parts += appended.parts
  }

  func offset(of part: SourceBytes) -> Int? {
    appended.offset(of: part).map { $0 + appendedStart } ?? map.target(of: part.offset)
  }
}

extension HEIFFile {
  /// Whether extents that are written verbatim require 64-bit fields.
  fileprivate var hasWideExtents: Bool {
    items.contains { item in
      let extents: [ItemLocationBox.Extent] =
        switch item.data {
        case .items(let extents): extents
        case .external(let entry): entry.extents
        case .absent, .file, .itemDataBox: []
        }
      return extents.contains { max($0.index, $0.offset, $0.length) > UInt32.max }
    }
  }
}

extension HEIFWriter {
  /// Returns the ranges that items used in the parsed file and do not use now.
  ///
  /// Image data of a file with a sequence are kept, since its tracks may share them.
  private static func droppedRanges(_ file: HEIFFile) -> SortedRanges {
    let keepsImages = file.layout.movie != nil
    let claimed = file.layout.claims.lazy.filter { !($0.isImage && keepsImages) }
      .map(\.range)
    var needed: [Range<Int>] = []
    for item in file.items {
      switch item.data {
      case .file(let parts), .itemDataBox(let parts):
        needed += parts.lazy.filter { $0.origin === file.layout.origin }.map(\.range)
      case .absent, .items, .external: continue
      }
    }
    var unneeded = Array(claimed)
    if file.layout.omitsUnusedData, !keepsImages {
      for case .mediaData(let box) in file.layout.topLevel { unneeded.append(box.content.range) }
      unneeded += [file.layout.itemData?.range].compactMap { $0 }
    }
    return SortedRanges(joining: unneeded).subtracting(SortedRanges(joining: needed))
  }

  /// Throws if the content of the file exceeds the fields of the format.
  private static func check(_ file: HEIFFile) throws(ImageError) {
    func require(_ condition: Bool, _ detail: @autoclosure () -> String) throws(ImageError) {
      guard condition else {
        throw ImageError(.invalidArgument, "HEIF cannot store {detail}", ["detail": detail()])
      }
    }
    try require(Set(file.items.map(\.id)).count == file.items.count, "two items of one identifier")
    for item in file.items {
      try require(
        item.properties.count <= UInt8.max,
        "\(item.properties.count) properties of item \(item.id)")
      let parts =
        switch item.data {
        case .file(let parts), .itemDataBox(let parts): parts.count
        case .items(let extents): extents.count
        case .external(let entry): entry.extents.count
        case .absent: 0
        }
      try require(parts <= UInt16.max, "\(parts) parts of item \(item.id)")
    }
    if let item = file.cutItems.first {
      throw ImageError(
        .heifItemTruncated, ["item": item.id, "type": "\(item.type)"],
        at: .init(path: ["item \(item.id)"]))
    }
    if let box = file.layout.cutBox,
      file.layout.movie != nil || box.type == "moov" || box.type == "moof"
    {
      throw ImageError(
        .heifSequenceTruncated, ["box": "\(box.type)"],
        at: .init(path: [box.type.description], offset: box.offset))
    }
    for (id, properties) in file.layout.otherAssociations {
      try require(properties.count <= UInt8.max, "\(properties.count) properties of \(id)")
    }
    for reference in file.references {
      try require(
        reference.to.count <= UInt16.max,
        "\(reference.to.count) references of item \(reference.from)")
    }
    for box in file.otherBoxes where box.type == "moof" {
      throw ImageError(.unsupported, "fragmented sequences cannot be written")
    }
  }
}

extension BoxHeader {
  static let mediaData = BoxHeader(type: "mdat")

  /// Creates a header for serialization.
  init(type: FourCC) {
    self.type = type
    userType = nil
    sizeForm = .compact
    headerSize = 8
    contentSize = 0
  }

  /// Serializes the header; the size keeps its encoding if possible, but is never 0 (to end of
  /// file).
  func bytes(contentSize: Int) -> [UInt8] {
    let isLarge = sizeForm == .large || contentSize > Int(UInt32.max) - BoxHeader.maximumSize
    let size = contentSize + (isLarge ? 16 : 8) + (userType?.count ?? 0)
    var writer = ByteWriter()
    writer.writeBigEndian(isLarge ? 1 : UInt32(clamping: size))
    writer.writeBigEndian(type.rawValue)
    if isLarge { writer.writeBigEndian(UInt64(size)) }
    writer.write(userType ?? [])
    return writer.bytes
  }
}
