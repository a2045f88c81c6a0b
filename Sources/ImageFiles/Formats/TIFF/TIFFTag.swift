// SPDX-License-Identifier: Apache-2.0

/// The tag number of an entry, such as 271 for Make.
package struct TIFFTag: RawRepresentable, Hashable, Sendable {
  /// The number in the file.
  package var rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// Tags of TIFF and Exif.
///
/// Source: TIFF 6.0; TIFF Technical Note 3 for predictors and sample formats; Exif 3.0 (CIPA
/// DC-008); LogLuv by Greg Ward for the luminance of samples; DNG specification 1.7.1.0 for its
/// version.
extension TIFFTag {
  package static let newSubfileType = TIFFTag(rawValue: 254)
  package static let subfileType = TIFFTag(rawValue: 255)
  package static let imageWidth = TIFFTag(rawValue: 256)
  package static let imageLength = TIFFTag(rawValue: 257)
  package static let bitsPerSample = TIFFTag(rawValue: 258)
  package static let compression = TIFFTag(rawValue: 259)
  package static let photometric = TIFFTag(rawValue: 262)
  package static let make = TIFFTag(rawValue: 271)
  package static let model = TIFFTag(rawValue: 272)
  package static let stripOffsets = TIFFTag(rawValue: 273)
  package static let orientation = TIFFTag(rawValue: 274)
  package static let samplesPerPixel = TIFFTag(rawValue: 277)
  package static let rowsPerStrip = TIFFTag(rawValue: 278)
  package static let stripByteCounts = TIFFTag(rawValue: 279)
  package static let xResolution = TIFFTag(rawValue: 282)
  package static let yResolution = TIFFTag(rawValue: 283)
  package static let planarConfiguration = TIFFTag(rawValue: 284)
  package static let resolutionUnit = TIFFTag(rawValue: 296)
  package static let software = TIFFTag(rawValue: 305)
  package static let dateTime = TIFFTag(rawValue: 306)
  package static let predictor = TIFFTag(rawValue: 317)
  package static let whitePoint = TIFFTag(rawValue: 318)
  package static let primaryChromaticities = TIFFTag(rawValue: 319)
  package static let colorMap = TIFFTag(rawValue: 320)
  package static let tileWidth = TIFFTag(rawValue: 322)
  package static let tileLength = TIFFTag(rawValue: 323)
  package static let tileOffsets = TIFFTag(rawValue: 324)
  package static let tileByteCounts = TIFFTag(rawValue: 325)
  package static let subdirectories = TIFFTag(rawValue: 330)
  package static let extraSamples = TIFFTag(rawValue: 338)
  package static let sampleFormat = TIFFTag(rawValue: 339)
  package static let jpegOffset = TIFFTag(rawValue: 513)
  package static let jpegByteCount = TIFFTag(rawValue: 514)
  /// YCbCrPositioning.
  package static let chromaPositioning = TIFFTag(rawValue: 531)
  package static let xmp = TIFFTag(rawValue: 700)
  package static let copyright = TIFFTag(rawValue: 33432)
  package static let exposureTime = TIFFTag(rawValue: 33434)
  package static let fNumber = TIFFTag(rawValue: 33437)
  package static let iptc = TIFFTag(rawValue: 33723)
  package static let photoshop = TIFFTag(rawValue: 34377)
  package static let exifDirectory = TIFFTag(rawValue: 34665)
  package static let iccProfile = TIFFTag(rawValue: 34675)
  package static let gpsDirectory = TIFFTag(rawValue: 34853)
  package static let isoSpeed = TIFFTag(rawValue: 34855)
  package static let exifVersion = TIFFTag(rawValue: 36864)
  package static let dateTimeOriginal = TIFFTag(rawValue: 36867)
  package static let componentsConfiguration = TIFFTag(rawValue: 37121)
  package static let focalLength = TIFFTag(rawValue: 37386)
  package static let sampleToNits = TIFFTag(rawValue: 37439)
  package static let makerNote = TIFFTag(rawValue: 37500)
  package static let flashpixVersion = TIFFTag(rawValue: 40960)
  package static let colorSpace = TIFFTag(rawValue: 40961)
  package static let pixelXDimension = TIFFTag(rawValue: 40962)
  package static let pixelYDimension = TIFFTag(rawValue: 40963)
  package static let interoperabilityDirectory = TIFFTag(rawValue: 40965)
  package static let lensModel = TIFFTag(rawValue: 42036)
  package static let dngVersion = TIFFTag(rawValue: 50706)
}

extension TIFFTag {
  /// Directories of different purposes have separate tag namespaces.
  enum Group {
    case main
    case exif
    case location
  }

  /// The name in its standard, or the number.
  package var title: String { name(in: .main) ?? jpegXRName ?? "tag \(rawValue)" }

  /// Returns the name of a tag, as in its standard; `nil` if it is not listed.
  ///
  /// Source: TIFF 6.0; Exif 3.0; DNG 1.7.1; TIFF/EP.
  func name(in group: Group) -> String? {
    switch group {
    case .main: Self.mainNames[rawValue] ?? Self.exifNames[rawValue]
    case .exif: Self.exifNames[rawValue] ?? Self.mainNames[rawValue]
    case .location: Self.locationNames[rawValue]
    }
  }

  /// Returns names and group of the directories that an entry refers to; `nil` for other entries.
  func subdirectory(in group: Group) -> (name: (Int) -> String, group: Group)? {
    guard group != .location else { return nil }
    switch self {
    case .subdirectories: return ({ "SubIFD \($0)" }, .main)
    case .exifDirectory: return ({ _ in "Exif IFD" }, .exif)
    case .gpsDirectory: return ({ _ in "GPS IFD" }, .location)
    default: return nil
    }
  }

  private static let mainNames: [UInt16: String] = [
    254: "NewSubfileType", 255: "SubfileType", 256: "ImageWidth", 257: "ImageLength",
    258: "BitsPerSample", 259: "Compression", 262: "PhotometricInterpretation",
    266: "FillOrder", 269: "DocumentName", 270: "ImageDescription", 271: "Make", 272: "Model",
    273: "StripOffsets", 274: "Orientation", 277: "SamplesPerPixel", 278: "RowsPerStrip",
    279: "StripByteCounts", 280: "MinSampleValue", 281: "MaxSampleValue", 282: "XResolution",
    283: "YResolution", 284: "PlanarConfiguration", 296: "ResolutionUnit", 297: "PageNumber",
    301: "TransferFunction", 305: "Software", 306: "DateTime", 315: "Artist",
    316: "HostComputer", 317: "Predictor", 318: "WhitePoint", 319: "PrimaryChromaticities",
    320: "ColorMap", 322: "TileWidth", 323: "TileLength", 324: "TileOffsets",
    325: "TileByteCounts", 330: "SubIFDs", 338: "ExtraSamples", 339: "SampleFormat",
    340: "SMinSampleValue", 341: "SMaxSampleValue", 347: "JPEGTables",
    513: "JPEGInterchangeFormat", 514: "JPEGInterchangeFormatLength", 529: "YCbCrCoefficients",
    530: "YCbCrSubSampling", 531: "YCbCrPositioning", 532: "ReferenceBlackWhite", 700: "XMP",
    33421: "CFARepeatPatternDim", 33422: "CFAPattern", 33432: "Copyright", 33723: "IPTC",
    34377: "PhotoshopSettings", 34665: "ExifIFD", 34675: "ICCProfile", 34853: "GPSInfoIFD",
    37439: "StoNits", 45056: "MPFVersion", 45057: "NumberOfImages", 45058: "MPEntry",
    50706: "DNGVersion", 50707: "DNGBackwardVersion", 50708: "UniqueCameraModel",
    50710: "CFAPlaneColor", 50711: "CFALayout", 50712: "LinearizationTable",
    50713: "BlackLevelRepeatDim", 50714: "BlackLevel", 50715: "BlackLevelDeltaH",
    50716: "BlackLevelDeltaV", 50717: "WhiteLevel",
    50718: "DefaultScale", 50719: "DefaultCropOrigin", 50720: "DefaultCropSize",
    50721: "ColorMatrix1", 50722: "ColorMatrix2", 50723: "CameraCalibration1",
    50724: "CameraCalibration2", 50727: "AnalogBalance", 50728: "AsShotNeutral",
    50730: "BaselineExposure", 50731: "BaselineNoise", 50732: "BaselineSharpness",
    50733: "BayerGreenSplit", 50734: "LinearResponseLimit", 50735: "CameraSerialNumber",
    50738: "AntiAliasStrength", 50739: "ShadowScale", 50740: "DNGPrivateData",
    50741: "MakerNoteSafety", 50778: "CalibrationIlluminant1", 50779: "CalibrationIlluminant2",
    50780: "BestQualityScale", 50781: "RawDataUniqueID", 50827: "OriginalRawFileName",
    50829: "ActiveArea", 50879: "ColorimetricReference", 50931: "CameraCalibrationSignature",
    50932: "ProfileCalibrationSignature", 50933: "ExtraCameraProfiles", 50936: "ProfileName",
    50937: "ProfileHueSatMapDims", 50938: "ProfileHueSatMapData1",
    50939: "ProfileHueSatMapData2", 50940: "ProfileToneCurve", 50941: "ProfileEmbedPolicy",
    50942: "ProfileCopyright", 50964: "ForwardMatrix1", 50965: "ForwardMatrix2",
    50966: "PreviewApplicationName", 50967: "PreviewApplicationVersion",
    50970: "PreviewColorSpace", 50971: "PreviewDateTime", 50972: "RawImageDigest",
    50974: "SubTileBlockSize", 50975: "RowInterleaveFactor", 50981: "ProfileLookTableDims",
    50982: "ProfileLookTableData", 51008: "OpcodeList1", 51009: "OpcodeList2",
    51022: "OpcodeList3", 51041: "NoiseProfile", 51043: "TimeCodes", 51044: "FrameRate",
    51089: "OriginalDefaultFinalSize", 51090: "OriginalBestQualityFinalSize",
    51107: "ProfileHueSatMapEncoding", 51108: "ProfileLookTableEncoding",
    51109: "BaselineExposureOffset", 51110: "DefaultBlackRender", 51111: "NewRawImageDigest",
    51125: "DefaultUserCrop", 52525: "ProfileGainTableMap", 52526: "SemanticName",
    52528: "SemanticInstanceID", 52529: "CalibrationIlluminant3", 52536: "MaskSubArea",
    52544: "ProfileGainTableMap2", 52547: "ColumnInterleaveFactor", 52548: "ImageSequenceInfo",
    52550: "ImageStats", 52551: "ProfileDynamicRange", 52552: "ProfileGroupName",
    52553: "JXLDistance", 52554: "JXLEffort", 52555: "JXLDecodeSpeed",
  ]

  private static let exifNames: [UInt16: String] = [
    33434: "ExposureTime", 33437: "FNumber", 34850: "ExposureProgram",
    34855: "PhotographicSensitivity", 34864: "SensitivityType", 36864: "ExifVersion",
    36867: "DateTimeOriginal", 36868: "DateTimeDigitized", 36880: "OffsetTime",
    36881: "OffsetTimeOriginal", 36882: "OffsetTimeDigitized", 37121: "ComponentsConfiguration",
    37122: "CompressedBitsPerPixel", 37377: "ShutterSpeedValue", 37378: "ApertureValue",
    37379: "BrightnessValue", 37380: "ExposureBiasValue", 37381: "MaxApertureValue",
    37382: "SubjectDistance", 37383: "MeteringMode", 37384: "LightSource", 37385: "Flash",
    37386: "FocalLength", 37396: "SubjectArea", 37500: "MakerNote", 37510: "UserComment",
    37520: "SubSecTime", 37521: "SubSecTimeOriginal", 37522: "SubSecTimeDigitized",
    40960: "FlashpixVersion", 40961: "ColorSpace", 40962: "PixelXDimension",
    40963: "PixelYDimension", 40965: "InteroperabilityIFD", 41486: "FocalPlaneXResolution",
    41487: "FocalPlaneYResolution", 41488: "FocalPlaneResolutionUnit", 41495: "SensingMethod",
    41728: "FileSource", 41729: "SceneType", 41730: "CFAPattern", 41985: "CustomRendered",
    41986: "ExposureMode", 41987: "WhiteBalance", 41988: "DigitalZoomRatio",
    41989: "FocalLengthIn35mmFilm", 41990: "SceneCaptureType", 41991: "GainControl",
    41992: "Contrast", 41993: "Saturation", 41994: "Sharpness", 41996: "SubjectDistanceRange",
    42016: "ImageUniqueID", 42032: "CameraOwnerName", 42033: "BodySerialNumber",
    42034: "LensSpecification", 42035: "LensMake", 42036: "LensModel",
    42037: "LensSerialNumber", 42080: "CompositeImage", 42240: "Gamma",
  ]

  private static let locationNames: [UInt16: String] = [
    0: "GPSVersionID", 1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef",
    4: "GPSLongitude", 5: "GPSAltitudeRef", 6: "GPSAltitude", 7: "GPSTimeStamp",
    8: "GPSSatellites", 9: "GPSStatus", 10: "GPSMeasureMode", 11: "GPSDOP", 12: "GPSSpeedRef",
    13: "GPSSpeed", 14: "GPSTrackRef", 15: "GPSTrack", 16: "GPSImgDirectionRef",
    17: "GPSImgDirection", 18: "GPSMapDatum", 19: "GPSDestLatitudeRef", 20: "GPSDestLatitude",
    21: "GPSDestLongitudeRef", 22: "GPSDestLongitude", 23: "GPSDestBearingRef",
    24: "GPSDestBearing", 25: "GPSDestDistanceRef", 26: "GPSDestDistance",
    27: "GPSProcessingMethod", 28: "GPSAreaInformation", 29: "GPSDateStamp",
    30: "GPSDifferential", 31: "GPSHPositioningError",
  ]
}

/// An image file directory (IFD): entries that describe an image or a group of metadata.
///
/// Source: TIFF 6.0, section 2; BigTIFF proposal (2004).
package struct TIFFDirectory: Hashable, Sendable {
  /// Offset of the entry count in the source.
  package var offset: Int
  /// The entries, in the order of the file.
  package var entries: [TIFFEntry]
  /// Offset of the next directory in the source; 0 for the last one.
  package var next: Int

  /// Returns the first entry with a tag; `nil` if missing.
  package subscript(tag: TIFFTag) -> TIFFEntry? { entries.first { $0.tag == tag } }
}

/// An entry of a directory: a tag and the range of its values.
///
/// `TIFFFile` returns the values.
package struct TIFFEntry: Hashable, Sendable {
  /// Storage type of a value; the raw value is that of the file.
  ///
  /// Source: TIFF 6.0, section 2; TIFF Technical Note 1 for `ifd`; BigTIFF proposal (2004) for
  /// types of 8-byte integers.
  package enum ValueType: UInt16, Hashable, Sendable {
    case byte = 1
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case signedByte = 6
    case undefined = 7
    case signedShort = 8
    case signedLong = 9
    case signedRational = 10
    case float = 11
    case double = 12
    case ifd = 13
    case long8 = 16
    case signedLong8 = 17
    case ifd8 = 18

    /// Size of a value in bytes: 1, 2, 4 or 8.
    package var size: Int {
      switch self {
      case .byte, .ascii, .signedByte, .undefined: 1
      case .short, .signedShort: 2
      case .long, .signedLong, .float, .ifd: 4
      case .rational, .signedRational, .double, .long8, .signedLong8, .ifd8: 8
      }
    }
  }

  /// Tag of the entry.
  package var tag: TIFFTag
  /// Storage type; `nil` if unknown.
  package var type: ValueType?
  /// Number of values, as declared; for `.ascii`, bytes including the final zero byte.
  package var count: Int
  /// Offset of the entry in the source.
  package var offset: Int
  /// Range of the values in the source; may exceed a truncated file, and is empty for an unknown
  /// type.
  package var values: Range<Int>
}
