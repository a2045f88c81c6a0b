// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFFile {
  /// Returns the data of an item, with its extents concatenated.
  ///
  /// - Parameter id: Identifier of the item.
  /// - Returns: The bytes, as coded: bitstream units of an image, a body of a derived image,
  ///   metadata.
  /// - Throws: `.truncated` if the data exceed the file, `.malformed` if the item or its data do
  ///   not exist or its data are cyclic, `.unsupported` if the data are in another file,
  ///   `.limitExceeded` for more parts or bytes than the limits or the budget allow; errors of
  ///   reading the source.
  package func data(of id: UInt32) throws(ImageError) -> [UInt8] { try withData(of: id) { $0 } }

  /// Calls `body` with the data of an item, whose memory is debited in the meantime.
  ///
  /// Reading debits work, since any number of items may share the same bytes of the file.
  ///
  /// - Parameters:
  ///   - id: Identifier of the item.
  ///   - most: Number of bytes after which reading ends.
  ///   - copies: Number of copies that exist at one time, including the one that is passed.
  ///   - body: The use of the data.
  /// - Returns: The result of `body`.
  /// - Throws: Errors of `data(of:)` and of `body`.
  package func withData<Result>(
    of id: UInt32, prefix most: Int = .max, copies: Int = 1,
    _ body: ([UInt8]) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    let parts = try dataParts(of: id)
    let count = min(parts.reduce(0) { $0 + $1.count }, most)
    let budget = Execution.current.budget
    try budget.debit(steps: count >> 8, for: "item data", at: .init(path: ["item \(id)"]))
    return try budget.reserving(memory: copies * count, for: "item data") {
      () throws(ImageError) in
      var joined: [UInt8] = []
      joined.reserveCapacity(count)
      for part in parts where joined.count < count {
        do throws(ImageError) {
          try part.slice(0..<min(part.count, count - joined.count)).append(to: &joined)
        } catch {
          throw error.inside("item \(id)")
        }
      }
      return try body(joined)
    }
  }

  /// Returns the ranges of the data of an item, in order, without reading them.
  ///
  /// - Throws: Errors of `data(of:)`.
  package func dataParts(of id: UInt32) throws(ImageError) -> [SourceBytes] {
    var resolver = ItemDataResolver(file: self)
    do throws(ImageError) {
      return try resolver.parts(of: id, depth: 0)
    } catch {
      throw error.inside("item \(id)")
    }
  }
}

/// Resolves items whose data are parts of the data of other items.
private struct ItemDataResolver {
  let file: HEIFFile
  private var steps = 0
  private var active: Set<UInt32> = []

  init(file: HEIFFile) { self.file = file }

  mutating func parts(of id: UInt32, depth: Int) throws(ImageError) -> [SourceBytes] {
    guard let item = file.item(id) else { throw ImageError(.itemMissing, ["item": id]) }
    switch item.data {
    case .absent: throw ImageError(.malformed, "item {item} does not have data", ["item": id])
    case .external:
      throw ImageError(.unsupported, "the data of item {item} are in another file", ["item": id])
    case .file(let parts), .itemDataBox(let parts):
      try count(parts.count)
      try checkTotal(of: parts)
      return parts
    case .items(let extents):
      guard depth < file.limits.nesting, active.insert(id).inserted else {
        throw ImageError(.itemDerivedFromItself, ["item": id])
      }
      defer { active.remove(id) }
      let sources = file.references(from: id, type: "iloc")
      var result: [SourceBytes] = []
      for extent in extents {
        let number = max(extent.index, 1)
        guard number <= sources.count else {
          throw ImageError(
            .malformed, "item {item} uses reference {number} of {count}",
            ["item": id, "number": number, "count": sources.count])
        }
        let all = try parts(of: sources[Int(number) - 1], depth: depth + 1)
        let some = try cut(extent, from: all)
        try count(some.count)
        result += some
      }
      try checkTotal(of: result)
      return result
    }
  }

  /// Checks the number of parts, which can grow exponentially with the size of the file.
  private mutating func count(_ parts: Int) throws(ImageError) {
    steps += parts + 1
    try Execution.current.budget.debit(steps: parts + 1, for: "parts of item data")
    guard steps <= file.limits.items else {
      throw ImageError(
        .tooManyElements, ["limit": file.limits.items, "elements": "parts of item data"])
    }
  }

  /// Checks the total size of the parts, which may overlap: at most the size of their sources.
  private func checkTotal(of parts: [SourceBytes]) throws(ImageError) {
    var total = 0
    var available = 0
    var origins: Set<ObjectIdentifier> = []
    for part in parts {
      total = total.addingReportingOverflow(part.count).partialValue
      if origins.insert(ObjectIdentifier(part.origin)).inserted {
        available += part.origin.source.count
      }
      guard total >= 0, total <= file.limits.memory else {
        throw ImageError(
          .sizeLimitExceeded, ["element": "item data", "size": total, "limit": file.limits.memory])
      }
    }
    guard total <= available else {
      throw ImageError(
        .truncated, "truncated: {size byte} of item data in a file of {available byte}",
        ["size": total, "available": available])
    }
  }

  private func cut(
    _ extent: ItemLocationBox.Extent, from parts: [SourceBytes]
  ) throws(ImageError) -> [SourceBytes] {
    let total = parts.reduce(0) { $0 + $1.count }
    guard let start = Int(exactly: extent.offset), start <= total,
      let length = extent.length == 0 ? total - start : Int(exactly: extent.length),
      length <= total - start
    else {
      throw ImageError(
        .malformed, "{length byte} at {offset} of an item of {size byte}",
        ["length": extent.length, "offset": extent.offset, "size": total])
    }
    var result: [SourceBytes] = []
    var position = 0
    for part in parts {
      let lower = max(start - position, 0)
      let upper = min(start + length - position, part.count)
      if lower < upper { result.append(part.slice(lower..<upper)) }
      position += part.count
    }
    return result
  }
}

extension HEIFFile {
  /// Returns a file that contains a single image of this file.
  ///
  /// The image is a tile, a hidden gain map, a matte, or a derived image with its inputs. Coded
  /// data are shared, not copied. The image keeps its properties, but is not hidden or auxiliary.
  ///
  /// - Parameter id: Identifier of the item.
  /// - Returns: The new file.
  /// - Throws: `.malformed` if the item does not exist or is derived from itself; `.unsupported`
  ///   for a codec other than HEVC and AV1; `.invalidArgument` for metadata and tone maps; errors
  ///   of locating the data.
  package func standalone(_ id: UInt32) throws(ImageError) -> HEIFFile {
    var extractor = ImageExtractor(source: self)
    do throws(ImageError) {
      return try extractor.extract(id)
    } catch {
      throw error.inside("item \(id)")
    }
  }
}

/// Copies an item and the items it is derived from.
private struct ImageExtractor {
  private let source: HEIFFile
  private let items: [UInt32: HEIFItem]
  private let inputs: [UInt32: [UInt32]]
  private var result: HEIFFile
  private var newIDs: [UInt32: UInt32] = [:]
  private var active: Set<UInt32> = []

  init(source: HEIFFile) {
    self.source = source
    items = Dictionary(source.items.lazy.map { ($0.id, $0) }) { first, _ in first }
    inputs = Dictionary(
      source.references.lazy.filter { $0.type == "dimg" }.map { ($0.from, $0.to) },
      uniquingKeysWith: +)
    result = HEIFFile(
      fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: []), limits: source.limits)
    result.layout.origin = source.layout.origin
  }

  mutating func extract(_ id: UInt32) throws(ImageError) -> HEIFFile {
    let primary = try copy(id)
    result.primaryItemID = primary
    result.updateItem(primary) { item in
      item.isHidden = false
      item.setProperty(AuxiliaryTypeBox.boxType, to: nil)
    }
    result.fileType = try fileType()
    return result
  }

  private mutating func copy(_ id: UInt32) throws(ImageError) -> UInt32 {
    if let known = newIDs[id] { return known }
    guard let item = items[id] else {
      throw ImageError(.itemMissing, ["item": id])
    }
    guard active.insert(id).inserted, active.count <= source.limits.nesting else {
      throw ImageError(.itemDerivedFromItself, ["item": id])
    }
    defer { active.remove(id) }
    var copy = item
    switch item.type {
    case "hvc1", "hev1", "av01": copy.data = .file(try source.dataParts(of: id))
    case "grid", "iovl", "iden":
      if item.data != .absent { copy.data = .itemDataBox(try source.dataParts(of: id)) }
    case _ where !item.isImage:
      throw ImageError(
        .invalidArgument, "an item of type '{type}' is not an image on its own",
        ["type": "\(item.type)"])
    default: throw ImageError(.unsupportedValue, ["field": "item type", "value": "\(item.type)"])
    }
    var copies: [UInt32] = []
    for input in inputs[id] ?? [] { copies.append(try self.copy(input)) }
    copy.id = UInt32(result.items.count) + 1
    newIDs[id] = copy.id
    result.items.append(copy)
    if !copies.isEmpty { result.addReference("dimg", from: copy.id, to: copies) }
    return copy.id
  }

  private func fileType() throws(ImageError) -> FileTypeBox {
    for item in result.items {
      if let configuration = item.property(HEVCConfigurationBox.self) {
        return .heic(configuration)
      }
      if let configuration = item.property(AV1ConfigurationBox.self) {
        return .avif(configuration)
      }
    }
    throw ImageError(.heifConfigurationMissing)
  }
}
