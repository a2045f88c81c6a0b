// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Layout of a file, as far as it is preserved on rewriting.
package struct HEIFLayout: Sendable {
  /// A top-level box.
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

  /// A range that was used by an item.
  package struct Claim: Sendable {
    package var range: Range<Int>
    package var isImage: Bool
  }

  package var topLevel: [TopLevelBox] = [.fileType, .meta]
  /// Order of the boxes in `meta`; by default the usual order.
  package var meta: [MetaBox] = [
    .handler, .primaryItem, .itemLocation, .itemInformation, .itemReference, .itemProperties,
    .itemData, .groupsList,
  ]
  /// Boxes of `meta` in the parsed file, in order; empty for a new file.
  package var metaBoxLocations: [BoxLocation] = []
  package var metaHeader = FullBoxHeader()
  /// Content of `idat`.
  package var itemData: SourceBytes?
  /// Properties of `ipco` in order, including unused ones.
  package var properties: [ItemProperty] = []
  /// Properties that were not used by an item.
  package var unusedProperties: Set<ItemProperty> = []
  /// Properties of entities other than items, such as groups in newer editions.
  package var otherAssociations: [UInt32: [ItemProperty]] = [:]
  /// Boxes of `iprp` other than `ipco` and `ipma`.
  package var otherPropertiesBoxes: [OpaqueBox] = []
  /// Bytes after the fields of boxes in `meta`, which are not written.
  package var surplus: [UInt8] = []
  /// The parsed file.
  package var origin: SourceBytes.Origin?
  /// Ranges of item data in the parsed file.
  package var claims: [Claim] = []
  /// Whether the parsed file has a `mini` box in place of `meta`.
  package var isMinimized = false
  /// Data after the last box.
  package var trailer: SourceBytes?
  /// Whether the trailer is a separate file, such as a video appended by a camera.
  package var trailerIsFile = false
  /// New bytes for ranges of the parsed file outside of the images, in ascending order.
  package var replacements: [VideoMetadata.Replacement] = []
  /// Whether media data that no item refers to are omitted.
  package var omitsUnusedData = false
  /// The truncated last box; unless it is `mdat`, it is part of the trailer.
  package var cutBox: HEIFFile.CutBox?
  /// Notices about truncation and unreadable properties.
  package var damage: [Notice] = []

  package var movie: MovieBox? {
    for box in topLevel { if case .movie(let movie) = box { return movie } }
    return nil
  }
}

extension HEIFLayout {
  /// Ranges of videos in the parsed file: the box of a motion photo, and a file after the image.
  package var videos: [Range<Int>] {
    topLevel.compactMap { box in
      if case .other(let box) = box, box.type == Self.videoBox { box.content.range } else { nil }
    } + (trailerIsFile ? [trailer?.range].compactMap { $0 } : [])
  }

  /// Google's box with the video of a motion photo, which follows the boxes of the image.
  ///
  /// Source: Motion Photo format 1.0, "ISOBMFF-image-specific behavior".
  package static let videoBox: FourCC = "mpvd"
}
