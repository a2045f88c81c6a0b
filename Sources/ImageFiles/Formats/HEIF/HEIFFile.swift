// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A HEIF or AVIF file: brands, items with properties and data, references and groups.
///
/// Parsing reads the structure; the data of items stay in the source until they are requested.
/// `serialized()` writes the file. `ImageFile` interprets and edits the structure.
///
/// Two files are equal if their brands, primary item, items with properties and data, references,
/// groups, sequence, unknown boxes and trailing data are equal. The layout of item data in the file
/// is not compared.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 23008-12; AV1 Image File Format.
package struct HEIFFile: Sendable {
  /// The brands of the file.
  package var fileType: FileTypeBox
  package var handler: HandlerBox
  /// Identifier of the primary item, as stored in `pitm`; `nil` if missing.
  package var primaryItemID: UInt32?
  /// Items in file order.
  package var items: [HEIFItem] {
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
  /// References between items, in file order.
  package var references: [ItemReference] {
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
  /// Groups of items and tracks, in file order.
  package var groups: [EntityGroup]
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice]

  /// Layout of the parsed file.
  package var layout: HEIFLayout
  let limits: ImageLimits
  /// Storage of `items`; code that changes identifiers must also reset the index.
  var storedItems: [HEIFItem] = []
  private var storedReferences: [ItemReference] = []
  private var itemIndex = HEIFIndex()
  /// Positions of references by referring item.
  private var referenceIndex = HEIFIndex()
  /// Positions of references by referenced item.
  private var targetIndex = HEIFIndex()

  /// Creates a file without items.
  package init(fileType: FileTypeBox, limits: ImageLimits = ImageLimits()) {
    self.fileType = fileType
    handler = .images
    groups = []
    notices = []
    layout = HEIFLayout()
    self.limits = limits
  }

  /// The primary image of the file.
  ///
  /// - Throws: `.malformed` if `pitm` is missing or the item does not exist.
  package var primaryItem: HEIFItem {
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

  /// Whether the parsed file is a low-overhead file; serialized files never are.
  package var isMinimized: Bool { layout.isMinimized }

  /// A box that is truncated by the end of the file.
  package struct CutBox: Hashable, Sendable {
    package let type: FourCC
    /// Offset of the box.
    package let offset: Int
    /// Number of missing bytes.
    package let missing: Int
  }

  /// The truncated last box; `nil` if the file is complete.
  package var cutBox: CutBox? { layout.cutBox }

  /// Notices about truncation and unreadable properties; included in `notices`.
  package var damage: [Notice] { layout.damage }

  /// Items whose data exceed the end of the file.
  package var cutItems: [HEIFItem] {
    items.filter { item in
      guard case .file(let parts) = item.data else { return false }
      return !parts.allSatisfy(\.isWhole)
    }
  }

  /// Returns the first item with an identifier; `nil` if it does not exist.
  package func item(_ id: UInt32) -> HEIFItem? { position(of: id).map { storedItems[$0] } }

  /// Returns the index in `items` of the item with an identifier.
  func position(of id: UInt32) -> Int? {
    itemIndex.positions(of: id) { storedItems.lazy.map { [$0.id] } }.first
  }

  /// Returns the properties of an item, in order; empty if the item does not exist.
  package func properties(of id: UInt32) -> [ItemProperty] { item(id)?.properties ?? [] }

  /// Returns the items that an item refers to, in order, for example the tiles of a grid by `dimg`.
  ///
  /// - Parameters:
  ///   - id: Identifier of the referring item.
  ///   - type: Reference type.
  /// - Returns: Identifiers, which need not be those of existing items.
  package func references(from id: UInt32, type: FourCC) -> [UInt32] {
    referenceIndex.positions(of: id) { storedReferences.lazy.map { [$0.from] } }
      .map { storedReferences[$0] }.filter { $0.type == type }.flatMap(\.to)
  }

  /// Returns the items that refer to an item, for example its auxiliary images by `auxl`.
  ///
  /// - Parameters:
  ///   - id: Identifier of the referenced item.
  ///   - type: Reference type.
  /// - Returns: Identifiers in file order, which need not be those of existing items.
  package func references(to id: UInt32, type: FourCC) -> [UInt32] {
    targetIndex.positions(of: id) { storedReferences.lazy.map { Set($0.to) } }
      .map { storedReferences[$0] }.filter { $0.type == type }.map(\.from)
  }

  /// Top-level boxes other than `ftyp`, `meta`, `mdat` and `moov`, in order.
  package var otherBoxes: [OpaqueBox] {
    layout.topLevel.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }

  /// Boxes in `meta` that are kept verbatim, in order.
  package var otherMetaBoxes: [OpaqueBox] {
    layout.meta.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }
}

extension HEIFFile: Equatable {
  package static func == (a: HEIFFile, b: HEIFFile) -> Bool {
    a.fileType == b.fileType && a.handler == b.handler && a.primaryItemID == b.primaryItemID
      && a.items == b.items && a.references == b.references && a.groups == b.groups
      && a.otherBoxes == b.otherBoxes && a.otherMetaBoxes == b.otherMetaBoxes
      && a.layout.unusedProperties == b.layout.unusedProperties
      && a.layout.otherAssociations == b.layout.otherAssociations
      && a.layout.otherPropertiesBoxes == b.layout.otherPropertiesBoxes
      && a.layout.movie == b.layout.movie && a.layout.trailer == b.layout.trailer
      && a.layout.replacements == b.layout.replacements
      && a.layout.omitsUnusedData == b.layout.omitsUnusedData
  }
}
