// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension DNGFile {
  /// The parameters that the file specifies for its rendering.
  ///
  /// - Parameter limits: Limits of the file.
  /// - Returns: The recipe; nothing is decoded, and samples may be missing.
  /// - Throws: Errors of opening the file for development.
  package func recipe(limits: ImageLimits = ImageLimits()) throws(ImageError) -> RenderingRecipe {
    RenderingRecipe(try DevelopmentParameters(self, limits: limits, salvages: true))
  }
}

extension RenderingRecipe {
  init(_ parameters: DevelopmentParameters) {
    let main = parameters.profiles.all[0]
    let white = main.camera.flatMap { camera in parameters.asShot?.white(camera) }
    let light = white.map { CorrelatedTemperature($0.chromaticity) }
    self.init(
      profiles: parameters.profiles.all.map {
        Profile($0, parameters.profiles.gainTableMap(of: $0), parameters)
      },
      asShotWhite: white?.chromaticity, asShotTemperature: light?.kelvin, asShotTint: light?.tint,
      asShotNeutral: parameters.asShot?.neutral
        ?? white.map { [$0.camera.x, $0.camera.y, $0.camera.z] },
      analogBalance: main.camera.map { camera in
        [camera.analogBalance.x, camera.analogBalance.y, camera.analogBalance.z]
      },
      baselineExposure: parameters.baselineExposure,
      baselineSharpness: parameters.baselineSharpness,
      baselineNoise: parameters.baselineNoise,
      noiseReductionApplied: parameters.noiseReductionApplied,
      shadowScale: parameters.shadowScale, noiseProfile: parameters.noiseProfile,
      opcodes: parameters.opcodes.map { $0.opcodes.map(\.name) },
      corrections: parameters.opcodes.enumerated().flatMap { index, list in
        list.opcodes.map {
          Correction(list: index + 1, name: $0.name, area: $0.area, numbers: $0.numbers)
        }
      },
      controls: parameters.controls,
      activeArea: PixelRectangle(parameters.levels.activeArea),
      pixelScale: [parameters.pixelScale.x, parameters.pixelScale.y],
      crop: PixelRectangle(parameters.crop),
      orientation: parameters.orientation)
  }
}

extension RenderingRecipe.Profile {
  fileprivate init(
    _ profile: RenderingProfile, _ map: GainTableMap?, _ parameters: DevelopmentParameters
  ) {
    self.init(
      name: profile.name, group: profile.group, isHDR: profile.isHDR,
      largestLight: profile.largestLight,
      calibrations: (profile.camera?.sets ?? []).map { set in
        .init(
          illuminantCode: set.illuminantCode, kelvin: set.illuminant?.kelvin,
          colorMatrix: set.color, forwardMatrix: set.forward, cameraCalibration: set.camera,
          hueSatMap: set.hueSatMap.map { [$0.hues, $0.saturations, $0.values] })
      },
      lookTable: profile.lookTable.map { [$0.hues, $0.saturations, $0.values] },
      toneCurvePoints: profile.toneCurve?.pointCount, toneCurve: profile.toneCurve?.points,
      gainTable: map.map { map in
        .init(
          rows: map.rows, columns: map.columns, size: map.tableSize, gamma: map.gamma,
          weights: map.weights,
          gains: Double(map.gains.min() ?? 1)...Double(map.gains.max() ?? 1))
      },
      colorTables: (parameters.profiles.rgbTables(of: profile)?.tables ?? []).map { table in
        .init(mask: table.mask, size: table.table.divisions)
      },
      baselineExposureOffset: profile.baselineExposureOffset,
      keepsBlack: parameters.shadows(of: profile) == 0)
  }
}

extension PixelRectangle {
  fileprivate init(_ area: RawArea) {
    self.init(x: area.x, y: area.y, width: area.width, height: area.height)
  }
}

extension OpcodeList.Opcode {
  /// Name of the opcode in the specification.
  var name: String {
    switch self {
    case .warp(let warp):
      switch warp.model {
      case .rectilinear: "WarpRectilinear"
      case .fisheye: "WarpFisheye"
      case .rectilinear2: "WarpRectilinear2"
      }
    case .trim: "TrimBounds"
    case .point(let point): point.effect.name
    case .badPixels(let bad):
      switch bad.which {
      case .constant: "FixBadPixelsConstant"
      case .listed: "FixBadPixelsList"
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var name: String {
    switch self {
    case .table: "MapTable"
    case .polynomial: "MapPolynomial"
    case .gainMap: "GainMap"
    case .deltaPerRow: "DeltaPerRow"
    case .deltaPerColumn: "DeltaPerColumn"
    case .scalePerRow: "ScalePerRow"
    case .scalePerColumn: "ScalePerColumn"
    case .vignette: "FixVignetteRadial"
    }
  }
}

/// Parameters of opcodes, in the order of the file.
extension OpcodeList.Opcode {
  /// Sides, planes and pitches of the area; `nil` for the whole image.
  var area: [Int]? {
    guard case .point(let point) = self, let area = point.area else { return nil }
    return [
      area.top, area.left, area.bottom, area.right, area.planes.lowerBound, area.planes.count,
      area.rowPitch, area.columnPitch,
    ]
  }

  /// Numbers of the opcode, without tables and gains of gain maps.
  var numbers: [Double] {
    switch self {
    case .warp(let warp): warp.numbers
    case .point(let point): point.effect.numbers
    case .trim(let area):
      [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
    case .badPixels(let bad):
      switch bad.which {
      case .constant(let code): [Double(code)]
      case .listed(let points, let rectangles):
        points.flatMap { [Double($0.y), Double($0.x)] }
          + rectangles.flatMap { area in
            [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
          }
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var numbers: [Double] {
    switch self {
    case .table: []
    case .polynomial(let coefficients): coefficients
    case .gainMap(let map): map.numbers
    case .deltaPerRow(let values), .deltaPerColumn(let values), .scalePerRow(let values),
      .scalePerColumn(let values):
      values.map(Double.init)
    case .vignette(let vignette): vignette.numbers
    }
  }
}
