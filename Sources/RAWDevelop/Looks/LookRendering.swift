internal import HDRCore

/// From a camera's white-balanced colors to a picture in linear BT.2020: the look for white as the
/// brightest, and that for displays with headroom.
struct LookRendering: Sendable {
  /// What makes white of the camera's colors (1, 1, 1).
  let gains: SIMD3<Float>
  private let standard: Stage
  /// The look of a profile that is for displays with headroom.
  private let extended: Stage?
  /// How much of the look with headroom there shall be.
  private let amount: Double
  private var recovery: HighlightRecovery?
  private let toBT2020: [Float]
  private let gamut: GrayMix?
  private let brightGamut: GrayMix?
  private let signal: SampledFunction<Float>?

  /// Light in the primaries of ISO 22028-2, and what a profile makes of it.
  private struct Stage {
    let light: SceneLinearTransform
    let rows: LookRows
  }

  /// - Parameters:
  ///   - parameters: What the file says.
  ///   - development: What is wanted.
  ///   - masks: The semantic masks that the looks need, by their names.
  /// - Throws: `.invalidArgument` for the name of a profile that the file does not have.
  init(
    _ parameters: DevelopmentParameters, _ development: RawDevelopment,
    masks: [String: Plane<UInt16>]
  ) throws(ImageError) {
    let looks = try parameters.looks(development)
    let grid = parameters.grid(development)
    let gains = parameters.white(development, looks.standard.profile).map(\.gains) ?? .one
    func stage(_ look: DevelopmentParameters.Look) -> Stage {
      let light = SceneLinearTransform(
        parameters, development, profile: look.profile, gains: gains, primaries: .look, stops: 0)
      return Stage(light: light, rows: LookRows(look.rendering, grid: grid, masks: masks))
    }
    self.gains = gains
    standard = stage(looks.standard)
    amount = development.extendedDynamicRangeAmount
    extended = amount > 0 ? looks.extended.map(stage) : nil
    let isGray = looks.standard.profile.camera == nil
    let conversion = isGray ? .identity : ColorPrimaries.look.conversion(to: .bt2020)
    toBT2020 = conversion.elements.map(Float.init)
    let isMapped = development.isGamutMappingEnabled && !isGray
    gamut = isMapped ? GrayMix(from: .look, to: .bt2020, peak: 1) : nil
    let peak = ProfileLook.peak(isHDR: true)
    brightGamut = isMapped ? GrayMix(from: .look, to: .bt2020, peak: peak) : nil
    signal = amount > 0 ? nil : Self.sRGB
  }

  private static let sRGB = SampledFunction(octaves: -20..<1, stepsPerOctave: 512) {
    SRGB.inverseEOTF($0)
  }

  /// Whether the look with headroom is made from the other, and needs to know its mid-tones.
  var needsMidtones: Bool { amount > 0 && extended == nil }

  /// Sets what brings the scene to the brightness of the look's mid-tones.
  mutating func set(midtoneScale: Double) {
    recovery = HighlightRecovery(scale: midtoneScale, amount: amount)
  }

  /// How much brighter mid-tones are shown than they are in the scene, pixel by pixel.
  func midtoneRatios(_ row: inout LightRow, y: Int, columns: Range<Int>) -> [Float] {
    var (scene, shown) = ([Float](repeating: 0, count: row.width), [Float]())
    shown = scene
    standard.light.apply(to: &row)
    standard.rows.apply(to: &row, y: y, columns: columns, scene: &scene, shown: &shown)
    return zip(shown, scene).compactMap { shown, scene in
      HighlightRecovery.midtones.contains(Double(shown)) && scene > 0 ? shown / scene : nil
    }
  }

  /// The same of a neutral ramp, for pictures without mid-tones.
  var standardMidtoneRatios: [Float] {
    let look = standard.rows.look
    return (1...1000).compactMap { step in
      let light = Double(step) / 1000 / look.ramp.slope
      let shown = look.tone(look.ramp(light))
      guard HighlightRecovery.midtones.contains(shown) else { return nil }
      return Float(shown / (light * look.sceneExposure))
    }
  }

  /// Makes some pixels of the picture of the camera's colors.
  func apply(to row: inout LightRow, y: Int, columns: Range<Int>) {
    var scene = [Float](repeating: 0, count: row.width)
    var shown = scene
    let camera = extended == nil ? nil : row
    standard.light.apply(to: &row)
    standard.rows.apply(to: &row, y: y, columns: columns, scene: &scene, shown: &shown)
    row.multiply(by: toBT2020)
    if let gamut { row.map(by: gamut) }
    if let extended, var bright = camera {
      extended.light.apply(to: &bright)
      extended.rows.apply(to: &bright, y: y, columns: columns, scene: &scene, shown: &shown)
      bright.multiply(by: toBT2020)
      if let brightGamut { bright.map(by: brightGamut) }
      row.move(toward: bright, by: Float(min(amount, 1)))
    } else {
      recovery?.apply(to: &row, shown: shown, scene: &scene)
    }
    guard let signal else { return }
    signal.apply(to: &row.red)
    signal.apply(to: &row.green)
    signal.apply(to: &row.blue)
  }
}

extension LightRow {
  /// Becomes a mixture with another row, or that row where `share` is 1.
  fileprivate mutating func move(toward row: LightRow, by share: Float) {
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
