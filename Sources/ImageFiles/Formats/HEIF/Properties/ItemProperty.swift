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
