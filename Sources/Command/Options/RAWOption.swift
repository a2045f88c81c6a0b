// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Development of raw files.
struct RAWOption: ParsableArguments {
  @Option(
    name: .customLong("raw"),
    help: .text(
      "Development of a raw file, such as temperature=5200,highlights=reconstruct; 'help raw' "
        + "lists the keys.", "key=value,..."),
    completion: .list(RequestKeys.raw.words))
  var values: [String] = []

  func validate() throws {
    var request = ConversionRequest()
    try apply(to: &request)
  }

  /// Whether raw files belong together with the images of the same name.
  var pairsInputs: Bool { RequestKeys.raw.contains("camera-jpeg", in: values) && companion == nil }

  /// The image of the camera, if a file is named; setting it replaces `camera-jpeg=auto`.
  var companion: String? {
    get {
      var request = ConversionRequest()
      try? apply(to: &request)
      return request.companions.standard
    }
    set {
      let automatic = "camera-jpeg=\(RequestKeys.automaticCompanion)"
      values = values.map { text in
        text.split(separator: ",").filter { $0.trimmed != automatic }.joined(separator: ",")
      }.filter { !$0.isEmpty }
      if let newValue { values.append("camera-jpeg=\(newValue)") }
    }
  }

  /// Sets the fields whose keys are given.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - exposure: The value of `--exposure`, which sets a field that a key sets as well.
  /// - Throws: The failure of a key or a value; `ValidationError` for two exposures.
  func apply(to request: inout ConversionRequest, exposure: Double? = nil) throws {
    guard exposure == nil || !RequestKeys.raw.contains("exposure", in: values) else {
      throw ValidationError("--exposure and --raw exposure are the same; give one of them")
    }
    // Keys replace those of a request, as other options do.
    if RequestKeys.raw.contains("local-exposure", in: values) { request.raw.localExposures = nil }
    try RequestKeys.raw.apply(values, to: &request)
  }
}

extension RequestKeys {
  /// Development of raw files.
  static let raw = Self(
    name: "--raw", summary: "Development of raw files.",
    keys: [
      .number(
        "exposure", "-32...32", unit: "EV", "Exposure, as --exposure.", "rendition.exposure",
        \.rendition.exposure),
      .number(
        "temperature", "1667...100000", unit: "K",
        "White-balance temperature (default: that of the camera).", "raw.temperature",
        \.raw.temperature),
      .number(
        "tint", "-150...150", "White-balance tint; higher is more magenta.", "raw.tint",
        \.raw.tint),
      Key(
        name: "neutral", form: "X:Y", unit: "pixels",
        help: "Place of a gray object in the upright image, for white balance.",
        field: "raw.neutralLocation"
      ) { request, text throws(ValidationError) in
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x >= 0, y >= 0 else {
          throw ValidationError("")
        }
        request.raw.neutralLocation = [x, y]
      },
      .choice(
        "highlights",
        "Highlights that saturate one color: neutral (clip), tinted (keep) or reconstructed.",
        "raw.highlights", \.raw.highlights),
      .text(
        "profile", "NAME",
        "Camera profile of the file; 'inspect' lists them. adobe: SDR by the curve of Adobe.",
        "raw.profile", \.raw.profile),
      .number(
        "tone-curve", "0...1", "Amount of the tone curve (default 1).", "raw.boost", \.raw.boost),
      .number(
        "shadows", "0...2", "Shadows of the tone curve: 0 darker, 2 brighter (default 1).",
        "raw.boostShadow", \.raw.boostShadow),
      .number(
        "shadow-bias", "0...0.5", "Black offset, as a share of white (default: that of the file).",
        "raw.shadowBias", \.raw.shadowBias),
      .number(
        "extended-dynamic-range", "0...2",
        "HDR highlights: 0 none, 1 as the scene, up to 3 stops, 2 up to 4 (default 1; 0 for SDR).",
        "raw.extendedDynamicRange", \.raw.extendedDynamicRange),
      .number(
        "local-tone-map", "0...1", "Local tone mapping (default 1).", "raw.localToneMap",
        \.raw.localToneMap),
      .number("contrast", "0...1", "Local contrast (default 0).", "raw.contrast", \.raw.contrast),
      .number("detail", "0...1", "Fine detail (default 0).", "raw.detail", \.raw.detail),
      .number("sharpness", "0...1", "Sharpening (default 0).", "raw.sharpness", \.raw.sharpness),
      .number(
        "luminance-noise", "0...1",
        "Luminance noise reduction (default: for the noise of the file).",
        "raw.luminanceNoiseReduction", \.raw.luminanceNoiseReduction),
      .number(
        "color-noise", "0...1", "Color noise reduction (default: for the noise of the file).",
        "raw.colorNoiseReduction", \.raw.colorNoiseReduction),
      .number(
        "moire", "0...1", "Reduction of color moire (default 0).", "raw.moireReduction",
        \.raw.moireReduction),
      Key(
        name: "local-exposure", form: "MATTE:-32...32", unit: "EV",
        help: "Exposure under a matte of the file, such as sky:-0.5; may be repeated.",
        field: "raw.localExposures", isRepeatable: true
      ) { request, text throws(ValidationError) in
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
          let stops = Double(text[text.index(after: colon)...]), abs(stops) <= 32
        else { throw ValidationError("") }
        request.raw.localExposures =
          (request.raw.localExposures ?? [])
          + [RawDevelopment.LocalExposure(matte: String(text[..<colon]), stops: stops)]
      },
      Key(
        name: "camera-jpeg", form: "FILE|auto",
        help: "Image of the camera as the SDR image of a file with a gain map; auto: the JPEG or "
          + "HEIF of the same name.",
        field: "companions.standard", isText: true
      ) { request, text throws(ValidationError) in
        guard !text.isEmpty else { throw ValidationError("") }
        if text != automaticCompanion { request.companions.standard = text }
      },
      .toggle(
        "hot-pixels", "Remove hot pixels of Bayer mosaics (default on).",
        "raw.suppressesHotPixels", \.raw.suppressesHotPixels),
      .toggle("lens", "Lens correction (default on).", "raw.correctsLens", \.raw.correctsLens),
      .toggle(
        "user-crop", "Crop that the photographer chose, if the file has one (default on).",
        "raw.appliesUserCrop", \.raw.appliesUserCrop),
      .toggle(
        "gamut-mapping", "Map colors outside BT.2020 into it (default on).", "raw.mapsGamut",
        \.raw.mapsGamut),
      .number(
        "baseline-exposure", "-32...32", unit: "EV",
        "Exposure in place of the BaselineExposure of the file.", "raw.baselineExposure",
        \.raw.baselineExposure),
      .number(
        "scene-exposure", "-32...32", unit: "EV",
        "Gain of the scene before any look; below 0 keeps headroom (default 0).",
        "raw.sceneExposure", \.raw.sceneExposure),
      .number(
        "scale", "0...1", "Size as a share of the full size (default 1).",
        "raw.scaleFactor", \.raw.scaleFactor),
      .flag(
        "scene-linear", "Scene-linear values without any look; 1.0 is sensor saturation.",
        "raw.isSceneLinear", \.raw.isSceneLinear),
      .flag(
        "draft",
        "Faster, at half the size of a Bayer mosaic: no noise reduction, no sharpening, no local "
          + "contrast.", "raw.isDraft", \.raw.isDraft),
      .flag(
        "salvage",
        "Decode truncated and damaged DNG files; strips and tiles without samples become black.",
        "raw.isSalvaging", \.raw.isSalvaging),
    ])

  /// The value of `camera-jpeg` for the image of the same name.
  static var automaticCompanion: String { "auto" }
}
