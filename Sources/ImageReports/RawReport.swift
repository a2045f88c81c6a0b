// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
package import RAWDevelop

/// Properties of a raw file.
package struct RawReport: ReportObject {
  package static let schemaName = "raw"
  package let rawType: String?
  package let choice: String?
  package let directory: String?
  package let decoder: String?
  package let levels: LevelsReport?
  package let mattes: [MatteReport]
  package let previews: [PreviewReport]
  package let recipe: RecipeReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case decoder, levels, mattes, previews
    case rawType
    case choice = "selectionReason"
    case directory
    case recipe = "developmentParameters"
  }

  package init(_ raw: RawInspection) {
    rawType = raw.rawType?.rawValue
    choice = raw.selectionReason
    directory = raw.directoryPath
    decoder = raw.decoder
    levels = raw.levels.map(LevelsReport.init)
    mattes = raw.mattes.map {
      MatteReport(name: $0.name, type: $0.type, width: $0.width, height: $0.height)
    }
    previews = raw.previews.map {
      PreviewReport(
        width: $0.width, height: $0.height, codec: $0.isJPEGXL ? "JPEG XL" : "JPEG",
        offset: $0.bytes.lowerBound, length: $0.bytes.count)
    }
    recipe = raw.recipe.map(RecipeReport.init)
  }
}

/// Parameters that linearize the samples.
package struct LevelsReport: ReportObject {
  package static let schemaName = "levels"
  package let black: [Double]
  package let blackRows: Int
  package let blackColumns: Int
  package let hasBlackOfRowsOrColumns: Bool
  package let white: [Double]
  package let linearizationEntries: Int?
  package let linearization: [Double]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case black = "blackLevels"
    case blackRows, blackColumns, hasBlackOfRowsOrColumns
    case white = "whiteLevels"
    case linearizationEntries, linearization
  }

  package init(_ levels: RawInspection.Levels) {
    black = levels.black
    (blackRows, blackColumns) = (levels.blackRows, levels.blackColumns)
    hasBlackOfRowsOrColumns = levels.hasBlackOfRowsOrColumns
    white = levels.white
    linearizationEntries = levels.linearizationEntries
    linearization = levels.linearization
  }
}

/// A semantic mask.
package struct MatteReport: ReportObject {
  package static let schemaName = "matte"
  package let name: String
  package let type: String
  package let width: Int
  package let height: Int

  package enum CodingKeys: String, CodingKey, CaseIterable { case name, type, width, height }
}

/// A preview that can be extracted.
package struct PreviewReport: ReportObject {
  package static let schemaName = "preview"
  package let width: Int
  package let height: Int
  package let codec: String
  package let offset: Int
  package let length: Int

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, codec
    case offset = "byteOffset"
    case length = "bytes"
  }
}

/// Development parameters of a raw file.
package struct RecipeReport: ReportObject {
  package static let schemaName = "developmentParameters"
  package let activeArea: [Int]
  package let crop: [Int]
  package let defaultScale: [Double]
  package let orientation: Int
  package let asShotWhite: [Double]?
  package let asShotTemperature: Double?
  package let asShotTint: Double?
  package let asShotNeutral: [Double]?
  package let analogBalance: [Double]?
  package let baselineExposure: Double
  package let baselineSharpness: Double
  package let baselineNoise: Double
  package let noiseReductionApplied: Double?
  package let shadowScale: Double
  package let noiseProfile: [Double]
  package let opcodes: [[String]]
  package let corrections: [CorrectionReport]
  package let controls: [String]
  package let profiles: [CameraProfileReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case activeArea, crop, defaultScale, orientation, asShotWhite, asShotTint, asShotNeutral
    case asShotTemperature = "asShotTemperatureKelvins"
    case baselineExposure = "baselineExposureStops"
    case analogBalance, baselineSharpness, baselineNoise, noiseReductionApplied, shadowScale
    case noiseProfile, opcodes, corrections, controls, profiles
  }

  package init(_ recipe: RenderingRecipe) {
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
package struct CorrectionReport: ReportObject {
  package static let schemaName = "correction"
  package let list: Int
  package let name: String
  package let area: [Int]?
  package let numbers: [Double]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case list, name, area
    case numbers = "values"
  }

  package init(_ correction: RenderingRecipe.Correction) {
    list = correction.list
    name = correction.name
    area = correction.area
    numbers = correction.numbers
  }
}

/// A camera profile of a raw file.
package struct CameraProfileReport: ReportObject {
  package static let schemaName = "cameraProfile"
  package let name: String?
  package let group: String?
  package let isHDR: Bool
  package let largestLight: Double?
  package let calibrations: [CalibrationReport]
  package let lookTable: [Int]?
  package let toneCurvePoints: Int?
  package let toneCurve: [Double]?
  package let gainTable: GainTableReport?
  package let colorTables: [ColorTableReport]
  package let baselineExposureOffset: Double
  package let keepsBlack: Bool

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, group, isHDR, calibrations, lookTable, toneCurvePoints, toneCurve, gainTable
    case colorTables
    case largestLight = "maximumLinearValue"
    case baselineExposureOffset = "baselineExposureOffsetStops"
    case keepsBlack = "disablesBlackSubtraction"
  }

  package init(_ profile: RenderingRecipe.Profile) {
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
package struct ColorTableReport: ReportObject {
  package static let schemaName = "colorTable"
  package let mask: String?
  package let size: Int

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case mask
    case size = "entriesPerAxis"
  }

  package init(_ table: RenderingRecipe.ColorTable) {
    mask = table.mask
    size = table.size
  }
}

/// Color calibration for one illuminant.
package struct CalibrationReport: ReportObject {
  package static let schemaName = "calibration"
  package let illuminant: Int?
  package let kelvin: Double?
  package let colorMatrix: [Double]
  package let forwardMatrix: [Double]?
  package let cameraCalibration: [Double]
  package let hueSatMap: [Int]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case illuminant, colorMatrix, forwardMatrix, cameraCalibration, hueSatMap
    case kelvin = "temperatureKelvins"
  }

  package init(_ calibration: RenderingRecipe.Calibration) {
    illuminant = calibration.illuminantCode
    kelvin = calibration.kelvin
    colorMatrix = calibration.colorMatrix.elements
    forwardMatrix = calibration.forwardMatrix?.elements
    cameraCalibration = calibration.cameraCalibration.elements
    hueSatMap = calibration.hueSatMap
  }
}

/// A map of local tone curves.
package struct GainTableReport: ReportObject {
  package static let schemaName = "gainTable"
  package let rows: Int
  package let columns: Int
  package let size: Int
  package let gamma: Double
  package let weights: [Double]
  package let smallestGain: Double
  package let largestGain: Double

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case rows, columns, gamma, weights
    case size = "gainsPerPoint"
    case smallestGain = "minimumGain"
    case largestGain = "maximumGain"
  }

  package init(_ table: RenderingRecipe.GainTable) {
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
