public import HDRCore

/// A HEIF or AVIF file: brands, items with properties and data, references and groups.
///
/// Parsing reads the structure; the data of items stays in the source until it is asked for. A file
/// can also be put together from nothing. `serialized()` writes either.
///
/// Two files are equal if they say the same: brands, items with properties and data, references,
/// groups and unknown boxes. How the bytes of items are laid out in the file is not compared.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 23008-12; AV1 Image File Format.
public struct HEIFFile: Sendable {
  /// The brands of the file.
  public var fileType: FileTypeBox
  package var handler: HandlerBox
  /// The item that `pitm` names.
  public var primaryItemID: UInt32?
  /// In the order of the file.
  public var items: [HEIFItem] {
    get { storedItems }
    set {
      storedItems = newValue
      itemIndex = HEIFIndex()
    }
    _modify {
      itemIndex = HEIFIndex()
      yield &storedItems
    }
  }
  /// References between items, in the order of the file.
  public var references: [ItemReference] {
    get { storedReferences }
    set {
      storedReferences = newValue
      (referenceIndex, targetIndex) = (HEIFIndex(), HEIFIndex())
    }
    _modify {
      (referenceIndex, targetIndex) = (HEIFIndex(), HEIFIndex())
      yield &storedReferences
    }
  }
  /// Groups of items, in the order of the file.
  public var groups: [EntityGroup]
  /// What is odd about the file, but readable.
  public internal(set) var notices: [Notice]

  /// Where things stood in the file that was read.
  package var layout: HEIFLayout
  let limits: ImageLimits
  /// What `items` and `references` hold; whoever changes identifiers replaces the index, too.
  var storedItems: [HEIFItem] = []
  private var storedReferences: [ItemReference] = []
  private var itemIndex = HEIFIndex()
  /// By what refers.
  private var referenceIndex = HEIFIndex()
  /// By what is referred to.
  private var targetIndex = HEIFIndex()

  /// A file without items.
  public init(fileType: FileTypeBox, limits: ImageLimits = ImageLimits()) {
    self.fileType = fileType
    handler = .pictures
    groups = []
    notices = []
    layout = HEIFLayout()
    self.limits = limits
  }

  /// The picture of the file.
  ///
  /// - Throws: `.malformed` if `pitm` is absent or names no item.
  public var primaryItem: HEIFItem {
    get throws(ImageError) {
      guard let primaryItemID else {
        throw ImageError(
          .missingElement, ["element": "the primary item"], at: .init(path: ["meta"]))
      }
      guard let item = item(primaryItemID) else {
        throw ImageError(.itemMissing, ["item": primaryItemID], at: .init(path: ["meta", "pitm"]))
      }
      return item
    }
  }

  /// Whether the file that was read is a low-overhead file; what is written never is.
  public var isMinimized: Bool { layout.isMinimized }

  /// A box that the file ends within.
  package struct CutBox: Hashable, Sendable {
    package let type: FourCC
    /// Where it begins.
    package let offset: Int
    /// Bytes that it lacks.
    package let missing: Int
  }

  /// The last box, if the file ends before it does.
  package var cutBox: CutBox? { layout.cutBox }

  /// What was cut off the file, and what in it cannot be read although the rest can; part of `notices`.
  package var damage: [Notice] { layout.damage }

  /// Items with data beyond the end of the file.
  package var cutItems: [HEIFItem] {
    items.filter { item in
      guard case .file(let parts) = item.data else { return false }
      return !parts.allSatisfy(\.isWhole)
    }
  }

  /// The item with this identifier.
  public func item(_ id: UInt32) -> HEIFItem? { position(of: id).map { storedItems[$0] } }

  /// Where the item with this identifier is among `items`.
  func position(of id: UInt32) -> Int? {
    itemIndex.positions(of: id) { storedItems.lazy.map { [$0.id] } }.first
  }

  /// The properties of an item, in order; none if there is no such item.
  public func properties(of id: UInt32) -> [ItemProperty] { item(id)?.properties ?? [] }

  /// What an item refers to, in order: the tiles of a grid by `dimg`, say.
  public func references(from id: UInt32, type: FourCC) -> [UInt32] {
    referenceIndex.positions(of: id) { storedReferences.lazy.map { [$0.from] } }
      .map { storedReferences[$0] }.filter { $0.type == type }.flatMap(\.to)
  }

  /// Which items refer to one: its alpha and auxiliary pictures by `auxl`, say.
  public func references(to id: UInt32, type: FourCC) -> [UInt32] {
    targetIndex.positions(of: id) { storedReferences.lazy.map { Set($0.to) } }
      .map { storedReferences[$0] }.filter { $0.type == type }.map(\.from)
  }

  /// Top-level boxes beside `ftyp`, `meta`, `mdat` and `moov`, in order.
  package var otherBoxes: [OpaqueBox] {
    layout.topLevel.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }

  /// Boxes in `meta` that are kept as they are, in order.
  package var otherMetaBoxes: [OpaqueBox] {
    layout.meta.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }
}

extension HEIFFile: Equatable {
  public static func == (a: HEIFFile, b: HEIFFile) -> Bool {
    a.fileType == b.fileType && a.handler == b.handler && a.primaryItemID == b.primaryItemID
      && a.items == b.items && a.references == b.references && a.groups == b.groups
      && a.otherBoxes == b.otherBoxes && a.otherMetaBoxes == b.otherMetaBoxes
      && a.layout.unusedProperties == b.layout.unusedProperties
      && a.layout.otherAssociations == b.layout.otherAssociations
      && a.layout.otherPropertiesBoxes == b.layout.otherPropertiesBoxes
      && a.layout.movie == b.layout.movie && a.layout.trailer == b.layout.trailer
  }
}
