// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A property of an item, and whether it is essential.
///
/// Source: ISO/IEC 14496-12, 8.11.14 (ItemPropertiesBox); ISO/IEC 23008-12, 6.5.
package struct ItemProperty: Hashable, Sendable {
  /// The content of a property; types that are not supported are kept verbatim.
  package enum Box: Hashable, Sendable {
    case imageSpatialExtents(ImageSpatialExtentsBox)
    case pixelInformation(PixelInformationBox)
    case colorInformation(ColorInformationBox)
    case imageRotation(ImageRotationBox)
    case imageMirror(ImageMirrorBox)
    case cleanAperture(CleanApertureBox)
    case pixelAspectRatio(PixelAspectRatioBox)
    case auxiliaryType(AuxiliaryTypeBox)
    case hevcConfiguration(HEVCConfigurationBox)
    case av1Configuration(AV1ConfigurationBox)
    case layerSelector(LayerSelectorBox)
    case av1LayeredImageIndexing(AV1LayeredImageIndexingBox)
    case av1OperatingPoint(AV1OperatingPointBox)
    /// Metadata of one of `metadataTypes`, which decoding does not depend on.
    case metadata(Metadata)
    /// Another type, or metadata that cannot be parsed; `userType` are the 16 bytes of the
    /// extended type of a `uuid` box, `nil` for others.
    case unknown(FourCC, userType: [UInt8]?, content: [UInt8])
    /// A supported type that cannot be parsed, with its error; its items cannot be displayed.
    case unreadable(FourCC, content: [UInt8], Failure)
  }

  /// Metadata of any type.
  package struct Metadata: Hashable, Sendable {
    /// The box.
    package let content: any MetadataProperty

    package static func == (first: Metadata, second: Metadata) -> Bool {
      AnyHashable(first.content) == AnyHashable(second.content)
    }

    package func hash(into hasher: inout Hasher) { content.hash(into: &hasher) }
  }

  /// Error of parsing a property.
  ///
  /// Failures with the same code and parameters are equal regardless of their location, so that a
  /// rewritten file equals the parsed one.
  package struct Failure: Hashable, Sendable {
    /// The error of the parser.
    package let error: ImageError

    package init(_ error: ImageError) { self.error = error }

    package static func == (first: Failure, second: Failure) -> Bool {
      first.error.code == second.error.code
        && first.error.parameters == second.error.parameters
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(error.code)
      hasher.combine(error.parameters)
    }
  }

  /// The property.
  package let box: Box
  /// Whether readers that do not support the property must not display its item.
  package var isEssential: Bool
  /// Offset of the box in the file that was parsed; `nil` for a new property.
  package let offset: Int?
  /// Content as stored in the parsed file, if serializing `box` would change it.
  private let original: [UInt8]?
  /// Hash value of the content, computed once: thousands of tiles can share a property of
  /// megabytes.
  private let contentHash: Int

  /// Creates a property.
  ///
  /// - Parameters:
  ///   - box: The property.
  ///   - isEssential: Whether it is essential; `nil` if the standards decide, as
  ///     `Box.isEssentialByDefault`.
  package init(_ box: Box, isEssential: Bool? = nil) {
    self.box = box
    self.isEssential = isEssential ?? box.isEssentialByDefault
    offset = nil
    original = nil
    contentHash = Self.hash(of: box, original: nil)
  }

  /// Parses a property of a file.
  ///
  /// - Parameters:
  ///   - header: Header of the property's box.
  ///   - path: Path of the box in the file.
  ///   - content: Reader of exactly the content of the box.
  @_lifetime(content: copy content)
  init(parsing header: BoxHeader, at path: [String], content: inout ByteReader) {
    offset = content.fileOffset - header.headerSize
    var rest = content
    let bytes = rest.readRest()
    box = Box(parsing: header, at: path, bytes: bytes, content: &content)
    isEssential = false
    original = box.content.contentBytes == bytes ? nil : bytes
    contentHash = Self.hash(of: box, original: original)
  }

  private static func hash(of box: Box, original: [UInt8]?) -> Int {
    var hasher = Hasher()
    hasher.combine(box)
    hasher.combine(original)
    return hasher.finalize()
  }

  /// Box type of the property.
  package var type: FourCC { box.type }

  /// Content of the box after its header, as stored in the parsed file.
  package var contentBytes: [UInt8] { original ?? box.content.contentBytes }

  /// Whether the stored content differs from the serialization that the standard specifies.
  package var isIrregular: Bool { original != nil }

  /// The property as it is stored: the essential flag belongs to the association with an item.
  package var withoutEssentialFlag: ItemProperty {
    var property = self
    property.isEssential = false
    return property
  }

  func write(to writer: inout ByteWriter) {
    writer.writeBox(type) { writer in
      if case .unknown(_, let userType?, _) = box { writer.write(userType) }
      writer.write(contentBytes)
    }
  }
}

extension ItemProperty {
  /// Whether two properties have the same type, content and essential flag, at any offset.
  package static func == (first: ItemProperty, second: ItemProperty) -> Bool {
    first.box == second.box && first.isEssential == second.isEssential
      && first.original == second.original
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(contentHash)
    hasher.combine(isEssential)
  }
}

extension ItemProperty.Box {
  /// Whether a reader that does not support the property must ignore the item.
  ///
  /// Source: ISO/IEC 23000-22 (MIAF), 7.3.9, for transformations; AV1 Image File Format, 2.2.1 and
  /// 2.3.2.1.2; ISO/IEC 23008-12, 6.5.11.1.
  package var isEssentialByDefault: Bool {
    switch self {
    case .hevcConfiguration, .av1Configuration, .cleanAperture, .imageRotation, .imageMirror,
      .layerSelector, .av1OperatingPoint:
      true
    default: false
    }
  }

  /// Rank in the recommended order of an item's properties.
  ///
  /// A reader processes descriptive properties only up to the first transformative or unsupported
  /// one, so the least supported properties come last; transformative ones follow in the order of
  /// MIAF.
  ///
  /// Source: ISO/IEC 23008-12, 6.5.1; ISO/IEC 23000-22, 7.3.6.7.
  package var rank: Int {
    switch self {
    case .unknown, .unreadable: Self.rankOfUnsupported
    default: Self.ranks[type] ?? Self.rankOfUnsupported
    }
  }

  /// Types of one rank each, in their order.
  private static let described: [[FourCC]] =
    [
      ["hvcC", "av1C"], ["ispe"], ["colr"], ["pixi"], ["auxC"], ["pasp"], ["lsel", "a1lx", "a1op"],
    ] + ItemProperty.metadataTypes.map { [$0.boxType] }
  private static let rankOfUnsupported = described.count
  /// Ranks of all types that are parsed.
  static let ranks: [FourCC: Int] = Dictionary(
    uniqueKeysWithValues: (described + [[], ["clap"], ["irot"], ["imir"]]).enumerated().flatMap {
      rank, types in types.map { ($0, rank) }
    })

  /// Metadata in a property.
  static func metadata(_ content: any MetadataProperty) -> Self {
    .metadata(ItemProperty.Metadata(content: content))
  }
}

/// Metadata of an image that decoding does not depend on, in a property of a type in
/// `ItemProperty.metadataTypes`.
package protocol MetadataProperty: BoxContent {
  /// Values of the property as text.
  var fields: [StructureNode.Field] { get }
}

extension MetadataProperty {
  package var fields: [StructureNode.Field] { [] }
}

extension ItemProperty {
  /// Metadata that are parsed, in the recommended order.
  static let metadataTypes: [any MetadataProperty.Type] = [
    ContentLightLevelBox.self, MasteringDisplayColorVolumeBox.self, ContentColorVolumeBox.self,
    AmbientViewingEnvironmentBox.self, NominalDiffuseWhiteBox.self,
    ReferenceViewingEnvironmentBox.self,
  ]
}

extension [ItemProperty] {
  /// The properties in the recommended order, which most readers support.
  package var inRecommendedOrder: [ItemProperty] {
    // A stable sort: the order of color descriptions is significant.
    enumerated().sorted { ($0.element.box.rank, $0.offset) < ($1.element.box.rank, $1.offset) }
      .map(\.element)
  }
}

extension ItemProperty.Box {
  /// Parses a property according to its type.
  ///
  /// Metadata that cannot be parsed are kept as unknown, since decoding does not depend on
  /// them. Other properties that cannot be parsed are kept with their error, which concerns only
  /// the items that use them.
  ///
  /// - Parameters:
  ///   - header: Header of the property's box.
  ///   - path: Path of the box in the file.
  ///   - bytes: Content of the box.
  ///   - content: Reader of the content of the box.
  @_lifetime(content: copy content)
  init(parsing header: BoxHeader, at path: [String], bytes: [UInt8], content: inout ByteReader) {
    let start = content.fileOffset
    do throws(ImageError) {
      switch header.type {
      case ImageSpatialExtentsBox.boxType: self = .imageSpatialExtents(try .init(parsing: &content))
      case PixelInformationBox.boxType: self = .pixelInformation(try .init(parsing: &content))
      case ColorInformationBox.boxType: self = .colorInformation(try .init(parsing: &content))
      case ImageRotationBox.boxType: self = .imageRotation(try .init(parsing: &content))
      case ImageMirrorBox.boxType: self = .imageMirror(try .init(parsing: &content))
      case CleanApertureBox.boxType: self = .cleanAperture(try .init(parsing: &content))
      case PixelAspectRatioBox.boxType: self = .pixelAspectRatio(try .init(parsing: &content))
      case AuxiliaryTypeBox.boxType: self = .auxiliaryType(try .init(parsing: &content))
      case HEVCConfigurationBox.boxType: self = .hevcConfiguration(try .init(parsing: &content))
      case AV1ConfigurationBox.boxType: self = .av1Configuration(try .init(parsing: &content))
      case LayerSelectorBox.boxType: self = .layerSelector(try .init(parsing: &content))
      case AV1LayeredImageIndexingBox.boxType:
        self = .av1LayeredImageIndexing(try .init(parsing: &content))
      case AV1OperatingPointBox.boxType: self = .av1OperatingPoint(try .init(parsing: &content))
      default:
        if let type = Self.metadataTypes[header.type] {
          self = .metadata(try type.init(parsing: &content))
        } else {
          self = .unknown(header.type, userType: header.userType, content: bytes)
        }
      }
    } catch {
      if Self.metadataTypes[header.type] != nil {
        self = .unknown(header.type, userType: nil, content: bytes)
      } else {
        var error = error
        error.location.path = path + error.location.path
        error.location.offset = error.location.offset ?? start
        self = .unreadable(header.type, content: bytes, .init(error))
      }
    }
  }

  private static let metadataTypes = Dictionary(
    uniqueKeysWithValues: ItemProperty.metadataTypes.map { ($0.boxType, $0) })

  /// The associated value as box content.
  package var content: any BoxContent {
    switch self {
    case .imageSpatialExtents(let box): box
    case .pixelInformation(let box): box
    case .colorInformation(let box): box
    case .imageRotation(let box): box
    case .imageMirror(let box): box
    case .cleanAperture(let box): box
    case .pixelAspectRatio(let box): box
    case .auxiliaryType(let box): box
    case .hevcConfiguration(let box): box
    case .av1Configuration(let box): box
    case .layerSelector(let box): box
    case .av1LayeredImageIndexing(let box): box
    case .av1OperatingPoint(let box): box
    case .metadata(let metadata): metadata.content
    case .unknown(_, _, let content), .unreadable(_, let content, _):
      UnknownContent(bytes: content)
    }
  }

  var type: FourCC {
    switch self {
    case .unknown(let type, _, _), .unreadable(let type, _, _): type
    default: Swift.type(of: content).boxType
    }
  }
}

/// Content of a box whose type is known only at run time.
private struct UnknownContent: BoxContent {
  static let boxType = FourCC(rawValue: 0)
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader) throws(ImageError) { bytes = reader.readRest() }

  func write(to writer: inout ByteWriter) { writer.write(bytes) }
}
