internal import HDRCore

extension DevelopmentPlan {
  /// The white that is wanted, or else the one that the camera chose, as a profile sees it; `nil`
  /// for gray pictures.
  func white(_ development: RawDevelopment, _ profile: RenderingProfile) -> CameraWhite? {
    guard let camera = profile.camera, let asShot else { return nil }
    if let wanted = development.neutralChromaticity { return CameraWhite(wanted, camera) }
    let asShotWhite = asShot.white(camera)
    guard development.neutralTemperature != nil || development.neutralTint != nil else {
      return asShotWhite
    }
    let asShotLight = CorrelatedTemperature(asShotWhite.chromaticity)
    var light = asShotLight
    light.kelvin = development.neutralTemperature ?? light.kelvin
    light.tint = development.neutralTint ?? light.tint
    return light == asShotLight ? asShotWhite : CameraWhite(light.chromaticity, camera)
  }

  /// Where the pixels of the picture lie that is wanted.
  func grid(_ development: RawDevelopment) -> PictureGrid {
    PictureGrid(crop: crop, active: levels.activeArea, scale: development.scaleFactor)
  }

  /// The camera's colors, white-balanced, after all corrections of the file, at the size that is
  /// wanted.
  ///
  /// - Parameters:
  ///   - samples: As the file holds them.
  ///   - development: Which corrections are wanted, and which size.
  ///   - gains: What makes white of the camera's colors (1, 1, 1).
  /// - Returns: What makes any part of them.
  func camera(
    _ samples: RawSamples, _ development: RawDevelopment, gains: SIMD3<Float>
  ) -> any CameraRows {
    let points = opcodes[1].opcodes.compactMap { opcode in
      if case .point(let point) = opcode { point } else { nil }
    }
    let reference = LinearReference(withoutBadPixels(samples), levels, opcodes: points)
    var camera: any CameraRows =
      bayer.map { BayerDemosaic(reference, $0, gains: gains) }
      ?? LinearPlanes(reference: reference, gains: gains)
    let size = (levels.activeArea.width, levels.activeArea.height)
    for opcode in opcodes[2].opcodes {
      switch opcode {
      case .point(let point):
        camera = PointCorrectedRows(base: camera, opcode: point, gains: gains, size: size)
      case .warp(let warp) where development.isLensCorrectionEnabled:
        camera = WarpedRows(base: camera, warp: warp.sized(size), size: size)
      case .warp, .badPixels: continue
      }
    }
    let amounts = DetailAmounts(
      luminanceNoise: development.luminanceNoiseReductionAmount,
      colorNoise: asShot == nil ? 0 : development.colorNoiseReductionAmount,
      sharpness: development.sharpnessAmount * min(baselineSharpness, 4))
    if !development.isSceneLinear, !amounts.isIdentity {
      camera = DetailRows(base: camera, amounts: amounts, size: size)
    }
    if development.highlights != .keep {
      camera = HighlightRows(base: camera, highlights: development.highlights, gains: gains)
    }
    let grid = grid(development)
    return grid.isReduced ? ReducedRows(camera, grid) : camera
  }

  /// Samples of a mosaic with guesses in place of photosites that do not work.
  func withoutBadPixels(_ samples: RawSamples) -> RawSamples {
    guard bayer != nil, case .integer(var plane) = samples.rows else { return samples }
    var isChanged = false
    for (list, origin) in [
      (opcodes[0], SIMD2(0, 0)), (opcodes[1], SIMD2(levels.activeArea.x, levels.activeArea.y)),
    ] {
      for case .badPixels(let bad) in list.opcodes {
        bad.fix(&plane, pattern: (2, 2), origin: origin)
        isChanged = true
      }
    }
    return isChanged ? RawSamples(planes: 1, rows: .integer(plane)) : samples
  }
}
