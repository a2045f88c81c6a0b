// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
internal import ImageFiles

extension ConversionRequest {
  /// Checks the values of all fields, and fields that exclude or require each other in every file.
  ///
  /// A plan makes these checks as well, and those that depend on the input.
  ///
  /// - Throws: `.invalidArgument` with the name of the field.
  public func check() throws(ImageError) {
    for (field, value, range) in limits where value.map(range.contains) == false {
      throw .outOfRange(field, "\(range.lowerBound.shortest)...\(range.upperBound.shortest)")
    }
    for (field, value, choices) in choices where value.map(choices.contains) == false {
      throw .outOfRange(field, choices.map(String.init).joined(separator: ", "))
    }
    if content == .sdr, let name = color.transfer?.commonName, ["pq", "hlg"].contains(name) {
      throw ImageError(.requestTransferNotSDR, ["field": "content", "transfer": name])
    }
    for (field, other) in conflicts { throw .conflict(field, other) }
    for (field, other) in requirements { throw .requires(field, other) }
    if content == .gainMap { try checkPrimariesOfComputedMap() }
    try checkParts()
    _ = try renderingOptions()
    if metadata != Metadata() { try checkMetadata() }
  }

  /// Refuses primaries that the SDR image of a computed gain map does not have.
  func checkPrimariesOfComputedMap() throws(ImageError) {
    guard let primaries = color.primaries, ![.displayP3, .bt709].contains(primaries) else { return }
    throw .outOfRange("color.primaries", "p3 or bt709 for the SDR image of a gain map")
  }

  /// Checks parts of values that a field cannot use.
  private func checkParts() throws(ImageError) {
    if input.assumed?.matrix != nil || input.assumed?.range != nil {
      throw .withoutEffect(
        "input.assumed", "matrix and range are declared by the file, or by input.declared")
    }
    if input.declared?.referenceWhite != nil {
      throw .withoutEffect("input.declared", "the luminance of white is assumed by input.assumed")
    }
    if let level = rendition.level, level.isMixtureWithHigh, rendition.display == nil,
      rendition.headroomStops ?? Headroom.unlimited.stops >= Headroom.unlimited.stops
    {
      throw ImageError(
        .requestLevelWithoutHeadroom,
        ["field": "rendition.level", "other": "rendition.headroomStops"])
    }
    guard let display = rendition.display, display.name != nil else { return }
    guard display == Rendition.Display(name: display.name) else {
      throw .conflict("rendition.display", "luminances of a display with a name")
    }
  }

  /// Numbers with their ranges; NaN is in none.
  private var limits: [(field: String, value: Double?, range: ClosedRange<Double>)] {
    let stops = -32.0...32
    let (white, size) = (1.0...10_000, 1.0...Double(Int32.max))
    let amounts = [("boost", raw.boost), ("localToneMap", raw.localToneMap)] + raw.refinements
    return [
      ("coding.quality", coding.quality.map(Double.init), 0...100),
      ("coding.speed", coding.speed.map(Double.init), 0...10),
      ("gainMap.quality", gainMap.quality.map(Double.init), 0...100),
      ("gainMap.targetError", gainMap.targetError, Double.leastNormalMagnitude...1000),
      ("gainMap.headroomStops", gainMap.headroomStops, 0...GainMapMetadata.largestStops),
      ("rendition.headroomStops", rendition.headroomStops, 0...GainMapMetadata.largestStops),
      ("rendition.exposure", rendition.exposure, stops),
      ("rendition.highlightDesaturation", rendition.highlightDesaturation, 0...1),
      ("geometry.longSide", geometry.longSide.map(Double.init), size),
      ("geometry.width", geometry.width.map(Double.init), size),
      ("geometry.height", geometry.height.map(Double.init), size),
      ("color.referenceWhite", color.referenceWhite, white),
      ("metadata.diffuseWhite", metadata.diffuseWhite?.given, white),
      ("metadata.item", metadata.item.map(Double.init), 0...Double(UInt32.max)),
      (
        "input.assumed.referenceWhite", input.assumed?.referenceWhite,
        Double.leastNormalMagnitude...1e6
      ),
      ("raw.baselineExposure", raw.baselineExposure, stops),
      ("raw.sceneExposure", raw.sceneExposure, stops),
      ("raw.temperature", raw.temperature, 1667...100_000), ("raw.tint", raw.tint, -150...150),
      ("raw.shadowBias", raw.shadowBias, 0...0.5), ("raw.boostShadow", raw.boostShadow, 0...2),
      ("raw.extendedDynamicRange", raw.extendedDynamicRange, 0...2),
      ("raw.scaleFactor", raw.scaleFactor, 1e-6...1),
    ] + amounts.map { ("raw.\($0.0)", $0.1, 0...1) }
      + (raw.localExposures ?? []).map { ("raw.localExposures", $0.stops, stops) }
  }

  private var choices: [(field: String, value: Int?, choices: [Int])] {
    [
      ("coding.depth", coding.depth, [8, 10, 12, 16, 32]),
      ("gainMap.scale", gainMap.scale, [1, 2, 4]),
      ("gainMap.componentCount", gainMap.componentCount, [1, 3]),
      ("gainMap.depth", gainMap.depth, [8, 10]),
      ("geometry.rotation", geometry.rotation.map { ($0 % 360 + 360) % 360 }, [0, 90, 180, 270]),
      ("raw.neutralLocation", raw.neutralLocation?.count, [2]),
    ]
  }

  /// Pairs of fields that are both set and exclude each other.
  private var conflicts: [(field: String, other: String)] {
    let given = Set(givenFields)
    let looks =
      raw.refinements.map(\.field) + [
        "baselineExposure", "shadowBias", "boost", "boostShadow", "localToneMap",
        "extendedDynamicRange", "profile",
      ]
    var pairs: [(String, String)] = [
      ("geometry.longSide", "geometry.width"),
      ("rendition.display", "rendition.headroomStops"),
      ("gainMap.targetError", "coding.quality"), ("gainMap.targetError", "gainMap.quality"),
      ("raw.neutralLocation", "raw.temperature"), ("raw.neutralLocation", "raw.tint"),
      ("companions.standard", "companions.gainMap"), ("companions.standard", "gainMap.use"),
      ("companions.standard", "color.profile"),
    ]
    let colors = [
      "color.transfer", "color.primaries", "color.matrix", "color.signaling", "metadata.icc",
    ]
    pairs += colors.map { ("color.profile", $0) }
    if raw.isDraft == true {
      pairs += raw.refinements.filter { $0.amount != 0 }.map { ("raw.isDraft", "raw.\($0.field)") }
    }
    if raw.isSceneLinear == true { pairs += looks.map { ("raw.isSceneLinear", "raw.\($0)") } }
    if metadata.strip?.contains(.all) == true {
      if metadata.exif?.given != nil { pairs.append(("metadata.strip", "metadata.exif")) }
      if metadata.xmp?.given != nil { pairs.append(("metadata.strip", "metadata.xmp")) }
    }
    if companions.standard != nil {
      pairs += [
        ("companions.standard", "rendition.toneMapping"),
        ("companions.standard", "rendition.highlightDesaturation"),
      ]
    }
    var found = pairs.filter { given.contains($0.0) && given.contains($0.1) }
    if content == .sdr, companions.standard != nil {
      found.append(("content", "companions.standard"))
    }
    let displays = ["rendition.display", "rendition.headroomStops", "rendition.level"]
    if let display = displays.first(where: given.contains) {
      if content != .automatic { found.append(("content", display)) }
      if gainMap.use == .keep { found.append(("gainMap.use", display)) }
      if companions.standard != nil { found.append(("companions.standard", display)) }
      if gainMap.headroomStops != nil { found.append((display, "gainMap.headroomStops")) }
    }
    if let transfer = color.transfer {
      if content == .hdr, transfer == .srgb { found.append(("content", "color.transfer")) }
    }
    if content != .automatic, copying == .required { found.append(("content", "copying")) }
    if gainMap.baseline == .alternate {
      if content != .automatic { found.append(("gainMap.baseline", "content")) }
      if gainMap.use == .apply || gainMap.use == .drop {
        found.append(("gainMap.baseline", "gainMap.use"))
      }
    }
    if content == .gainMap, gainMap.use == .keep || gainMap.use == .drop {
      found.append(("content", "gainMap.use"))
    }
    if gainMap.headroomStops != nil {
      if content == .sdr { found.append(("content", "gainMap.headroomStops")) }
      if gainMap.use == .drop { found.append(("gainMap.use", "gainMap.headroomStops")) }
    }
    if companions.gainMap != nil, gainMap.use == .drop {
      found.append(("companions.gainMap", "gainMap.use"))
    }
    guard let field = fieldOfOneImage else { return found }
    if gainMap.use == .keep { found.append((field, "gainMap.use")) }
    if gainMap.flavors != nil { found.append(("gainMap.flavors", field)) }
    return found
  }

  /// The field that leads to an output without a gain map.
  private var fieldOfOneImage: String? {
    if content == .sdr || content == .hdr { return "content" }
    if color.profile != nil { return "color.profile" }
    if color.transfer == .srgb { return "color.transfer" }
    return gainMap.use == .drop ? "gainMap.use" : nil
  }

  /// Fields that are set without another one that they require.
  private var requirements: [(field: String, other: String)] {
    let given = Set(givenFields)
    let declared =
      MetadataItem.all.filter(\.requiresCopying).map(\.field) + ["metadata.item"]
    return [
      ("geometry.isEnlarged", "geometry.longSide"), ("geometry.width", "geometry.height"),
      ("geometry.height", "geometry.width"), ("companions.gainMapMetadata", "companions.gainMap"),
    ].filter { given.contains($0.0) && !given.contains($0.1) }
      .filter { $0.0 != "geometry.isEnlarged" || geometry.width == nil }
      + declared.filter { given.contains($0) && copying != .required }
      .map { ($0, "copying (required)") }
  }

  /// Checks items that cannot be measured, and the values of light metadata; `limits` has narrower ones of diffuse white.
  private func checkMetadata() throws(ImageError) {
    let measured =
      MetadataItem.all.map { ($0.field, !$0.isMeasurable && $0.choice(metadata) == .measure) } + [
        ("metadata.exif", metadata.exif == .measure && copying == .required),
        ("metadata.xmp", metadata.xmp == .measure && copying == .required),
      ]
    for (field, isMeasured) in measured where isMeasured {
      throw .outOfRange(field, "keep, drop or a value; it cannot be measured")
    }
    if let (field, values) = metadata.light().invalidField {
      throw .outOfRange("metadata.\(field)", values)
    }
  }
}

extension ImageError {
  /// The error of a field that the work does not use.
  package static func withoutEffect(_ field: String, _ reason: String) -> ImageError {
    ImageError(.requestWithoutEffect, ["field": field, "reason": reason])
  }

  /// The error of a field with a value other than these.
  static func outOfRange(_ field: String, _ values: String) -> ImageError {
    ImageError(.requestOutOfRange, ["field": field, "values": values])
  }

  /// The error of two fields that exclude each other.
  static func conflict(_ field: String, _ other: String) -> ImageError {
    ImageError(.requestConflict, ["field": field, "other": other])
  }

  /// The error of a field that is set without another one.
  static func requires(_ field: String, _ other: String) -> ImageError {
    ImageError(.requestRequires, ["field": field, "other": other])
  }
}

extension ConversionRequest.Rendition.Level {
  /// Whether a part is all of the headroom of the display, and another part is not.
  fileprivate var isMixtureWithHigh: Bool {
    high ?? 0 > 0 && (standard ?? 0 > 0 || constrainedHigh ?? 0 > 0)
  }
}

extension ConversionRequest.Raw {
  /// Amounts of the steps that a draft leaves out.
  fileprivate var refinements: [(field: String, amount: Double?)] {
    [
      ("sharpness", sharpness), ("luminanceNoiseReduction", luminanceNoiseReduction),
      ("colorNoiseReduction", colorNoiseReduction), ("moireReduction", moireReduction),
      ("contrast", contrast), ("detail", detail),
    ]
  }
}

extension ConversionRequest.Item {
  /// The value, if one is given.
  var given: Value? { if case .value(let value) = self { value } else { nil } }

  /// The value to write.
  ///
  /// - Parameters:
  ///   - kept: Value of the input, if there is one.
  ///   - automatic: Value that was measured or derived.
  /// - Returns: `nil` if the item is omitted.
  func value(kept: Value?, automatic: Value?) -> Value? {
    switch self {
    case .measure: automatic
    case .keep: kept
    case .drop: nil
    case .value(let value): value
    }
  }
}

extension Double {
  /// The number without `.0`; 0 for the least number above 0.
  fileprivate var shortest: String {
    self == .leastNormalMagnitude ? "0" : Int(exactly: self).map(String.init) ?? "\(self)"
  }
}
