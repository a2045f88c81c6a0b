// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DevelopmentParameters {
  /// White point of a development, by default as shot, in the colors of a profile; `nil` for gray
  /// images.
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

  /// Pixel grid of the developed image.
  func grid(_ development: RawDevelopment) -> DevelopedGrid {
    let isDraft = bayer != nil && development.isDraftModeEnabled
    return DevelopedGrid(
      crop: crop, active: bounds.image,
      scale: pixelScale * development.scaleFactor * (isDraft ? 0.5 : 1),
      untrimmed: levels.activeArea, trim: boundsOrigin)
  }

  /// Linear values of the sensor, with less noise; they do not depend on the size of the development.
  ///
  /// - Parameters:
  ///   - samples: Stored samples.
  ///   - development: Reduction of noise.
  ///   - gains: White-balance gains of red, green and blue.
  /// - Returns: The values.
  /// - Throws: `.cancelled`; `.limitExceeded` if opcodes exceed the budget.
  func reference(
    _ samples: RawSamples, _ development: RawDevelopment, gains: SIMD3<Float>
  ) throws(ImageError) -> LinearReference {
    let pixelCount = levels.activeArea.width * levels.activeArea.height
    for list in opcodes[..<2] { try list.debitPasses(over: pixelCount * layout.planes) }
    let reference = LinearReference(
      try corrected(samples), levels, list: opcodes[1], bounds: bounds.mosaic)
    let amounts = noiseReduction(development)
    guard !amounts.isIdentity else { return reference }
    return try reference.denoised(amounts, profile: noiseProfile, bayer: bayer, gains: gains)
  }

  /// White-balanced camera colors after all corrections of the file, at the output size.
  ///
  /// - Parameters:
  ///   - reference: Linear values of the sensor.
  ///   - development: Corrections and size.
  ///   - gains: White-balance gains of red, green and blue.
  /// - Returns: A source of any tile.
  /// - Throws: `.cancelled` while highlights are measured for their reconstruction;
  ///   `.limitExceeded` if opcodes exceed the budget.
  func camera(
    _ reference: LinearReference, _ development: RawDevelopment, gains: SIMD3<Float>
  ) throws(ImageError) -> any CameraRows {
    try opcodes[2].debitPasses(over: levels.activeArea.width * levels.activeArea.height)
    let grid = grid(development)
    let sharpness =
      development.isSceneLinear || development.isDraftModeEnabled
      ? 0 : development.sharpnessAmount * min(baselineSharpness, 4)
    let steps = opcodes[2].steps(from: (bounds.mosaic.width, bounds.mosaic.height))
    // Opcodes have the scale of the whole image.
    let appliesOpcodes = steps.contains {
      switch $0.opcode {
      case .point, .trim: true
      case .warp: development.isLensCorrectionEnabled
      case .badPixels: false
      }
    }
    let isHalved =
      bayer != nil && development.isDraftModeEnabled && grid.isHalfSize && !appliesOpcodes
    var camera: any CameraRows
    if let bayer {
      let mosaic = BayerMosaic(
        reference: reference, bayer: bayer, gains: gains,
        suppressesHotPixels: development.isHotPixelSuppressionEnabled)
      camera = isHalved ? TiledDemosaic<HalfSizeTile>(mosaic) : TiledDemosaic<BayerTile>(mosaic)
    } else {
      camera = LinearRawRows(reference: reference, gains: gains)
    }
    for step in steps {
      switch step.opcode {
      case .point(let point):
        camera = PointCorrectedRows(base: camera, opcode: point, gains: gains, size: step.size)
      case .warp(let warp) where development.isLensCorrectionEnabled:
        camera = WarpedRows(base: camera, warp: warp.sized(step.size), size: step.size)
      case .trim(let area): camera = TrimmedRows(base: camera, area: area)
      case .warp, .badPixels: continue
      }
    }
    if sharpness > 0 {
      let size = (bounds.image.width, bounds.image.height)
      camera = DetailRows(base: camera, sharpness: sharpness, size: size)
    }
    let divisor = isHalved ? 2 : 1
    if development.highlights != .keep {
      let colors =
        development.highlights == .reconstruct
        ? try HighlightColors(camera, area: grid.crop.divided(by: divisor), gains: gains) : nil
      camera = HighlightRows(base: camera, gains: gains, colors: colors)
    }
    return grid.isResampled ? ResampledRows(camera, grid, divisor: divisor) : camera
  }

  /// Amounts of a development: those of its controls, else for the noise of the file.
  func noiseReduction(_ development: RawDevelopment) -> DetailAmounts {
    guard !development.isSceneLinear, !development.isDraftModeEnabled else { return .none }
    let usual = usualNoiseReduction
    let isGray = asShot == nil
    var amounts = DetailAmounts(
      luminance: development.luminanceNoiseReductionAmount ?? usual.luminance,
      color: isGray ? 0 : development.colorNoiseReductionAmount ?? usual.color)
    amounts.moire = isGray ? 0 : development.moireReductionAmount
    (amounts.contrast, amounts.detail) = (development.contrastAmount, development.detailAmount)
    return amounts
  }

  /// Amounts for the noise that NoiseProfile specifies, or that is usual at the ISO sensitivity.
  var usualNoiseReduction: DetailAmounts {
    let noise =
      NoiseModel(profile: noiseProfile, plane: min(1, layout.planes - 1))
      ?? sensitivity.map { NoiseModel(iso: $0, baselineNoise: baselineNoise) }
    return DetailAmounts(for: noise, removed: noiseReductionApplied ?? 0)
  }

  /// Samples after the opcodes of list 1, with the bad pixels of list 2 interpolated.
  ///
  /// - Throws: `.limitExceeded` if memory or work for bad pixels exceeds the budget.
  func corrected(_ samples: RawSamples) throws(ImageError) -> RawSamples {
    let pattern = bayer == nil ? nil : (rows: 2, columns: 2)
    let stored = try StoredCorrections(list: opcodes[0], pattern: pattern).applied(to: samples)
    let active = levels.activeArea
    let steps = opcodes[1].steps(from: (active.width, active.height))
    guard let pattern, case .integer(var plane) = stored.rows else { return stored }
    var isChanged = false
    for step in steps {
      guard case .badPixels(let bad) = step.opcode else { continue }
      try bad.fix(&plane, pattern: pattern, origin: step.origin &+ SIMD2(active.x, active.y))
      isChanged = true
    }
    return isChanged ? RawSamples(planeCount: 1, rows: .integer(plane)) : stored
  }
}
