// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
internal import HDRConversion
public import RAWDevelop

/// Development of raw files.
struct RAWOptions: ParsableArguments {
  @Flag(help: "Scene-linear values without any look; 1.0 is sensor saturation.")
  var sceneLinear = false

  @Option(help: .text("Exposure in stops, in place of the BaselineExposure of the file.", "EV"))
  var baselineExposure: Double?

  @Option(
    help: .text(
      "Gain of the scene in stops, before any look; below 0 keeps headroom (default 0).", "EV"))
  var sceneExposure: Double?

  @Option(help: .text("White-balance temperature, in place of that of the camera.", "kelvin"))
  var temperature: Double?

  @Option(help: .text("White-balance tint; higher is more magenta.", "tint"))
  var tint: Double?

  @Option(help: .text("Position of a gray object in the upright image, for white balance.", "x,y"))
  var neutralLocation: String?

  @Option(
    help: .text(
      "Highlights that saturate one color: clip (neutral), keep (tinted) or reconstruct.", "mode"))
  var highlights: RawDevelopment.Highlights?

  @Option(
    help: .text(
      "Camera profile of the file, by name; 'inspect' lists them. adobe: SDR by the curve of Adobe.",
      "name"))
  var profile: String?

  @Option(help: .text("Black offset as a share of white (default: that of the file).", "0...0.5"))
  var shadowBias: Double?

  @Option(help: .text("Amount of the tone curve, 0 to 1 (default 1).", "0...1"))
  var boost: Double?

  @Option(help: .text("Shadows of the tone curve, 0 (darker) to 2 (brighter).", "0...2"))
  var boostShadow: Double?

  @Option(help: .text("Amount of local tone mapping, 0 to 1 (default 1).", "0...1"))
  var localToneMap: Double?

  @Option(
    help: .text(
      "HDR highlights: 0 none, 1 as the scene, up to 3 stops, 2 up to 4 (default 1; 0 for SDR).",
      "0...2"))
  var extendedDynamicRange: Double?

  @Option(help: .text("Sharpening, 0 to 1 (default 0).", "0...1"))
  var sharpness: Double?

  @Option(
    help: .text("Luminance noise reduction, 0 to 1 (default: for the noise of the file).", "0...1"))
  var luminanceNoiseReduction: Double?

  @Option(
    help: .text("Color noise reduction, 0 to 1 (default: for the noise of the file).", "0...1"))
  var colorNoiseReduction: Double?

  @Option(help: .text("Reduction of color moire, 0 to 1 (default 0).", "0...1"))
  var moireReduction: Double?

  @Option(help: .text("Local contrast, 0 to 1 (default 0).", "0...1"))
  var contrast: Double?

  @Option(help: .text("Fine detail, 0 to 1 (default 0).", "0...1"))
  var detail: Double?

  @Option(help: .text("Suppress hot pixels of Bayer mosaics (default on).", "on|off"))
  var hotPixelSuppression: Switch?

  @Option(help: .text("Map colors outside BT.2020 into it (default on).", "on|off"))
  var gamutMapping: Switch?

  @Option(help: .text("Lens correction (default on).", "on|off"))
  var lensCorrection: Switch?

  @Option(
    help: .text("Crop that the photographer chose, if the file has one (default on).", "on|off"))
  var userCrop: Switch?

  @Option(
    help: .text("Scale, applied to scene-linear values before any look (default 1).", "0...1"))
  var scaleFactor: Double?

  @Option(
    parsing: .singleValue,
    help: .text(
      "Exposure in stops under a matte of the file, such as sky=-0.5; may be repeated.", "matte=EV")
  )
  var localExposure: [String] = []

  @Flag(
    help: .text(
      "Faster, with less detail: no interpolation of the mosaic, no noise reduction, no sharpening, "
        + "no local contrast."))
  var draft = false

  @Flag(help: "Decode DNG files with damaged or missing strips and tiles; those become black.")
  var salvage = false

  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
  }

  func validate() throws {
    var raw = ConversionRequest.Raw()
    try apply(to: &raw)
  }

  /// Sets the fields whose options are given.
  func apply(to raw: inout ConversionRequest.Raw) throws(ValidationError) {
    func set<Value>(_ field: WritableKeyPath<ConversionRequest.Raw, Value?>, _ value: Value?) {
      if let value { raw[keyPath: field] = value }
    }
    set(\.isSceneLinear, sceneLinear ? true : nil)
    set(\.baselineExposure, baselineExposure)
    set(\.sceneExposure, sceneExposure)
    set(\.temperature, temperature)
    set(\.tint, tint)
    set(\.highlights, highlights)
    set(\.profile, profile)
    set(\.shadowBias, shadowBias)
    set(\.boost, boost)
    set(\.boostShadow, boostShadow)
    set(\.localToneMap, localToneMap)
    set(\.extendedDynamicRange, extendedDynamicRange)
    set(\.sharpness, sharpness)
    set(\.luminanceNoiseReduction, luminanceNoiseReduction)
    set(\.colorNoiseReduction, colorNoiseReduction)
    set(\.moireReduction, moireReduction)
    set(\.contrast, contrast)
    set(\.detail, detail)
    set(\.suppressesHotPixels, hotPixelSuppression.map { $0 == .on })
    set(\.mapsGamut, gamutMapping.map { $0 == .on })
    set(\.correctsLens, lensCorrection.map { $0 == .on })
    set(\.appliesUserCrop, userCrop.map { $0 == .on })
    set(\.scaleFactor, scaleFactor)
    set(\.isDraft, draft ? true : nil)
    set(\.isSalvaging, salvage ? true : nil)
    if let neutralLocation {
      guard let position = Self.position(neutralLocation) else {
        throw ValidationError("--neutral-location takes X,Y in pixels, not '\(neutralLocation)'")
      }
      raw.neutralLocation = position
    }
    guard !localExposure.isEmpty else { return }
    raw.localExposures = try localExposure.map { text throws(ValidationError) in
      guard let local = Self.local(text) else {
        throw ValidationError("--local-exposure takes MATTE=EV of -32...32, not '\(text)'")
      }
      return local
    }
  }

  /// Column and row of `X,Y`.
  private static func position(_ text: String) -> [Int]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x >= 0, y >= 0 else {
      return nil
    }
    return [x, y]
  }

  /// Matte and stops of `MATTE=EV`.
  private static func local(_ text: String) -> RawDevelopment.LocalExposure? {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
      let stops = Double(text[text.index(after: sign)...]), abs(stops) <= 32
    else { return nil }
    return RawDevelopment.LocalExposure(matte: String(text[..<sign]), stops: stops)
  }
}

extension RawDevelopment.Highlights: ExpressibleByArgument {}
