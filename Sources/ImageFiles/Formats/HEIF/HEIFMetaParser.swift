// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Parses the `meta` box of a file into items.
struct HEIFMetaParser {
  let origin: SourceBytes.Origin
  let limits: ImageLimits
  private static let known: Set<FourCC> = [
    "hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "grpl", "dinf",
  ]
  private var found: Set<FourCC> = []
  private var locations: [ItemLocationBox.Entry] = []
  private var associations: [ItemPropertyAssociationBox.Entry] = []
  private var dataInformation = DataInformationBox()

  init(origin: SourceBytes.Origin, limits: ImageLimits) {
    self.origin = origin
    self.limits = limits
  }

  mutating func parse(_ content: Range<Int>, into file: inout HEIFFile) throws(ImageError) {
    var offset = content.lowerBound
    file.layout.meta = []
    file.layout.origin = origin
    file.layout.metaHeader = try header(at: offset, end: content.upperBound) {
      reader throws(ImageError) in try FullBoxHeader(parsing: &reader)
    }
    offset += 4
    while offset < content.upperBound {
      let available = content.upperBound - offset
      let box = try header(at: offset, end: content.upperBound) { reader throws(ImageError) in
        try BoxHeader(parsing: &reader, available: available)
      }
      guard file.layout.meta.count < limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "boxes"], at: .init(offset: offset))
      }
      try Execution.current.budget.debit(elements: 1, of: "boxes", at: .init(offset: offset))
      file.layout.metaBoxLocations.append(.init(type: box.type, offset: offset))
      let range = offset + box.headerSize..<offset + box.headerSize + box.contentSize
      let opaque = OpaqueBox(header: box, content: SourceBytes(origin, range))
      do throws(ImageError) {
        file.layout.meta.append(try read(opaque, into: &file))
      } catch {
        throw error.inside(box.type.description)
      }
      offset = range.upperBound
    }
    try require("hdlr", "iinf")
    guard file.handler.handlerType == "pict" else {
      throw ImageError(
        .unsupported, "'meta' has the handler '{handler}', not 'pict'",
        ["handler": "\(file.handler.handlerType)"],
        at: .init(path: ["hdlr"]))
    }
    try locate(in: &file)
    try associate(in: &file)
  }

  private func require(_ types: FourCC...) throws(ImageError) {
    for type in types where !found.contains(type) {
      throw ImageError(.missingElement, ["element": "\(type)"])
    }
  }

  private func header<Header>(
    at offset: Int, end: Int, _ parse: (inout ByteReader) throws(ImageError) -> Header
  ) throws(ImageError) -> Header {
    let bytes = try origin.source.bytes(
      in: offset..<offset + min(end - offset, BoxHeader.maximumSize))
    var reader = ByteReader(bytes.span, fileOffset: offset)
    return try parse(&reader)
  }

  private mutating func read(
    _ box: OpaqueBox, into file: inout HEIFFile
  ) throws(ImageError) -> HEIFLayout.MetaBox {
    guard Self.known.contains(box.type) else { return .other(box) }
    guard found.insert(box.type).inserted else {
      throw ImageError(.duplicateElement, ["element": "box"], at: .init(offset: box.content.offset))
    }
    if box.type == "idat" {
      file.layout.itemData = box.content
      return .itemData
    }
    let bytes = try box.content.bytes()
    var reader = ByteReader(bytes.span, fileOffset: box.content.offset)
    defer { file.layout.surplus += reader.readRest() }
    switch box.type {
    case "hdlr":
      if found.count > 1 {
        file.notices.append(
          Notice(.heifHandlerNotFirst, at: .init(path: ["meta"], offset: box.content.offset)))
      }
      file.handler = try HandlerBox(parsing: &reader)
      return .handler
    case "pitm":
      file.primaryItemID = try PrimaryItemBox(parsing: &reader).itemID
      return .primaryItem
    case "iloc":
      locations = try ItemLocationBox(parsing: &reader, limits: limits).entries
      return .itemLocation
    case "iinf":
      file.items = try ItemInformationBox(parsing: &reader, limits: limits).entries
        .map(HEIFItem.init)
      return .itemInformation
    case "iref":
      let references = try ItemReferenceBox(parsing: &reader, limits: limits)
      file.references = references.references
      file.layout.surplus += references.surplus
      return .itemReference
    case "iprp":
      let properties = try ItemPropertiesBox(parsing: &reader, limits: limits)
      file.layout.properties = properties.properties
      file.layout.otherPropertiesBoxes = properties.others.map { header, offset in
        OpaqueBox(
          header: header, content: SourceBytes(origin, offset..<offset + header.contentSize))
      }
      associations = properties.associations
      file.layout.surplus += properties.surplus
      return .itemProperties
    case "grpl":
      file.groups = try GroupsListBox(parsing: &reader, limits: limits).groups
      return .groupsList
    default:
      dataInformation = try DataInformationBox(parsing: &reader, limits: limits)
      return .other(box)
    }
  }
}

extension HEIFMetaParser {
  /// Returns the positions of items by identifier.
  private func index(_ file: HEIFFile) throws(ImageError) -> [UInt32: Int] {
    var index: [UInt32: Int] = [:]
    for (position, item) in file.items.enumerated() {
      guard index.updateValue(position, forKey: item.id) == nil else {
        throw ImageError(
          .duplicateElement, ["element": "item \(item.id)"], at: .init(path: ["iinf"]))
      }
    }
    return index
  }

  private func locate(in file: inout HEIFFile) throws(ImageError) {
    let index = try index(file)
    for entry in locations {
      do throws(ImageError) {
        guard let position = index[entry.itemID] else {
          file.notices.append(
            Notice(
              .itemLocationWithoutItem, ["item": entry.itemID], at: .init(path: ["meta", "iloc"])))
          continue
        }
        guard file.items[position].data == .absent else {
          throw ImageError(.duplicateElement, ["element": "location of item \(entry.itemID)"])
        }
        file.items[position].data = try data(entry, itemData: file.layout.itemData)
        file.layout.claims += claims(file.items[position])
      } catch {
        throw error.inside("iloc")
      }
    }
  }

  private func claims(_ item: HEIFItem) -> [HEIFLayout.Claim] {
    switch item.data {
    case .file(let parts), .itemDataBox(let parts):
      return parts.map { part in
        HEIFLayout.Claim(range: part.range, isImage: !item.isMetadata)
      }
    case .absent, .items, .external: return []
    }
  }

  private func data(
    _ entry: ItemLocationBox.Entry, itemData: SourceBytes?
  ) throws(ImageError) -> ItemData {
    switch entry.method {
    case .itemOffset: return .items(entry.extents)
    case .itemDataOffset:
      guard let itemData else {
        // Without data, the box is not written either.
        guard !entry.extents.isEmpty else { return .itemDataBox([] as [SourceBytes]) }
        throw ImageError(
          .malformed, "item {item} is stored in 'idat', which does not exist",
          ["item": entry.itemID])
      }
      var parts: [SourceBytes] = []
      for extent in entry.extents {
        let (offset, length) = try numbers(extent, of: entry.itemID)
        // Length 0 means up to the end; see 8.11.3.1.
        let end = length == 0 ? max(offset, itemData.count) : offset + length
        guard end <= itemData.count else {
          throw ImageError(
            .malformed, "item {item} ends at {end} of {size byte} in 'idat'",
            ["item": entry.itemID, "end": end, "size": itemData.count])
        }
        if offset < end { parts.append(itemData.slice(offset..<end)) }
      }
      return .itemDataBox(parts)
    case .fileOffset:
      let reference = Int(entry.dataReferenceIndex)
      guard reference == 0 || dataInformation.selfContained.contains(reference) else {
        return .external(entry)
      }
      var parts: [SourceBytes] = []
      for extent in entry.extents {
        let (offset, length) = try numbers(extent, of: entry.itemID)
        if length > 0 { parts.append(SourceBytes(origin, offset..<offset + length)) }
      }
      return .file(parts)
    }
  }

  /// Returns offset and length of an extent; their sum does not overflow.
  private func numbers(
    _ extent: ItemLocationBox.Extent, of id: UInt32
  ) throws(ImageError) -> (offset: Int, length: Int) {
    guard let offset = Int(exactly: extent.offset), let length = Int(exactly: extent.length),
      !offset.addingReportingOverflow(length).overflow
    else {
      throw ImageError(
        .malformed, "item {item} has {length byte} at {offset}",
        ["item": id, "length": extent.length, "offset": extent.offset])
    }
    return (offset, length)
  }

  private func associate(in file: inout HEIFFile) throws(ImageError) {
    let index = try index(file)
    let properties = file.layout.properties
    var isUsed = [Bool](repeating: false, count: properties.count)
    for entry in associations {
      var associated: [ItemProperty] = []
      for association in entry.associations where association.index > 0 {
        guard association.index <= properties.count else {
          throw ImageError(
            .malformed, "item {item} has property {index} of {count}",
            ["item": entry.itemID, "index": association.index, "count": properties.count],
            at: .init(path: ["iprp", "ipma"]))
        }
        var property = properties[association.index - 1]
        if case .unreadable(_, _, let failure) = property.box, !isUsed[association.index - 1] {
          file.layout.damage.append(
            Notice(
              .irregular, "'{type}' of item {item} is not readable: {cause}",
              ["type": "\(property.type)", "item": entry.itemID, "cause": failure.error],
              at: failure.error.location))
        }
        isUsed[association.index - 1] = true
        property.isEssential = association.isEssential
        associated.append(property)
      }
      if let position = index[entry.itemID] {
        file.items[position].properties += associated
      } else if !associated.isEmpty {
        file.layout.otherAssociations[entry.itemID, default: []] += associated
      }
    }
    // A box that equals a used one is not unused.
    file.layout.unusedProperties = Set(zip(properties, isUsed).lazy.filter { !$0.1 }.map(\.0))
      .subtracting(zip(properties, isUsed).lazy.filter { $0.1 }.map(\.0))
  }
}

/// Data references that refer to the file itself.
///
/// Source: ISO/IEC 14496-12, 8.7.2: flag 1 of an entry of `dref`.
struct DataInformationBox {
  /// Indices of such entries, counted from 1.
  var selfContained: Set<Int> = []

  init() {}

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      guard box.type == "dref" else { continue }
      do throws(ImageError) {
        _ = try FullBoxHeader(parsing: &content)
        let count = Int(try content.readBigEndian(as: UInt32.self))
        try limits.claim(1, total: count, "data references", content)
        for number in 0..<count {
          let entry = try BoxHeader(parsing: &content, available: content.remaining)
          var body = try content.readSlice(entry.contentSize)
          let header = try FullBoxHeader(parsing: &body)
          if header.flags & 1 == 1 { selfContained.insert(number + 1) }
        }
      } catch {
        throw error.inside("dref")
      }
    }
  }
}

/// Properties, and their associations with items.
///
/// Source: ISO/IEC 23008-12, 9.3.
struct ItemPropertiesBox {
  /// Properties of `ipco`, in order.
  var properties: [ItemProperty] = []
  /// Associations of all `ipma` boxes.
  var associations: [ItemPropertyAssociationBox.Entry] = []
  /// Bytes after the fields of `ipma`.
  var surplus: [UInt8] = []
  /// Other boxes, with the file offset of their content.
  var others: [(header: BoxHeader, offset: Int)] = []

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    var hasContainer = false
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        switch box.type {
        case "ipco":
          guard !hasContainer else { throw content.error(.duplicateElement, ["element": "box"]) }
          hasContainer = true
          try readProperties(&content, limits: limits)
        case ItemPropertyAssociationBox.boxType:
          associations += try ItemPropertyAssociationBox(parsing: &content, limits: limits).entries
          surplus += content.readRest()
          try limits.claim(0, total: associations.count, "items with properties", content)
        default: others.append((box, content.fileOffset))
        }
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  @_lifetime(reader: copy reader)
  private mutating func readProperties(
    _ reader: inout ByteReader, limits: ImageLimits
  ) throws(ImageError) {
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      let path = ["meta", "iprp", "ipco", box.type.description]
      properties.append(ItemProperty(parsing: box, at: path, content: &content))
      try limits.claim(1, total: properties.count, "properties", content)
    }
  }
}
