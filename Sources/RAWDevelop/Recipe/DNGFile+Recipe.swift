public import HDRCore

extension DNGFile {
  /// What the file says about the way from its samples to a picture.
  ///
  /// - Parameter limits: What the file may cost.
  /// - Returns: The recipe; nothing is decoded for it, and samples may be missing.
  /// - Throws: As opening the file to develop it.
  public func recipe(limits: ImageLimits = ImageLimits()) throws(ImageError) -> RenderingRecipe {
    RenderingRecipe(try DevelopmentPlan(self, limits: limits, salvages: true))
  }
}

extension RenderingRecipe {
  init(_ plan: DevelopmentPlan) {
    let main = plan.profiles.all[0]
    let white = main.camera.flatMap { camera in plan.asShot?.white(camera) }
    let light = white.map { CorrelatedTemperature($0.chromaticity) }
    self.init(
      profiles: plan.profiles.all.map { Profile($0, plan.profiles.gainTableMap(of: $0), plan) },
      asShotWhite: white?.chromaticity, asShotTemperature: light?.kelvin, asShotTint: light?.tint,
      asShotNeutral: plan.asShot?.neutral ?? white.map { [$0.camera.x, $0.camera.y, $0.camera.z] },
      analogBalance: main.camera.map { camera in
        [camera.analogBalance.x, camera.analogBalance.y, camera.analogBalance.z]
      },
      baselineExposure: plan.baselineExposure, baselineSharpness: plan.baselineSharpness,
      baselineNoise: plan.baselineNoise, noiseReductionApplied: plan.noiseReductionApplied,
      shadowScale: plan.shadowScale, noiseProfile: plan.noiseProfile,
      opcodes: plan.opcodes.map { $0.opcodes.map(\.name) },
      corrections: plan.opcodes.enumerated().flatMap { index, list in
        list.opcodes.map {
          Correction(list: index + 1, name: $0.name, area: $0.area, numbers: $0.numbers)
        }
      },
      controls: plan.controls,
      activeArea: PixelRectangle(plan.levels.activeArea),
      pixelScale: [plan.pixelScale.x, plan.pixelScale.y], crop: PixelRectangle(plan.crop),
      orientation: plan.orientation)
  }
}

extension RenderingRecipe.Profile {
  fileprivate init(
    _ profile: RenderingProfile, _ map: GainTableMap?, _ plan: DevelopmentPlan
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
      colorTables: (plan.profiles.rgbTables(of: profile)?.tables ?? []).map { table in
        .init(mask: table.mask, size: table.table.divisions)
      },
      baselineExposureOffset: profile.baselineExposureOffset,
      keepsBlack: plan.shadows(of: profile) == 0)
  }
}

extension PixelRectangle {
  fileprivate init(_ area: RawArea) {
    self.init(x: area.x, y: area.y, width: area.width, height: area.height)
  }
}
