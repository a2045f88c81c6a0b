// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

/// Tags of DNG.
///
/// Source: DNG specification 1.7.1.0; TIFF/EP for the color filter array.
extension TIFFTag {
  static let cfaRepeatPatternDim = TIFFTag(rawValue: 33421)
  static let cfaPattern = TIFFTag(rawValue: 33422)
  static let dngBackwardVersion = TIFFTag(rawValue: 50707)
  static let uniqueCameraModel = TIFFTag(rawValue: 50708)
  static let cfaPlaneColor = TIFFTag(rawValue: 50710)
  static let cfaLayout = TIFFTag(rawValue: 50711)
  static let linearizationTable = TIFFTag(rawValue: 50712)
  static let blackLevelRepeatDim = TIFFTag(rawValue: 50713)
  static let blackLevel = TIFFTag(rawValue: 50714)
  static let blackLevelDeltaH = TIFFTag(rawValue: 50715)
  static let blackLevelDeltaV = TIFFTag(rawValue: 50716)
  static let whiteLevel = TIFFTag(rawValue: 50717)
  static let defaultScale = TIFFTag(rawValue: 50718)
  static let defaultCropOrigin = TIFFTag(rawValue: 50719)
  static let defaultCropSize = TIFFTag(rawValue: 50720)
  static let defaultUserCrop = TIFFTag(rawValue: 51125)
  static let activeArea = TIFFTag(rawValue: 50829)
  static let opcodeLists = [51008, 51009, 51022].map { TIFFTag(rawValue: $0) }
  static let subTileBlockSize = TIFFTag(rawValue: 50974)
  static let rowInterleaveFactor = TIFFTag(rawValue: 50975)
  static let columnInterleaveFactor = TIFFTag(rawValue: 52547)
}

/// Tags of camera color.
///
/// Source: DNG specification 1.7.1.0, chapters 4 and 6.
extension TIFFTag {
  static let colorMatrix = [50721, 50722, 52531].map { TIFFTag(rawValue: $0) }
  static let cameraCalibration = [50723, 50724, 52530].map { TIFFTag(rawValue: $0) }
  static let forwardMatrix = [50964, 50965, 52532].map { TIFFTag(rawValue: $0) }
  static let calibrationIlluminant = [50778, 50779, 52529].map { TIFFTag(rawValue: $0) }
  static let illuminantData = [52533, 52534, 52535].map { TIFFTag(rawValue: $0) }
  static let analogBalance = TIFFTag(rawValue: 50727)
  static let asShotNeutral = TIFFTag(rawValue: 50728)
  static let asShotWhiteXY = TIFFTag(rawValue: 50729)
  static let baselineExposure = TIFFTag(rawValue: 50730)
  static let cameraCalibrationSignature = TIFFTag(rawValue: 50931)
  static let profileCalibrationSignature = TIFFTag(rawValue: 50932)
  static let profileName = TIFFTag(rawValue: 50936)
  static let baselineExposureOffset = TIFFTag(rawValue: 51109)
}

/// Tags of camera profiles and rendering.
///
/// Source: DNG specification 1.7.1.0, chapters 4 and 6.
extension TIFFTag {
  static let extraCameraProfiles = TIFFTag(rawValue: 50933)
  static let profileHueSatMapDims = TIFFTag(rawValue: 50937)
  static let profileHueSatMapData = [50938, 50939, 52537].map { TIFFTag(rawValue: $0) }
  static let profileHueSatMapEncoding = TIFFTag(rawValue: 51107)
  static let profileToneCurve = TIFFTag(rawValue: 50940)
  static let profileLookTableDims = TIFFTag(rawValue: 50981)
  static let profileLookTableData = TIFFTag(rawValue: 50982)
  static let profileLookTableEncoding = TIFFTag(rawValue: 51108)
  static let profileGainTableMap = TIFFTag(rawValue: 52525)
  static let profileGainTableMap2 = TIFFTag(rawValue: 52544)
  static let profileDynamicRange = TIFFTag(rawValue: 52551)
  static let profileGroupName = TIFFTag(rawValue: 52552)
  static let rgbTables = TIFFTag(rawValue: 52543)
  static let defaultBlackRender = TIFFTag(rawValue: 51110)
  static let noiseProfile = TIFFTag(rawValue: 51041)
  static let shadowScale = TIFFTag(rawValue: 50739)
  static let baselineNoise = TIFFTag(rawValue: 50731)
  static let baselineSharpness = TIFFTag(rawValue: 50732)
  static let noiseReductionApplied = TIFFTag(rawValue: 50935)
  static let colorimetricReference = TIFFTag(rawValue: 50879)
}
