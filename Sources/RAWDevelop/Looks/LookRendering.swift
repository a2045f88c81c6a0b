// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels
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

/// Extends a look that ends at white to displays with headroom: highlights move toward luminance
/// and color of the scene, mid-tones do not change.
///
/// With m the largest component of the look and s that of the exposed scene, the look is multiplied
/// by max(k s / m, 1) to the power of a weight that rises from 0 at m = 0.45 to 1 at m = 1. k scales
/// the scene to the mid-tones of the look. The gain approaches three stops. With it, hue and chroma
/// move from those of the look, which limits each component to white, to those of the scene, which
/// they are from a gain of 1.2 on, and wherever the look is less saturated than the scene: otherwise
/// the sky around the sun has a pale ring.
struct HighlightRecovery: Hashable, Sendable {
  /// k.
  let scale: Double
  /// 0 for none, 1 for up to three stops, 2 for up to four.
  let amount: Double

  /// Largest component up to which the look does not change.
  static let start = 0.45
  /// Components of mid-tones in the look.
  static let midtones: ClosedRange<Double> = 0.1...0.3
  /// The gain from which the color is that of the scene.
  private static let sceneGain = 1.2
  /// Exponent of gains for amounts above 1.
  private var strength: Double { 1 + max(amount - 1, 0) / 3 }

  /// Base-2 logarithm of the gain of a pixel for an amount of 1.
  func stops(shown: Double, scene: Double) -> Double {
    guard shown > Self.start else { return 0 }
    let share = min((shown - Self.start) / (1 - Self.start), 1)
    return Self.limited(log2(max(scale * scene / shown, 1))) * share * share * (3 - 2 * share)
  }

  /// Stops up to about two, and at most three.
  private static func limited(_ stops: Double) -> Double {
    stops / pow(1 + pow(stops / 3, 8), 1 / 8.0)
  }

  /// The color of a pixel.
  ///
  /// - Parameters:
  ///   - look: Color of the look.
  ///   - scene: Color of the scene, as bright as the look.
  ///   - shown: Largest component of the look.
  ///   - stops: Base-2 logarithm of its gain for an amount of 1.
  /// - Returns: The color of the look with headroom.
  func color(
    look: SIMD3<Double>, scene: SIMD3<Double>, shown: Double, stops: Double
  ) -> SIMD3<Double> {
    let share = max(
      Self.sceneShare(stops), Self.restoringShare(look: look, scene: scene, shown: shown))
    let color = exp2(strength * stops) * (look + share * (scene - look))
    return look + min(amount, 1) * (color - look)
  }

  /// Share of the color of the scene at a gain.
  private static func sceneShare(_ stops: Double) -> Double {
    let place = min((exp2(stops) - 1) / (sceneGain - 1), 1)
    return place * place * (3 - 2 * place)
  }

  /// Share of the color of the scene that keeps the saturation from falling below that of the scene:
  /// all of it where the look has 0.05 less, from 0.2 above the start on.
  private static func restoringShare(
    look: SIMD3<Double>, scene: SIMD3<Double>, shown: Double
  ) -> Double {
    func grayShare(_ color: SIMD3<Double>) -> Double { color.min() / max(color.max(), 1e-6) }
    let lacking = grayShare(look) - grayShare(scene)
    let place = min(max((shown - start) * 5, 0), 1)
    return place * place * (3 - 2 * place) * min(max(20 * lacking, 0), 1)
  }

  /// Replaces the look by the look with headroom.
  ///
  /// - Parameters:
  ///   - row: The look.
  ///   - scene: Colors of the scene, as bright as the look.
  ///   - levels: Largest components of the look and of the scene.
  func apply(to row: inout LinearRow, scene: LinearRow, levels: LookRows.Levels) {
    var excess = levels.scene
    var weight = [Float](repeating: 0, count: row.width)
    precondition(levels.shown.count == row.width && excess.count == row.width)
    precondition(scene.width == row.width)
    // SAFETY: all three rows have `width` samples.
    unsafe pk_highlight_ratio(
      levels.shown, &excess, &weight, row.width, Float(scale), 32, Float(Self.start))
    Self.stops.apply(to: &excess)
    excess.multiply(by: weight)
    var share = excess
    Self.share.apply(to: &share)
    if strength != 1 { for x in excess.indices { excess[x] *= Float(strength) } }
    Self.excess.apply(to: &excess)
    let amount = Float(min(amount, 1))
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all nine rows have `count` samples.
      unsafe pk_recover(
        red, green, blue, count, scene.red, scene.green, scene.blue, levels.shown, excess, share,
        Float(Self.start), amount)
    }
  }

  private static let stops = SampledFunction(octaves: 0..<5, stepsPerOctave: 1024) {
    limited(log2($0))
  }
  private static let share = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    sceneShare($0)
  }
  private static let excess = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    exp2($0) - 1
  }
}
