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
    case contentLightLevel(ContentLightLevelBox)
    case masteringDisplayColorVolume(MasteringDisplayColorVolumeBox)
    case contentColorVolume(ContentColorVolumeBox)
    case ambientViewingEnvironment(AmbientViewingEnvironmentBox)
    case referenceViewingEnvironment(ReferenceViewingEnvironmentBox)
    case nominalDiffuseWhite(NominalDiffuseWhiteBox)
    case layerSelector(LayerSelectorBox)
    case av1LayeredImageIndexing(AV1LayeredImageIndexingBox)
    case av1OperatingPoint(AV1OperatingPointBox)
    /// Another type, or HDR metadata that cannot be parsed; `userType` are the 16 bytes of the
    /// extended type of a `uuid` box, `nil` for others.
    case unknown(FourCC, userType: [UInt8]?, content: [UInt8])
    /// A supported type that cannot be parsed, with its error; its items cannot be displayed.
    case unreadable(FourCC, content: [UInt8], Failure)
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
    case .hevcConfiguration, .av1Configuration: 0
    case .imageSpatialExtents: 1
    case .colorInformation: 2
    case .pixelInformation: 3
    case .auxiliaryType: 4
    case .pixelAspectRatio: 5
    case .layerSelector, .av1LayeredImageIndexing, .av1OperatingPoint: 6
    case .contentLightLevel: 7
    case .masteringDisplayColorVolume: 8
    case .contentColorVolume: 9
    case .ambientViewingEnvironment: 10
    case .nominalDiffuseWhite: 11
    case .referenceViewingEnvironment: 12
    case .unknown, .unreadable: 13
    case .cleanAperture: 14
    case .imageRotation: 15
    case .imageMirror: 16
    }
  }
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
  /// HDR metadata that cannot be parsed are kept as unknown, since decoding does not depend on
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
      case ContentLightLevelBox.boxType: self = .contentLightLevel(try .init(parsing: &content))
      case MasteringDisplayColorVolumeBox.boxType:
        self = .masteringDisplayColorVolume(try .init(parsing: &content))
      case ContentColorVolumeBox.boxType: self = .contentColorVolume(try .init(parsing: &content))
      case AmbientViewingEnvironmentBox.boxType:
        self = .ambientViewingEnvironment(try .init(parsing: &content))
      case ReferenceViewingEnvironmentBox.boxType:
        self = .referenceViewingEnvironment(try .init(parsing: &content))
      case NominalDiffuseWhiteBox.boxType: self = .nominalDiffuseWhite(try .init(parsing: &content))
      case LayerSelectorBox.boxType: self = .layerSelector(try .init(parsing: &content))
      case AV1LayeredImageIndexingBox.boxType:
        self = .av1LayeredImageIndexing(try .init(parsing: &content))
      case AV1OperatingPointBox.boxType: self = .av1OperatingPoint(try .init(parsing: &content))
      default: self = .unknown(header.type, userType: header.userType, content: bytes)
      }
    } catch {
      if Self.lightMetadata.contains(header.type) {
        self = .unknown(header.type, userType: nil, content: bytes)
      } else {
        var error = error
        error.location.path = path + error.location.path
        error.location.offset = error.location.offset ?? start
        self = .unreadable(header.type, content: bytes, .init(error))
      }
    }
  }

  private static let lightMetadata: Set<FourCC> = [
    ContentLightLevelBox.boxType,
    MasteringDisplayColorVolumeBox.boxType,
    ContentColorVolumeBox.boxType,
    AmbientViewingEnvironmentBox.boxType,
    ReferenceViewingEnvironmentBox.boxType,
    NominalDiffuseWhiteBox.boxType,
  ]

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
    case .contentLightLevel(let box): box
    case .masteringDisplayColorVolume(let box): box
    case .contentColorVolume(let box): box
    case .ambientViewingEnvironment(let box): box
    case .referenceViewingEnvironment(let box): box
    case .nominalDiffuseWhite(let box): box
    case .layerSelector(let box): box
    case .av1LayeredImageIndexing(let box): box
    case .av1OperatingPoint(let box): box
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
