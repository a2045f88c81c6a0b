internal import HDRCore
internal import RAWDevelop

/// What a raw file says about the way from its samples to a picture.
struct RecipeReport: ReportObject {
  static let title = "Rendering recipe"
  let activeArea: [Int]
  let crop: [Int]
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
  let opcodes: [[String]]
  let profiles: [CameraProfileReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case activeArea, crop, orientation, asShotWhite, asShotTemperature, asShotTint, asShotNeutral
    case analogBalance, baselineExposure, baselineSharpness, baselineNoise, noiseReductionApplied
    case opcodes, profiles
  }

  init(_ recipe: RenderingRecipe) {
    activeArea = recipe.activeArea.numbers
    crop = recipe.crop.numbers
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
    opcodes = recipe.opcodes
    profiles = recipe.profiles.map(CameraProfileReport.init)
  }
}

/// One of the looks that a raw file brings.
struct CameraProfileReport: ReportObject {
  static let title = "Camera profile"
  let name: String?
  let group: String?
  let isHDR: Bool
  let largestLight: Double?
  let calibrations: [CalibrationReport]
  let lookTable: [Int]?
  let toneCurvePoints: Int?
  let gainTable: GainTableReport?
  let colorTables: [ColorTableReport]
  let baselineExposureOffset: Double
  let keepsBlack: Bool

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, group, isHDR, largestLight, calibrations, lookTable, toneCurvePoints, gainTable
    case colorTables, baselineExposureOffset, keepsBlack
  }

  init(_ profile: RenderingRecipe.Profile) {
    name = profile.name
    group = profile.group
    isHDR = profile.isHDR
    largestLight = profile.largestLight
    calibrations = profile.calibrations.map(CalibrationReport.init)
    lookTable = profile.lookTable
    toneCurvePoints = profile.toneCurvePoints
    gainTable = profile.gainTable.map(GainTableReport.init)
    colorTables = profile.colorTables.map(ColorTableReport.init)
    baselineExposureOffset = profile.baselineExposureOffset
    keepsBlack = profile.keepsBlack
  }
}

/// A table of colors that a look ends with.
struct ColorTableReport: ReportObject {
  static let title = "Color table"
  let mask: String?
  let size: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case mask, size }

  init(_ table: RenderingRecipe.ColorTable) {
    mask = table.mask
    size = table.size
  }
}

/// A camera's colors under one light.
struct CalibrationReport: ReportObject {
  static let title = "Calibration"
  let illuminant: Int?
  let kelvin: Double?
  let colorMatrix: [Double]
  let forwardMatrix: [Double]?
  let cameraCalibration: [Double]
  let hueSatMap: [Int]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case illuminant, kelvin, colorMatrix, forwardMatrix, cameraCalibration, hueSatMap
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
  static let title = "Gain table"
  let rows: Int
  let columns: Int
  let size: Int
  let gamma: Double
  let weights: [Double]
  let smallestGain: Double
  let largestGain: Double

  enum CodingKeys: String, CodingKey, CaseIterable {
    case rows, columns, size, gamma, weights, smallestGain, largestGain
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
