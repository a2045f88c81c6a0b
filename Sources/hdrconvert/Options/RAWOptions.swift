// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
public import RAWDevelop

/// Development of raw files.
struct RAWOptions: ParsableArguments {
  @Flag(
    help: "Scene-linear values without any look; 1.0 is sensor saturation.")
  var sceneLinear = false

  @Option(
    help: ArgumentHelp(
      "Exposure in stops, in place of the BaselineExposure of the file.", valueName: "EV"))
  var baselineExposure: Double?

  @Option(
    help: ArgumentHelp(
      "Gain of the scene in stops, before any look; below 0 keeps headroom (default 0).",
      valueName: "EV"))
  var sceneExposure: Double?

  @Option(
    help: ArgumentHelp(
      "White-balance temperature, in place of that of the camera.", valueName: "kelvin"))
  var temperature: Double?

  @Option(
    help: ArgumentHelp("White-balance tint; higher is more magenta.", valueName: "tint"))
  var tint: Double?

  @Option(
    help: ArgumentHelp(
      "Position of a gray object in the upright image, for white balance.", valueName: "x,y"))
  var neutralLocation: String?

  @Option(
    help: ArgumentHelp(
      "Highlights that saturate one color: clip (neutral), keep (tinted) or reconstruct.",
      valueName: "mode"))
  var highlights = RawDevelopment.Highlights.clip

  @Option(
    help: ArgumentHelp(
      "Camera profile of the file, by name; 'inspect' lists them. adobe: SDR by the curve of Adobe.",
      valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "Black offset as a share of white (default: that of the file).", valueName: "0...0.5"))
  var shadowBias: Double?

  @Option(help: ArgumentHelp("Amount of the tone curve, 0 to 1 (default 1).", valueName: "0...1"))
  var boost: Double?

  @Option(
    help: ArgumentHelp("Shadows of the tone curve, 0 (darker) to 2 (brighter).", valueName: "0...2")
  )
  var boostShadow: Double?

  @Option(
    help: ArgumentHelp("Amount of local tone mapping, 0 to 1 (default 1).", valueName: "0...1"))
  var localToneMap: Double?

  @Option(
    help: ArgumentHelp(
      "HDR highlights: 0 none, 1 as the scene, up to 3 stops, 2 up to 4 (default 1; 0 for SDR).",
      valueName: "0...2"))
  var extendedDynamicRange: Double?

  @Option(help: ArgumentHelp("Sharpening, 0 to 1 (default 0).", valueName: "0...1"))
  var sharpness: Double?

  @Option(
    help: ArgumentHelp(
      "Luminance noise reduction, 0 to 1 (default: for the noise of the file).", valueName: "0...1")
  )
  var luminanceNoiseReduction: Double?

  @Option(
    help: ArgumentHelp(
      "Color noise reduction, 0 to 1 (default: for the noise of the file).", valueName: "0...1"))
  var colorNoiseReduction: Double?

  @Option(
    help: ArgumentHelp(
      "Reduction of color moire, 0 to 1 (default 0).", valueName: "0...1"))
  var moireReduction: Double?

  @Option(help: ArgumentHelp("Local contrast, 0 to 1 (default 0).", valueName: "0...1"))
  var contrast: Double?

  @Option(help: ArgumentHelp("Fine detail, 0 to 1 (default 0).", valueName: "0...1"))
  var detail: Double?

  @Option(
    help: ArgumentHelp("Suppress hot pixels of Bayer mosaics (default on).", valueName: "on|off"))
  var hotPixelSuppression: Switch?

  @Option(
    help: ArgumentHelp("Map colors outside BT.2020 into it (default on).", valueName: "on|off"))
  var gamutMapping: Switch?

  @Option(help: ArgumentHelp("Lens correction (default on).", valueName: "on|off"))
  var lensCorrection: Switch?

  @Option(
    help: ArgumentHelp(
      "Crop that the photographer chose, if the file has one (default on).", valueName: "on|off"))
  var userCrop: Switch?

  @Option(
    help: ArgumentHelp(
      "Scale, applied to scene-linear values before any look (default 1).",
      valueName: "0...1"))
  var scaleFactor: Double?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exposure in stops under a matte of the file, such as sky=-0.5; may be repeated.",
      valueName: "matte=EV"))
  var localExposure: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Faster, with less detail: no interpolation of the mosaic, no noise reduction, no sharpening, "
        + "no local contrast."))
  var draft = false

  @Flag(help: "Decode DNG files with damaged or missing strips and tiles; those become black.")
  var salvage = false

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
  }

  private typealias Amount = (name: String, value: Double?, range: ClosedRange<Double>)

  private var amounts: [Amount] {
    [
      ("--baseline-exposure", baselineExposure, -32...32),
      ("--scene-exposure", sceneExposure, -32...32), ("--shadow-bias", shadowBias, 0...0.5),
      ("--boost", boost, 0...1), ("--boost-shadow", boostShadow, 0...2),
      ("--local-tone-map", localToneMap, 0...1),
      ("--extended-dynamic-range", extendedDynamicRange, 0...2),
      ("--sharpness", sharpness, 0...1),
      ("--luminance-noise-reduction", luminanceNoiseReduction, 0...1),
      ("--color-noise-reduction", colorNoiseReduction, 0...1),
      ("--moire-reduction", moireReduction, 0...1), ("--contrast", contrast, 0...1),
      ("--detail", detail, 0...1),
    ]
  }

  /// An option that was given.
  var given: String? {
    let others: [(name: String, isGiven: Bool)] = [
      ("--scene-linear", sceneLinear), ("--temperature", temperature != nil),
      ("--tint", tint != nil),
      ("--neutral-location", neutralLocation != nil), ("--highlights", highlights != .clip),
      ("--profile", profile != nil), ("--gamut-mapping", gamutMapping != nil),
      ("--lens-correction", lensCorrection != nil), ("--user-crop", userCrop != nil),
      ("--hot-pixel-suppression", hotPixelSuppression != nil),
      ("--scale-factor", scaleFactor != nil),
      ("--local-exposure", !localExposure.isEmpty), ("--draft", draft), ("--salvage", salvage),
    ]
    return others.first { $0.isGiven }?.name ?? amounts.first { $0.value != nil }?.name
  }

  /// Refuses options for raw files if the input is not one.
  ///
  /// - Parameter other: A given option of the verb that is for raw files only.
  /// - Throws: `.invalidArgument`.
  func refuse(_ other: String? = nil) throws(ImageError) {
    guard let option = given ?? other else { return }
    throw ImageError(.rawOptionWithoutRaw, ["option": option])
  }

  func validate() throws {
    if let temperature, !(1667...100_000).contains(temperature) {
      throw ValidationError("--temperature takes 1667...100000 kelvin")
    }
    if let neutralLocation {
      guard Self.position(neutralLocation) != nil else {
        throw ValidationError("--neutral-location takes X,Y in pixels, not '\(neutralLocation)'")
      }
      guard temperature == nil, tint == nil else {
        throw ValidationError("--neutral-location excludes --temperature and --tint")
      }
    }
    if let wrong = localExposure.first(where: { Self.local($0) == nil }) {
      throw ValidationError("--local-exposure takes MATTE=EV of -32...32, not '\(wrong)'")
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
    if draft,
      let step = amounts.first(where: { Self.notInDrafts.contains($0.name) && ($0.value ?? 0) > 0 })
    {
      throw ValidationError("--draft excludes \(step.name)")
    }
    guard sceneLinear else { return }
    let looks = amounts.filter { $0.value != nil && $0.name != "--scene-exposure" }.map(\.name)
    if let look = looks.first ?? (profile == nil ? nil : "--profile") {
      throw ValidationError("--scene-linear excludes \(look)")
    }
  }

  /// Steps that a draft does not have.
  private static let notInDrafts = [
    "--sharpness", "--luminance-noise-reduction", "--color-noise-reduction", "--moire-reduction",
    "--contrast", "--detail",
  ]

  /// Column and row of `X,Y`.
  private static func position(_ text: String) -> SIMD2<Int>? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x >= 0, y >= 0 else {
      return nil
    }
    return SIMD2(x, y)
  }

  /// Matte and stops of `MATTE=EV`.
  private static func local(_ text: String) -> RawDevelopment.LocalExposure? {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
      let stops = Double(text[text.index(after: sign)...]), abs(stops) <= 32
    else { return nil }
    return RawDevelopment.LocalExposure(matte: String(text[..<sign]), stops: stops)
  }

  /// Whether the first profile is used with the curve of the Adobe DNG SDK, also for SDR images.
  var usesCurveOfAdobe: Bool { profile == "adobe" }

  /// Development parameters of a raw file.
  ///
  /// - Parameters:
  ///   - exposure: In stops.
  ///   - isStandard: Whether the output is SDR, which decides defaults.
  /// - Returns: All parameters.
  func development(exposure: Double, isStandard: Bool) -> RawDevelopment {
    var development = RawDevelopment()
    development.exposure = exposure
    development.highlights = highlights
    development.neutralTemperature = temperature
    development.neutralTint = tint
    development.neutralLocation = neutralLocation.flatMap(Self.position)
    development.baselineExposure = baselineExposure
    development.sceneExposure = sceneExposure ?? 0
    development.profileName = usesCurveOfAdobe ? nil : profile
    development.isStandardLookToneMapped =
      isStandard && extendedDynamicRange == nil && !usesCurveOfAdobe
    development.localExposures = localExposure.compactMap(Self.local)
    development.isDraftModeEnabled = draft
    development.shadowBias = shadowBias
    development.boostAmount = boost ?? 1
    development.boostShadowAmount = boostShadow ?? 1
    development.localToneMapAmount = localToneMap ?? 1
    development.extendedDynamicRangeAmount = extendedDynamicRange ?? (isStandard ? 0 : 1)
    development.sharpnessAmount = sharpness ?? 0
    development.luminanceNoiseReductionAmount = luminanceNoiseReduction
    development.colorNoiseReductionAmount = colorNoiseReduction
    development.moireReductionAmount = moireReduction ?? 0
    development.contrastAmount = contrast ?? 0
    development.detailAmount = detail ?? 0
    development.isHotPixelSuppressionEnabled = hotPixelSuppression != .off
    development.isGamutMappingEnabled = gamutMapping != .off
    development.isLensCorrectionEnabled = lensCorrection != .off
    development.isUserCropEnabled = userCrop != .off
    development.scaleFactor = scaleFactor ?? 1
    development.isSceneLinear = sceneLinear
    development.isSalvaging = salvage
    return development
  }
}

extension RawDevelopment.Highlights: ExpressibleByArgument {}

extension ConversionOptions {
  /// Whether the output is SDR.
  var isForStandardDisplays: Bool {
    if let display = rendering?.display { return display.usableHeadroom == .standard }
    return ![.pq, .hlg, .linear].contains(transfer)
  }
}

extension Double {
  /// The number without `.0`.
  fileprivate var shortest: String {
    self == rounded() ? String(Int(clamping: self)) : String(self)
  }
}
