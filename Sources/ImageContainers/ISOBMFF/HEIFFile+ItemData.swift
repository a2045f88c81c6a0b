// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension HEIFFile {
  /// Returns the data of an item, with its extents concatenated.
  ///
  /// - Throws: `.truncated` if the data exceed the file, `.malformed` if the item does not exist or
  ///   its data are cyclic, `.unsupported` if the data are in another file.
  public func data(of id: UInt32) throws(ImageError) -> [UInt8] {
    let parts = try dataParts(of: id)
    var joined: [UInt8] = []
    joined.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts {
      do throws(ImageError) {
        joined += try part.bytes()
      } catch {
        throw error.inside("item \(id)")
      }
    }
    return joined
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
  /// Initialized when the first such item is resolved.
  private lazy var positions = Dictionary(
    file.items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  private lazy var sources = Dictionary(
    grouping: file.references.filter { $0.type == "iloc" }, by: \.from)

  init(file: HEIFFile) { self.file = file }

  mutating func parts(of id: UInt32, depth: Int) throws(ImageError) -> [SourceBytes] {
    guard let item = depth == 0 ? file.item(id) : positions[id].map({ file.items[$0] }) else {
      throw ImageError(.itemMissing, ["item": id])
    }
    switch item.data {
    case .absent: throw ImageError(.itemWithoutData, ["item": id])
    case .external: throw ImageError(.itemDataExternal, ["item": id])
    case .file(let parts), .itemDataBox(let parts):
      try count(parts.count)
      try checkTotal(of: parts)
      return parts
    case .items(let extents):
      guard depth < file.limits.nesting, active.insert(id).inserted else {
        throw ImageError(.itemDerivedFromItself, ["item": id])
      }
      defer { active.remove(id) }
      let sources = sources[id, default: []].flatMap(\.to)
      var result: [SourceBytes] = []
      for extent in extents {
        let number = max(extent.index, 1)
        guard number <= sources.count else {
          throw ImageError(
            .itemReferenceMissing, ["item": id, "number": number, "count": sources.count])
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
      throw ImageError(.itemDataTruncated, ["size": total, "available": available])
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
        .itemExtentOutOfRange, ["length": extent.length, "offset": extent.offset, "size": total])
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
