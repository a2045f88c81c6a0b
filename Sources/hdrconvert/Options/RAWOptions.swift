public import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
public import RAWDevelop

/// How raw samples become a picture.
struct RAWOptions: ParsableArguments {
  @Flag(
    help: "The light of the scene: every look off, and 1.0 where the sensor saturates.")
  var sceneLinear = false

  @Option(
    help: ArgumentHelp(
      "In place of the exposure that the file asks for; works as --exposure.", valueName: "EV"))
  var baselineExposure: Double?

  @Option(
    help: ArgumentHelp("Light that becomes white, in place of the camera's.", valueName: "kelvin"))
  var temperature: Double?

  @Option(
    help: ArgumentHelp("How greenish that light is: more gives more magenta.", valueName: "tint"))
  var tint: Double?

  @Option(
    help: ArgumentHelp(
      "Light that saturates one color: clip (neutral), keep (with a cast) or reconstruct.",
      valueName: "mode"))
  var highlights = RawDevelopment.Highlights.clip

  @Option(
    help: ArgumentHelp(
      "Camera profile of the file, by name; 'inspect' lists them.", valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "Taken from shadows, as a share of white; default: as the file says.", valueName: "0...0.5"))
  var shadowBias: Double?

  @Option(help: ArgumentHelp("How much of the tone curve; default 1.", valueName: "0...1"))
  var boost: Double?

  @Option(
    help: ArgumentHelp("Shadows of the tone curve: 0 darker, 2 brighter.", valueName: "0...2"))
  var boostShadow: Double?

  @Option(
    help: ArgumentHelp("How much of the file's local tone curves; default 1.", valueName: "0...1"))
  var localToneMap: Double?

  @Option(
    help: ArgumentHelp(
      """
      Highlights that come back for displays with headroom: 0 none, 1 up to three stops, 2 up to \
      four; default 1, and 0 for standard displays.
      """, valueName: "0...2"))
  var extendedDynamicRange: Double?

  @Option(help: ArgumentHelp("How much sharper; default 0.", valueName: "0...1"))
  var sharpness: Double?

  @Option(help: ArgumentHelp("How much noise of luminance goes; default 0.", valueName: "0...1"))
  var luminanceNoiseReduction: Double?

  @Option(help: ArgumentHelp("How much noise of color goes; default 0.", valueName: "0...1"))
  var colorNoiseReduction: Double?

  @Option(
    help: ArgumentHelp("Bring colors beyond BT.2020 inside; default on.", valueName: "on|off"))
  var gamutMapping: Switch?

  @Option(help: ArgumentHelp("Remove the lens's distortion; default on.", valueName: "on|off"))
  var lensCorrection: Switch?

  @Option(
    help: ArgumentHelp(
      "Size as a share of the file's, made of light before any look; default 1.",
      valueName: "0...1"))
  var scaleFactor: Double?

  @Flag(help: "Strips and tiles of DNG that are damaged or missing become black.")
  var salvage = false

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
  }

  private typealias Amount = (name: String, value: Double?, range: ClosedRange<Double>)

  private var amounts: [Amount] {
    [
      ("--baseline-exposure", baselineExposure, -32...32), ("--shadow-bias", shadowBias, 0...0.5),
      ("--boost", boost, 0...1), ("--boost-shadow", boostShadow, 0...2),
      ("--local-tone-map", localToneMap, 0...1),
      ("--extended-dynamic-range", extendedDynamicRange, 0...2),
      ("--sharpness", sharpness, 0...1),
      ("--luminance-noise-reduction", luminanceNoiseReduction, 0...1),
      ("--color-noise-reduction", colorNoiseReduction, 0...1),
    ]
  }

  /// An option that was given.
  var given: String? {
    let others: [(name: String, isGiven: Bool)] = [
      ("--scene-linear", sceneLinear), ("--temperature", temperature != nil),
      ("--tint", tint != nil), ("--highlights", highlights != .clip),
      ("--profile", profile != nil), ("--gamut-mapping", gamutMapping != nil),
      ("--lens-correction", lensCorrection != nil), ("--scale-factor", scaleFactor != nil),
      ("--salvage", salvage),
    ]
    return others.first { $0.isGiven }?.name ?? amounts.first { $0.value != nil }?.name
  }

  /// Refuses what was said for a raw file beside one that is none.
  ///
  /// - Parameter other: An option of the verb that is for raw files, too, if it was given.
  /// - Throws: `.invalidArgument`.
  func refuse(_ other: String? = nil) throws(ImageError) {
    guard let option = given ?? other else { return }
    throw ImageError(.rawOptionWithoutRaw, ["option": option])
  }

  func validate() throws {
    if let temperature, !(1667...100_000).contains(temperature) {
      throw ValidationError("--temperature takes 1667...100000 kelvin")
    }
    if let scaleFactor, !(scaleFactor > 0 && scaleFactor <= 1) {
      throw ValidationError("--scale-factor takes more than 0, up to 1")
    }
    if let tint, !(abs(tint) <= 150) { throw ValidationError("--tint takes -150...150") }
    for (name, value, range) in amounts {
      guard let value, !range.contains(value) else { continue }
      throw ValidationError(
        "\(name) takes \(range.lowerBound.shortest)...\(range.upperBound.shortest)")
    }
    guard sceneLinear else { return }
    let looks = amounts.filter { $0.value != nil }.map(\.name)
    if let look = looks.first ?? (profile == nil ? nil : "--profile") {
      throw ValidationError("--scene-linear turns every look off: \(look) does nothing with it")
    }
  }

  /// How to develop a raw file.
  ///
  /// - Parameters:
  ///   - exposure: In stops.
  ///   - isStandard: Whether the picture is for standard displays, unless an option says otherwise.
  /// - Returns: All controls.
  func development(exposure: Double, isStandard: Bool) -> RawDevelopment {
    var development = RawDevelopment()
    development.exposure = exposure
    development.highlights = highlights
    development.neutralTemperature = temperature
    development.neutralTint = tint
    development.baselineExposure = baselineExposure
    development.profileName = profile
    development.shadowBias = shadowBias
    development.boostAmount = boost ?? 1
    development.boostShadowAmount = boostShadow ?? 1
    development.localToneMapAmount = localToneMap ?? 1
    development.extendedDynamicRangeAmount = extendedDynamicRange ?? (isStandard ? 0 : 1)
    development.sharpnessAmount = sharpness ?? 0
    development.luminanceNoiseReductionAmount = luminanceNoiseReduction ?? 0
    development.colorNoiseReductionAmount = colorNoiseReduction ?? 0
    development.isGamutMappingEnabled = gamutMapping != .off
    development.isLensCorrectionEnabled = lensCorrection != .off
    development.scaleFactor = scaleFactor ?? 1
    development.isSceneLinear = sceneLinear
    development.isSalvaging = salvage
    return development
  }
}

extension RawDevelopment.Highlights: ExpressibleByArgument {}

extension ConversionOptions {
  /// Whether the output is for displays without headroom.
  var isForStandardDisplays: Bool {
    if let display = rendering?.display { return display.usableHeadroom == .standard }
    return ![.pq, .hlg, .linear].contains(transfer)
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate var shortest: String { self == rounded() ? String(Int(self)) : String(self) }
}
