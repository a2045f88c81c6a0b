internal import HDRCore

/// Where things stand in a file: what rewriting keeps in its place.
struct HEIFLayout: Sendable {
  /// A box of the file.
  enum TopLevelBox: Sendable {
    case fileType
    case meta
    case movie(MovieBox)
    case mediaData(OpaqueBox)
    case other(OpaqueBox)
  }

  /// A box in `meta`.
  enum MetaBox: Sendable {
    case handler
    case primaryItem
    case itemLocation
    case itemInformation
    case itemReference
    case itemProperties
    case itemData
    case groupsList
    case other(OpaqueBox)

    var isHandler: Bool {
      if case .handler = self { return true }
      return false
    }
  }

  /// Bytes that belonged to an item.
  struct Claim: Sendable {
    var range: Range<Int>
    var isPicture: Bool
  }

  var topLevel: [TopLevelBox] = [.fileType, .meta]
  /// The usual order.
  var meta: [MetaBox] = [
    .handler, .primaryItem, .itemLocation, .itemInformation, .itemReference, .itemProperties,
    .itemData, .groupsList,
  ]
  var metaHeader = FullBoxHeader()
  /// The content of `idat`.
  var itemData: SourceBytes?
  /// The boxes of `ipco` in their order, also those that no item uses.
  var properties: [ItemProperty] = []
  /// Which of them no item used.
  var unusedProperties: Set<ItemProperty> = []
  /// Properties of what is no item: groups, in newer editions.
  var otherAssociations: [UInt32: [ItemProperty]] = [:]
  /// Boxes of `iprp` beside `ipco` and `ipma`.
  var otherPropertiesBoxes: [OpaqueBox] = []
  /// The file that was read.
  var origin: SourceBytes.Origin?
  /// Where the data of items was, in the bytes of that file.
  var claims: [Claim] = []
  /// Whether `mini` stood where `meta` stands now.
  var isMinimized = false
  /// What follows the last box of the file and is none.
  var trailer: SourceBytes?
  /// Whether that is a file of its own, as cameras append films.
  var trailerIsFile = false
  /// The last box, if the file ends before it does; but for `mdat` it is the trailer.
  var cutBox: HEIFFile.CutBox?
  /// What was cut off the file, and properties that cannot be read.
  var damage: [Notice] = []

  var movie: MovieBox? {
    for box in topLevel { if case .movie(let movie) = box { return movie } }
    return nil
  }
}
