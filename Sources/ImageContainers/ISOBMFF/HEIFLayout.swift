package import HDRCore

/// Where things stand in a file: what rewriting keeps in its place.
package struct HEIFLayout: Sendable {
  /// A box of the file.
  package enum TopLevelBox: Sendable {
    case fileType
    case meta
    case movie(MovieBox)
    case mediaData(OpaqueBox)
    case other(OpaqueBox)
  }

  /// A box in `meta`.
  package enum MetaBox: Sendable {
    case handler
    case primaryItem
    case itemLocation
    case itemInformation
    case itemReference
    case itemProperties
    case itemData
    case groupsList
    case other(OpaqueBox)

    package var isHandler: Bool {
      if case .handler = self { return true }
      return false
    }
  }

  /// The location of a box in the file that was parsed.
  package struct BoxLocation: Sendable {
    package let type: FourCC
    package let offset: Int
  }

  /// Bytes that belonged to an item.
  package struct Claim: Sendable {
    package var range: Range<Int>
    package var isPicture: Bool
  }

  package var topLevel: [TopLevelBox] = [.fileType, .meta]
  /// The usual order.
  package var meta: [MetaBox] = [
    .handler, .primaryItem, .itemLocation, .itemInformation, .itemReference, .itemProperties,
    .itemData, .groupsList,
  ]
  /// The boxes of `meta` in the file that was parsed, in order; empty for a new file.
  package var metaBoxLocations: [BoxLocation] = []
  package var metaHeader = FullBoxHeader()
  /// The content of `idat`.
  package var itemData: SourceBytes?
  /// The boxes of `ipco` in their order, also those that no item uses.
  package var properties: [ItemProperty] = []
  /// Which of them no item used.
  package var unusedProperties: Set<ItemProperty> = []
  /// Properties of what is no item: groups, in newer editions.
  package var otherAssociations: [UInt32: [ItemProperty]] = [:]
  /// Boxes of `iprp` beside `ipco` and `ipma`.
  package var otherPropertiesBoxes: [OpaqueBox] = []
  /// The file that was read.
  package var origin: SourceBytes.Origin?
  /// Where the data of items was, in the bytes of that file.
  package var claims: [Claim] = []
  /// Whether `mini` stood where `meta` stands now.
  package var isMinimized = false
  /// What follows the last box of the file and is none.
  package var trailer: SourceBytes?
  /// Whether that is a file of its own, as cameras append films.
  package var trailerIsFile = false
  /// The last box, if the file ends before it does; but for `mdat` it is the trailer.
  package var cutBox: HEIFFile.CutBox?
  /// What was cut off the file, and properties that cannot be read.
  package var damage: [Notice] = []

  package var movie: MovieBox? {
    for box in topLevel { if case .movie(let movie) = box { return movie } }
    return nil
  }
}

extension HEIFLayout {
  /// Google's box with the video of a motion photo; it ends the part of the file that holds the image.
  ///
  /// Source: Motion Photo format 1.0, "ISOBMFF-image-specific behavior".
  package static let videoBox: FourCC = "mpvd"
}
