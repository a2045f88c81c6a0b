internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A HEIF or AVIF file with everything that rules look up in it.
struct CheckedHEIF: Sendable {
  let file: HEIFFile
  let boxes: BoxMap
  let byteCount: Int
  private let positions: [UInt32: Int]
  private let outgoing: [UInt32: [ItemReference]]
  private let incoming: [UInt32: [ItemReference]]
  private let bitstreams: [UInt32: Result<CodedBitstream, ImageError>]

  init(_ file: HEIFFile, _ source: ByteSource, limits: ImageLimits) {
    self.file = file
    boxes = BoxMap(source, limits: limits)
    byteCount = source.count
    positions = Dictionary(
      file.items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    outgoing = Dictionary(grouping: file.references, by: \.from)
    var incoming: [UInt32: [ItemReference]] = [:]
    for reference in file.references {
      for id in Set(reference.to) { incoming[id, default: []].append(reference) }
    }
    self.incoming = incoming
    bitstreams = CodedBitstream.all(of: file, budget: 2 * source.count)
  }

  var isAVIF: Bool {
    file.fileType.contains("avif") || file.fileType.contains("avis")
      || primary.map { coded(of: $0).contains { $0.type == "av01" } } ?? false
  }

  var primary: HEIFItem? { file.primaryItemID.flatMap(item) }

  func item(_ id: UInt32) -> HEIFItem? { positions[id].map { file.items[$0] } }

  func references(from id: UInt32, type: FourCC) -> [UInt32] {
    (outgoing[id] ?? []).lazy.filter { $0.type == type }.flatMap(\.to)
  }

  func references(to id: UInt32, type: FourCC) -> [UInt32] {
    (incoming[id] ?? []).lazy.filter { $0.type == type }.map(\.from)
  }

  /// Coded and derived pictures, but for tone maps.
  var pictures: [HEIFItem] {
    file.items.filter { Self.codedTypes.contains($0.type) || Self.derivedTypes.contains($0.type) }
  }

  func items(_ type: FourCC) -> [HEIFItem] { file.items.filter { $0.type == type } }

  var toneMaps: [HEIFItem] { items("tmap") }

  /// The coded pictures that one is made from: itself, or the tiles of a grid.
  func coded(of item: HEIFItem) -> [HEIFItem] {
    if Self.codedTypes.contains(item.type) { return [item] }
    return references(from: item.id, type: "dimg").compactMap(self.item).filter {
      Self.codedTypes.contains($0.type)
    }
  }

  /// What the headers of a coded picture say.
  ///
  /// - Throws: Why they cannot be read.
  func bitstream(of id: UInt32) throws(ImageError) -> CodedBitstream {
    guard let result = bitstreams[id] else {
      throw ImageError(.itemCodingUnknown, at: .init(path: ["item \(id)"]))
    }
    return try result.get()
  }

  /// Where a property of an item lies.
  func location(_ item: HEIFItem, _ type: FourCC, number: Int = 0) -> ImageError.Location {
    let found = (boxes.propertiesOfItem[item.id] ?? []).filter { $0.type == type }
    let box = found.dropFirst(number).first
    return ImageError.Location(
      path: ["item \(item.id)", type.description], offset: box?.offset)
  }

  /// Where an item is listed, or its data are.
  func location(_ item: HEIFItem) -> ImageError.Location {
    let offset: Int? =
      switch item.data {
      case .file(let parts), .itemDataBox(let parts): parts.first?.offset
      case .absent, .items, .external: nil
      }
    return ImageError.Location(path: ["item \(item.id)"], offset: offset)
  }

  static let codedTypes: Set<FourCC> = ["hvc1", "av01", "avc1", "jpeg", "j2k1", "vvc1", "evc1"]
  static let derivedTypes: Set<FourCC> = ["grid", "iovl", "iden"]
}

extension HEIFItem {
  /// Properties of a kind, in order.
  func all<Content: BoxContent>(_ type: Content.Type) -> [(content: Content, isEssential: Bool)] {
    properties.compactMap { property in
      (property.box.content as? Content).map { ($0, property.isEssential) }
    }
  }

  /// What the item would be turned and cropped by.
  var transformations: [ItemProperty] { properties.filter(\.isTransformation) }
}

extension ItemProperty {
  /// Source: ISO/IEC 23008-12, 6.5: transformative item properties.
  var isTransformation: Bool { type == "clap" || type == "irot" || type == "imir" }
}
