public import HDRCore

/// A property of an item: what it says, and whether a reader must understand it.
public struct ItemProperty: Hashable, Sendable {
  /// The kinds of properties that are understood, and the rest verbatim.
  public enum Box: Hashable, Sendable {
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
    /// Another type, or light metadata that cannot be read.
    case unknown(FourCC, userType: [UInt8]?, content: [UInt8])
    /// A known type whose fields cannot be read, and why: its items cannot be shown.
    case unreadable(FourCC, content: [UInt8], Failure)
  }

  /// Why the fields of a property cannot be read, and where.
  ///
  /// Failures for the same reason are equal, wherever they occur: a file that is written anew equals
  /// the one that was read.
  public struct Failure: Hashable, Sendable {
    /// The error of the parser.
    public let error: ImageError

    public init(_ error: ImageError) { self.error = error }

    public static func == (first: Failure, second: Failure) -> Bool {
      first.error.code == second.error.code
        && first.error.parameters == second.error.parameters
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(error.code)
      hasher.combine(error.parameters)
    }
  }

  /// The property.
  public let box: Box
  /// Whether readers that do not understand the property must not show its item.
  public var isEssential: Bool
  /// Offset of the box in the file that was parsed; `nil` for a new property.
  package let offset: Int?
  /// The content as it stands in the file, where writing `box` would give other bytes.
  private let original: [UInt8]?

  /// A property to write; essential if the standards ask for that, unless the caller says otherwise.
  public init(_ box: Box, isEssential: Bool? = nil) {
    self.box = box
    self.isEssential = isEssential ?? box.isEssentialByDefault
    offset = nil
    original = nil
  }

  /// A property as it stands in a file.
  ///
  /// - Parameters:
  ///   - header: The header of the property's box.
  ///   - path: Where the box is in the file.
  ///   - content: Covers exactly the content of the box.
  @_lifetime(content: copy content)
  init(parsing header: BoxHeader, at path: [String], content: inout ByteReader) {
    offset = content.fileOffset - header.headerSize
    var rest = content
    let bytes = rest.readRest()
    box = Box(parsing: header, at: path, bytes: bytes, content: &content)
    isEssential = false
    original = box.content.contentBytes == bytes ? nil : bytes
  }

  /// Box type of the property.
  public var type: FourCC { box.type }

  /// The content of the box: as read, if it was read.
  public var contentBytes: [UInt8] { original ?? box.content.contentBytes }

  /// Whether the file spells the property otherwise than the standard's table.
  public var isIrregular: Bool { original != nil }

  func write(to writer: inout ByteWriter) {
    writer.writeBox(type) { writer in
      if case .unknown(_, let userType?, _) = box { writer.write(userType) }
      writer.write(contentBytes)
    }
  }
}

extension ItemProperty {
  /// Whether two properties have the same type, content and essential flag, at any offset.
  public static func == (first: ItemProperty, second: ItemProperty) -> Bool {
    first.box == second.box && first.isEssential == second.isEssential
      && first.original == second.original
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(box)
    hasher.combine(isEssential)
    hasher.combine(original)
  }
}
