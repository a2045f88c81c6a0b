// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The box tree of an ISOBMFF file: HEIF, AVIF, JPEG XL and others.
///
/// Only headers and small contents are parsed; content that cannot be parsed is reported in its
/// node.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct BoxStructure {
  private let source: ByteSource
  private let limits: ImageLimits
  /// Whether Canon CR3 boxes are parsed.
  private let isCanon: Bool
  private var count = 0

  init(of source: ByteSource, limits: ImageLimits) throws(ImageError) {
    self.source = source
    self.limits = limits
    isCanon = CR3File.begins(try source.prefix(12))
  }

  /// Returns the box tree of the file.
  ///
  /// - Throws: Errors that end the whole job.
  mutating func nodes() throws(ImageError) -> [StructureNode] {
    try nodes(in: 0..<source.count, parent: nil, depth: 0)
  }

  /// Maximum size of content that is parsed, in bytes.
  private static let longestContent = 1 << 18

  /// Bytes between the header of a container box and its first child.
  private static let containers: [FourCC: Int] = [
    "meta": 4, "iprp": 0, "ipco": 0, "iref": 4, "grpl": 0, "dinf": 0, "dref": 8, "moov": 0,
    "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "udta": 0,
  ]

  private mutating func nodes(
    in range: Range<Int>, parent: FourCC?, depth: Int
  ) throws(ImageError) -> [StructureNode] {
    var nodes: [StructureNode] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      count += 1
      guard count <= limits.items, depth < limits.nesting else { break }
      do throws(ImageError) {
        let available = range.upperBound - offset
        let bytes = try source.bytes(in: offset..<offset + min(available, BoxHeader.maximumSize))
        var reader = ByteReader(bytes.span, fileOffset: offset)
        let header = try BoxHeader(parsing: &reader, available: available, mayBeCut: depth == 0)
        let content = offset + header.headerSize..<offset + header.headerSize + header.contentSize
        var node = StructureNode("\(header.type)", offset..<content.upperBound)
        if header.missing > 0 { node.fields.add("missing", "\(header.missing) bytes") }
        if parent == "ipco" { node.fields.add("index", nodes.count + 1) }
        try describe(&node, header, content, parent: parent, depth: depth)
        nodes.append(node)
        offset = content.upperBound
      } catch {
        guard !error.endsJob else { throw error }
        nodes.append(
          StructureNode(
            "not a box", offset..<range.upperBound, fields: [.init("unreadable", error.message)]))
        break
      }
    }
    return nodes
  }

  private mutating func describe(
    _ node: inout StructureNode, _ header: BoxHeader, _ content: Range<Int>, parent: FourCC?,
    depth: Int
  ) throws(ImageError) {
    let canon = isCanon ? CR3File.containerOffset(header) : nil
    let list = try listStart(header.type, content)
    if let start = canon ?? Self.containers[header.type] ?? list {
      let first = min(content.lowerBound + start, content.upperBound)
      node.children = try nodes(
        in: first..<content.upperBound, parent: header.type, depth: depth + 1)
      return
    }
    if isCanon, header.type.isCanonMetadata {
      let directories = try ifReadable(
        try TIFFFile(parsing: ByteSource(try source.bytes(in: content)), limits: limits))
      node.children = try ifReadable(try directories?.structure(base: content.lowerBound)) ?? []
      return
    }
    let isLong = content.count > Self.longestContent
    guard !["mdat", "idat", "free", "skip", "jxlc"].contains(header.type) else { return }
    do throws(ImageError) {
      let end = isLong ? content.lowerBound + MinimizedImageBox.longestHeader : content.upperBound
      let bytes = try source.bytes(in: content.lowerBound..<end)
      guard !isLong || ["jxlp", "brob", "uuid", "mini"].contains(header.type) else { return }
      var reader = ByteReader(bytes.span, fileOffset: content.lowerBound)
      node.fields += try BoxFields(header: header, parent: parent, limits: limits).fields(&reader)
    } catch {
      guard !error.endsJob else { throw error }
      node.fields.addUnreadable(error.message)
    }
  }

  /// Returns the offset of the entries of `iinf`, which follow a count.
  private func listStart(_ type: FourCC, _ content: Range<Int>) throws(ImageError) -> Int? {
    guard type == "iinf",
      let version = try ifReadable(
        try source.bytes(in: content.lowerBound..<content.lowerBound + 1).first)
    else { return nil }
    return version == 0 ? 6 : 8
  }
}

extension FourCC {
  /// Whether the box contains an Exif directory: main, exposure, maker note or GPS.
  fileprivate var isCanonMetadata: Bool { ["CMT1", "CMT2", "CMT3", "CMT4"].contains(self) }
}

extension StructureNode {
  /// Returns the box tree of an ISOBMFF file.
  ///
  /// Data that are not a box are a node with the error, so that a tree results from any bytes.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - limits: Limits of the number and nesting of boxes.
  /// - Returns: The top-level boxes, in file order.
  /// - Throws: Errors that end the whole job.
  package static func boxes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [StructureNode] {
    var structure = try BoxStructure(of: source, limits: limits)
    return try structure.nodes()
  }
}

/// Description of the content of a single box.
struct BoxFields {
  let header: BoxHeader
  /// Type of the parent box.
  let parent: FourCC?
  let limits: ImageLimits

  @_lifetime(reader: copy reader)
  func fields(_ reader: inout ByteReader) throws(ImageError) -> [StructureNode.Field] {
    switch parent {
    case "ipco":
      return ItemProperty(parsing: header, at: [header.type.description], content: &reader).fields
    case "iref":
      return []
    case "grpl":
      var total = 0
      let group = try EntityGroup(parsing: &reader, in: header, total: &total, limits: limits)
      return [
        .init("group", "\(group.id)"),
        .init("entities", StructureNode.list(group.entities.map(String.init))),
      ]
    default: return try ownFields(&reader)
    }
  }

  @_lifetime(reader: copy reader)
  private func ownFields(_ reader: inout ByteReader) throws(ImageError) -> [StructureNode.Field] {
    var fields: [StructureNode.Field] = []
    switch header.type {
    case "ftyp":
      let box = try FileTypeBox(parsing: &reader)
      fields.add("major brand", "\(box.majorBrand)")
      fields.add("brands", box.compatibleBrands.map(\.description).joined(separator: ", "))
    case "hdlr":
      fields.add("handler", "\(try HandlerBox(parsing: &reader).handlerType)")
    case "pitm":
      fields.add("item", try PrimaryItemBox(parsing: &reader).itemID)
    case "infe":
      let entry = try ItemInformationEntry(parsing: &reader)
      fields.add("item", entry.itemID)
      fields.add("type", "\(entry.itemType)")
      if entry.flags & 1 == 1 { fields.add("hidden", "yes") }
      if !entry.name.isEmpty { fields.add("name", entry.name) }
      fields.add("content type", entry.contentType)
      fields.add("uri", entry.uriType)
    case "iloc":
      fields.add("items", try ItemLocationBox(parsing: &reader, limits: limits).entries.count)
    case "ipma":
      fields.add("items", try ItemPropertyAssociationBox(parsing: &reader).entries.count)
    case MinimizedImageBox.boxType:
      let head = try reader.readBytes(min(reader.remaining, MinimizedImageBox.longestHeader))
      try describe(MinimizedImageBox(parsing: head, size: header.contentSize), &fields)
    case "uuid":
      fields.add("uuid", header.userType.map(Self.hexadecimal))
    case "brob":
      fields.add("holds", "\(FourCC(rawValue: try reader.readBigEndian())), Brotli")
    case "jxlp":
      let index: UInt32 = try reader.readBigEndian()
      fields.add("part", index & 0x7FFF_FFFF)
      if index >> 31 == 1 { fields.add("last", "yes") }
    case "jxll":
      fields.add("level", try reader.readBigEndian(as: UInt8.self))
    default: break
    }
    return fields
  }

  private func describe(_ box: MinimizedImageBox, _ fields: inout [StructureNode.Field]) {
    fields.add("image", "\(box.image.width)x\(box.image.height), \(box.image.bitDepth) bits")
    if let map = box.gainMap { fields.add("gain map", "\(map.image.width)x\(map.image.height)") }
    for (chunk, range) in box.chunks.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      fields.add(chunk.rawValue, "\(range.count) bytes at \(range.lowerBound)")
    }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
