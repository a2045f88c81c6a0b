internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Where the boxes of a HEIF file lie, which the item graph does not tell.
struct BoxMap: Sendable {
  struct Box: Sendable {
    let type: FourCC
    let offset: Int
    let content: Range<Int>

    /// Bytes with the header.
    var size: Int { content.upperBound - offset }
  }

  private(set) var topLevel: [Box] = []
  private(set) var meta: [Box] = []
  /// The boxes of `ipco`, in order.
  private(set) var properties: [Box] = []
  /// For each item, the boxes of its properties, in order.
  private(set) var propertiesOfItem: [UInt32: [Box]] = [:]

  /// Maps a file that `HEIFFile` has parsed, so that what is odd is left out instead of refused.
  init(_ source: ByteSource, limits: ImageLimits) {
    topLevel = Self.boxes(of: source, in: 0..<source.count, limits)
    guard let meta = topLevel.first(where: { $0.type == "meta" }), meta.content.count > 4 else {
      return
    }
    self.meta = Self.boxes(
      of: source, in: meta.content.lowerBound + 4..<meta.content.upperBound, limits)
    guard let container = self.meta.first(where: { $0.type == "iprp" }) else { return }
    let parts = Self.boxes(of: source, in: container.content, limits)
    if let list = parts.first(where: { $0.type == "ipco" }) {
      properties = Self.boxes(of: source, in: list.content, limits)
    }
    for part in parts where part.type == "ipma" {
      guard let bytes = try? source.bytes(in: part.content) else { continue }
      var reader = ByteReader(bytes.span, fileOffset: part.content.lowerBound)
      guard let table = try? ItemPropertyAssociationBox(parsing: &reader) else { continue }
      for entry in table.entries {
        propertiesOfItem[entry.itemID, default: []] += entry.associations.compactMap {
          (1...properties.count + 1).contains($0.index) && $0.index <= properties.count
            ? properties[$0.index - 1] : nil
        }
      }
    }
  }

  /// Where a box of `meta` lies.
  func location(ofMeta type: FourCC) -> ImageError.Location {
    ImageError.Location(
      path: ["meta", type.description], offset: meta.first { $0.type == type }?.offset)
  }

  private static func boxes(
    of source: ByteSource, in range: Range<Int>, _ limits: ImageLimits
  ) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while range.upperBound - offset >= 8, boxes.count < limits.items {
      guard let head = try? source.bytes(in: offset..<min(offset + 16, range.upperBound)),
        let box = box(head, at: offset, end: range.upperBound)
      else { break }
      boxes.append(box)
      offset = box.content.upperBound
    }
    return boxes
  }

  /// Source: ISO/IEC 14496-12, 4.2.2.
  private static func box(_ head: [UInt8], at offset: Int, end: Int) -> Box? {
    func number(_ range: Range<Int>) -> UInt64? {
      range.upperBound <= head.count ? head[range].reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
    guard let short = number(0..<4), let type = number(4..<8) else { return nil }
    let available = end - offset
    let size: Int?
    switch short {
    case 0: size = available
    case 1: size = number(8..<16).flatMap { Int(exactly: $0) }
    default: size = Int(short)
    }
    let headerSize = short == 1 ? 16 : 8
    guard let size, size >= headerSize, size <= available else { return nil }
    return Box(
      type: FourCC(rawValue: UInt32(truncatingIfNeeded: type)), offset: offset,
      content: offset + headerSize..<offset + size)
  }
}
