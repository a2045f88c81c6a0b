// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Renders white-balanced camera colors to linear BT.2020, with looks for displays without and with
/// headroom.
struct LookRendering: Sendable {
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  private let standard: Stage
  /// Look of a profile for displays with headroom.
  private let extended: Stage?
  /// Amount of the look with headroom.
  private let amount: Double
  private var recovery: HighlightRecovery?
  private let expansion: HighlightExpansion?
  private let toBT2020: [Float]
  private let gamut: GamutRows?
  private let brightGamut: GamutRows?
  private let signal: SampledFunction<Float>?

  /// Conversion to the primaries of ISO 22028-2, and the look of a profile.
  private struct Stage {
    let transform: SceneLinearTransform
    let rows: LookRows
  }

  /// - Parameters:
  ///   - parameters: Parameters of the file.
  ///   - development: Controls.
  ///   - masks: Semantic masks of the looks, by name.
  /// - Throws: `.invalidArgument` for an unknown profile name.
  init(
    _ parameters: DevelopmentParameters, _ development: RawDevelopment,
    masks: [String: Plane<UInt16>]
  ) throws(ImageError) {
    let looks = try parameters.looks(development)
    let grid = parameters.grid(development)
    let gains = parameters.white(development, looks.standard.profile).map(\.gains) ?? .one
    func stage(_ look: DevelopmentParameters.Look) -> Stage {
      let transform = SceneLinearTransform(
        parameters, development, profile: look.profile, gains: gains, primaries: .look,
        stops: development.sceneExposure)
      return Stage(transform: transform, rows: LookRows(look.rendering, grid: grid, masks: masks))
    }
    self.gains = gains
    standard = stage(looks.standard)
    amount = development.extendedDynamicRangeAmount
    extended = amount > 0 ? looks.extended.map(stage) : nil
    expansion = amount > 1 ? HighlightExpansion(amount: amount) : nil
    let isGray = looks.standard.profile.camera == nil
    let conversion = isGray ? .identity : ColorPrimaries.look.conversion(to: .bt2020)
    toBT2020 = conversion.elements.map(Float.init)
    let isMapped = development.isGamutMappingEnabled && !isGray
    func rows(peak: Double) -> GamutRows? {
      isMapped ? GamutRows(GamutMapper(from: .look, to: .bt2020, peak: peak)) : nil
    }
    gamut = rows(peak: 1)
    brightGamut = rows(peak: ProfileLook.peak(isHDR: true))
    signal = amount > 0 ? nil : Self.sRGB
  }

  private static let sRGB = SampledFunction(octaves: -20..<1, stepsPerOctave: 512) {
    SRGB.inverseEOTF($0)
  }

  /// Whether the look with headroom is derived from the other, which requires its mid-tones.
  var needsMidtones: Bool { amount > 0 && extended == nil }

  /// Sets the scale of the scene to the mid-tones of the look.
  mutating func set(midtoneScale: Double) {
    recovery = HighlightRecovery(scale: midtoneScale, amount: amount)
  }

  /// Ratios of the look to the scene in mid-tones, for each pixel.
  func midtoneRatios(_ row: inout LinearRow, y: Int, columns: Range<Int>) -> [Float] {
    standard.transform.apply(to: &row)
    let levels = standard.rows.apply(to: &row, y: y, columns: columns)
    return zip(levels.shown, levels.scene).compactMap { shown, scene in
      HighlightRecovery.midtones.contains(Double(shown)) && scene > 0 ? shown / scene : nil
    }
  }

  /// The same ratios of a neutral ramp, for images without mid-tones.
  var standardMidtoneRatios: [Float] {
    let look = standard.rows.look
    return (1...1000).compactMap { step in
      let linear = Double(step) / 1000 / look.ramp.slope
      let shown = look.tone(look.ramp(linear))
      guard HighlightRecovery.midtones.contains(shown) else { return nil }
      return Float(shown / (linear * look.sceneExposure))
    }
  }

  /// Renders pixels.
  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>) {
    let camera = extended == nil ? nil : row
    standard.transform.apply(to: &row)
    let source = recovery == nil ? nil : row
    var levels = standard.rows.apply(to: &row, y: y, columns: columns)
    row.multiply(by: toBT2020)
    if let gamut { row.map(by: gamut) }
    if let extended, var bright = camera {
      extended.transform.apply(to: &bright)
      let levels = extended.rows.apply(to: &bright, y: y, columns: columns)
      bright.multiply(by: toBT2020)
      if let brightGamut { bright.map(by: brightGamut) }
      row.move(toward: bright, by: Float(min(amount, 1)))
      expansion?.apply(to: &row, shown: levels.shown)
    } else if let recovery, var scene = source,
      levels.shown.contains(where: { $0 > Float(HighlightRecovery.start) })
    {
      standard.rows.makeScene(of: &scene, y: y, columns: columns, levels: &levels)
      scene.multiply(by: toBT2020)
      if let brightGamut { scene.map(by: brightGamut) }
      recovery.apply(to: &row, scene: scene, levels: levels)
    }
    guard let signal else { return }
    signal.apply(to: &row.red)
    signal.apply(to: &row.green)
    signal.apply(to: &row.blue)
  }
}

extension LinearRow {
  /// Interpolates to another row; with a share of 1, becomes that row.
  fileprivate mutating func move(toward row: LinearRow, by share: Float) {
    guard share < 1 else {
      self = row
      return
    }
    func mix(_ a: inout [Float], _ b: [Float]) {
      for x in a.indices { a[x] += share * (b[x] - a[x]) }
    }
    mix(&red, row.red)
    mix(&green, row.green)
    mix(&blue, row.blue)
  }
}

/// Brightens values above white of a look for displays with headroom.
///
/// With t stops above white, the gain is a share of t² / (t + 1/2) stops: none at white, and nearly
/// proportional far above. The largest share is a third, as in `HighlightRecovery`.
struct HighlightExpansion: Sendable {
  /// Gain minus 1 of the largest component.
  private let excess: SampledFunction<Float>

  /// - Parameter amount: 1 for none, 2 for the largest.
  init(amount: Double) {
    let share = (amount - 1) / 3
    excess = SampledFunction(octaves: 0..<20, stepsPerOctave: 256) { linear in
      let stops = log2(linear)
      return exp2(share * stops * stops / (stops + 0.5)) - 1
    }
  }

  /// - Parameters:
  ///   - row: The look.
  ///   - shown: Largest components of the look.
  func apply(to row: inout LinearRow, shown: [Float]) {
    var gain = shown
    excess.apply(to: &gain)
    for x in gain.indices { gain[x] += 1 }
    row.multiply(byGain: gain)
  }
}
