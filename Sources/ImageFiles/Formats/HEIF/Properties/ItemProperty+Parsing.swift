// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
  init(
    parsing header: BoxHeader, at path: [String], bytes: [UInt8], content: inout ByteReader
  ) {
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
