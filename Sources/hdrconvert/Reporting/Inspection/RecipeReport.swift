internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Development parameters of a raw file.
struct RecipeReport: ReportObject {
  static let schemaName = "developmentParameters"
  let activeArea: [Int]
  let crop: [Int]
  let defaultScale: [Double]
  let orientation: Int
  let asShotWhite: [Double]?
  let asShotTemperature: Double?
  let asShotTint: Double?
  let asShotNeutral: [Double]?
  let analogBalance: [Double]?
  let baselineExposure: Double
  let baselineSharpness: Double
  let baselineNoise: Double
  let noiseReductionApplied: Double?
  let shadowScale: Double
  let noiseProfile: [Double]
  let opcodes: [[String]]
  let corrections: [CorrectionReport]
  let controls: [String]
  let profiles: [CameraProfileReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case activeArea, crop, defaultScale, orientation, asShotWhite, asShotTint, asShotNeutral
    case asShotTemperature = "asShotTemperatureKelvins"
    case baselineExposure = "baselineExposureStops"
    case analogBalance, baselineSharpness, baselineNoise, noiseReductionApplied, shadowScale
    case noiseProfile, opcodes, corrections, controls, profiles
  }

  init(_ recipe: RenderingRecipe) {
    activeArea = recipe.activeArea.numbers
    crop = recipe.crop.numbers
    defaultScale = recipe.pixelScale
    orientation = recipe.orientation.rawValue
    asShotWhite = recipe.asShotWhite.map { [$0.x, $0.y] }
    asShotTemperature = recipe.asShotTemperature
    asShotTint = recipe.asShotTint
    asShotNeutral = recipe.asShotNeutral
    analogBalance = recipe.analogBalance
    baselineExposure = recipe.baselineExposure
    baselineSharpness = recipe.baselineSharpness
    baselineNoise = recipe.baselineNoise
    noiseReductionApplied = recipe.noiseReductionApplied
    shadowScale = recipe.shadowScale
    noiseProfile = recipe.noiseProfile
    opcodes = recipe.opcodes
    corrections = recipe.corrections.map(CorrectionReport.init)
    controls = recipe.controls
    profiles = recipe.profiles.map(CameraProfileReport.init)
  }
}

/// A correction (opcode) of a raw file.
struct CorrectionReport: ReportObject {
  static let schemaName = "correction"
  let list: Int
  let name: String
  let area: [Int]?
  let numbers: [Double]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case list, name, area
    case numbers = "values"
  }

  init(_ correction: RenderingRecipe.Correction) {
    list = correction.list
    name = correction.name
    area = correction.area
    numbers = correction.numbers
  }
}

/// A camera profile of a raw file.
struct CameraProfileReport: ReportObject {
  static let schemaName = "cameraProfile"
  let name: String?
  let group: String?
  let isHDR: Bool
  let largestLight: Double?
  let calibrations: [CalibrationReport]
  let lookTable: [Int]?
  let toneCurvePoints: Int?
  let toneCurve: [Double]?
  let gainTable: GainTableReport?
  let colorTables: [ColorTableReport]
  let baselineExposureOffset: Double
  let keepsBlack: Bool

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, group, isHDR, calibrations, lookTable, toneCurvePoints, toneCurve, gainTable
    case colorTables
    case largestLight = "maximumLinearValue"
    case baselineExposureOffset = "baselineExposureOffsetStops"
    case keepsBlack = "disablesBlackSubtraction"
  }

  init(_ profile: RenderingRecipe.Profile) {
    name = profile.name
    group = profile.group
    isHDR = profile.isHDR
    largestLight = profile.largestLight
    calibrations = profile.calibrations.map(CalibrationReport.init)
    lookTable = profile.lookTable
    toneCurvePoints = profile.toneCurvePoints
    toneCurve = profile.toneCurve
    gainTable = profile.gainTable.map(GainTableReport.init)
    colorTables = profile.colorTables.map(ColorTableReport.init)
    baselineExposureOffset = profile.baselineExposureOffset
    keepsBlack = profile.keepsBlack
  }
}

/// A color table of a profile.
struct ColorTableReport: ReportObject {
  static let schemaName = "colorTable"
  let mask: String?
  let size: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case mask
    case size = "entriesPerAxis"
  }

  init(_ table: RenderingRecipe.ColorTable) {
    mask = table.mask
    size = table.size
  }
}

/// Color calibration for one illuminant.
struct CalibrationReport: ReportObject {
  static let schemaName = "calibration"
  let illuminant: Int?
  let kelvin: Double?
  let colorMatrix: [Double]
  let forwardMatrix: [Double]?
  let cameraCalibration: [Double]
  let hueSatMap: [Int]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case illuminant, colorMatrix, forwardMatrix, cameraCalibration, hueSatMap
    case kelvin = "temperatureKelvins"
  }

  init(_ calibration: RenderingRecipe.Calibration) {
    illuminant = calibration.illuminantCode
    kelvin = calibration.kelvin
    colorMatrix = calibration.colorMatrix.elements
    forwardMatrix = calibration.forwardMatrix?.elements
    cameraCalibration = calibration.cameraCalibration.elements
    hueSatMap = calibration.hueSatMap
  }
}

/// A map of local tone curves.
struct GainTableReport: ReportObject {
  static let schemaName = "gainTable"
  let rows: Int
  let columns: Int
  let size: Int
  let gamma: Double
  let weights: [Double]
  let smallestGain: Double
  let largestGain: Double

  enum CodingKeys: String, CodingKey, CaseIterable {
    case rows, columns, gamma, weights
    case size = "gainsPerPoint"
    case smallestGain = "minimumGain"
    case largestGain = "maximumGain"
  }

  init(_ table: RenderingRecipe.GainTable) {
    (rows, columns, size) = (table.rows, table.columns, table.size)
    gamma = table.gamma
    weights = table.weights
    (smallestGain, largestGain) = (table.gains.lowerBound, table.gains.upperBound)
  }
}

extension PixelRectangle {
  /// Column, row, width and height.
  fileprivate var numbers: [Int] { [x, y, width, height] }
}
