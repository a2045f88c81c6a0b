public import HDRCore

extension HEIFFile {
  /// The file as bytes.
  ///
  /// What was read stays in its place: boxes keep their order, and the data of items that did not
  /// change is copied byte for byte. Data of items that were removed or changed is left out, and so
  /// are references to it in the tracks of a sequence. New data goes into `idat`, or into a new `mdat`
  /// at the end.
  ///
  /// - Throws: What reading the data throws; `.invalidArgument` for more items, properties or
  ///   references than the format can count; `.unsupported` for fragmented sequences.
  public func serialized() throws(ImageError) -> [UInt8] {
    try HEIFWriter(self).write()
  }
}

/// Lays a file out and writes it.
struct HEIFWriter {
  private let file: HEIFFile
  private let dropped: RangeSet<Int>
  /// What stays of each box of the file, as ranges of the old one; parallel to `topLevel`.
  private let kept: [[Range<Int>]]
  /// From the old file to the content of `idat`.
  private let itemDataMap: RangeMap
  private let itemData: [SourceBytes]
  private let newItemData: AppendedData
  private let newItemDataStart: Int
  private let newMediaData: AppendedData
  private let offsetSize: Int

  init(_ file: HEIFFile) throws(ImageError) {
    self.file = file
    try Self.check(file)
    let dropped = Self.droppedRanges(file)
    self.dropped = dropped
    kept = file.layout.topLevel.map { box in
      switch box {
      case .mediaData(let box): Self.subtract(dropped, from: box.content.range)
      case .other(let box): [box.content.range]
      case .fileType, .meta, .movie: []
      }
    }
    let origin = file.layout.origin
    var keptMap = RangeMap()
    for range in kept.joined() { keptMap.add(range, at: 0) }

    var itemData: [SourceBytes] = []
    var itemDataMap = RangeMap()
    var start = 0
    if let old = file.layout.itemData {
      for range in Self.subtract(dropped, from: old.range) {
        itemData.append(SourceBytes(old.origin, range))
        itemDataMap.add(range, at: start)
        start += range.count
      }
    }
    var newItemData = AppendedData()
    var newMediaData = AppendedData()
    for item in file.items {
      switch item.data {
      case .file(let parts):
        for part in parts where !part.isEmpty {
          if part.origin !== origin || !keptMap.contains(part.range) { newMediaData.add(part) }
        }
      case .itemDataBox(let parts):
        for part in parts where !part.isEmpty {
          if part.origin !== origin || !itemDataMap.contains(part.range) { newItemData.add(part) }
        }
      case .absent, .items, .external: continue
      }
    }
    self.itemDataMap = itemDataMap
    self.itemData = itemData + newItemData.parts
    self.newItemData = newItemData
    newItemDataStart = start
    self.newMediaData = newMediaData
    let total = (origin?.source.count ?? 0) + newMediaData.count + newItemData.count
    // Generous to `meta`, whose size depends on the choice.
    offsetSize = total > Int(UInt32.max) - 1 << 28 ? 8 : 4
  }

  func write() throws(ImageError) -> [UInt8] {
    let meta = try HEIFMetaWriter(file, itemData: itemData)
    let (map, mediaDataStart) = place(
      metaSize: meta.bytes(locations: locations(RangeMap(), 0), offsetSize: offsetSize).count)
    let locations = locations(map, mediaDataStart)
    var output: [UInt8] = []
    for (box, kept) in zip(file.layout.topLevel, kept) {
      switch box {
      case .fileType: output += file.fileType.boxBytes
      case .meta: output += meta.bytes(locations: locations, offsetSize: offsetSize)
      case .movie(let movie):
        output += movie.header.bytes(contentSize: movie.bytes.count)
        output += try movie.content { offset in
          Int(exactly: offset).map(dropped.contains) ?? false
        } moving: { offset in
          Int(exactly: offset).flatMap(map.target).map(UInt64.init) ?? offset
        }
      case .mediaData(let box), .other(let box):
        output += box.header.bytes(contentSize: kept.reduce(0) { $0 + $1.count })
        for range in kept { output += try box.content.origin.source.bytes(in: range) }
      }
    }
    if newMediaData.count > 0 {
      output += BoxHeader.mediaData.bytes(contentSize: newMediaData.count)
      for part in newMediaData.parts { output += try part.bytes() }
    }
    if let trailer = file.layout.trailer { output += try trailer.bytes() }
    return output
  }

  /// Finds where everything comes to lie, and where new data begins.
  private func place(metaSize: Int) -> (map: RangeMap, mediaDataStart: Int) {
    var map = RangeMap()
    var position = 0
    for (box, kept) in zip(file.layout.topLevel, kept) {
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
    let header = BoxHeader.mediaData.bytes(contentSize: newMediaData.count)
    return (map, position + header.count)
  }

  private func locations(_ map: RangeMap, _ mediaDataStart: Int) -> ItemLocationBox {
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
          let appended = newMediaData.offset(of: part).map { $0 + mediaDataStart }
          return extent(part, at: appended ?? map.target(of: part.offset))
        }
      case .itemDataBox(let parts):
        entry.method = .itemDataOffset
        entry.extents = parts.filter { !$0.isEmpty }.map { part in
          let appended = newItemData.offset(of: part).map { $0 + newItemDataStart }
          return extent(part, at: appended ?? itemDataMap.target(of: part.offset))
        }
      }
      entries.append(entry)
    }
    return ItemLocationBox(entries: entries)
  }

  private func extent(_ part: SourceBytes, at offset: Int?) -> ItemLocationBox.Extent {
    .init(offset: UInt64(offset ?? 0), length: UInt64(part.count))
  }
}

extension HEIFWriter {
  /// Bytes that belonged to items and belong to none now.
  ///
  /// Pictures in the data of a sequence stay: its tracks may share them.
  private static func droppedRanges(_ file: HEIFFile) -> RangeSet<Int> {
    let keepsPictures = file.layout.movie != nil
    var dropped = RangeSet(
      file.layout.claims.filter { !($0.isPicture && keepsPictures) }.map(\.range))
    for item in file.items {
      switch item.data {
      case .file(let parts), .itemDataBox(let parts):
        for part in parts where part.origin === file.layout.origin {
          dropped.remove(contentsOf: part.range)
        }
      case .absent, .items, .external: continue
      }
    }
    return dropped
  }

  private static func subtract(
    _ dropped: RangeSet<Int>, from range: Range<Int>
  ) -> [Range<Int>] {
    var kept = RangeSet(range)
    for hole in dropped.ranges where hole.overlaps(range) { kept.remove(contentsOf: hole) }
    return Array(kept.ranges)
  }

  private static func check(_ file: HEIFFile) throws(ImageError) {
    func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(ImageError) {
      guard condition else { throw ImageError(.invalidArgument, reason()) }
    }
    try require(
      Set(file.items.map(\.id)).count == file.items.count, "two items have one identifier")
    for item in file.items {
      try require(
        item.properties.count <= 255, "item \(item.id) has \(item.properties.count) properties")
      if case .file(let parts) = item.data {
        try require(parts.count <= 65535, "item \(item.id) has \(parts.count) parts")
      }
    }
    for reference in file.references {
      try require(
        reference.to.count <= 65535,
        "item \(reference.from) refers to \(reference.to.count) items")
    }
    for box in file.otherBoxes where box.type == "moof" {
      throw ImageError(.unsupported, "writing a fragmented sequence")
    }
  }
}

extension BoxHeader {
  static let mediaData = BoxHeader(type: "mdat")

  /// The header of a box that is written.
  init(type: FourCC) {
    self.type = type
    userType = nil
    sizeForm = .compact
    headerSize = 8
    contentSize = 0
  }

  /// The header in bytes, with the size spelled as before where possible, and never left open.
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
