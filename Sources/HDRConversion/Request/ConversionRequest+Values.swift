// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles
package import RAWDevelop

// The values of a request as the engines take them.

extension ConversionRequest {
  /// Options for opening the input.
  package func openingOptions(limits: ImageLimits = Execution.current.limits) -> OpeningOptions {
    openingOptions(basedOn: OpeningOptions(limits: limits))
  }

  /// Options for opening the input, other than those of a file.
  func openingOptions(basedOn usual: OpeningOptions) -> OpeningOptions {
    var options = usual
    if let text = input.image { options.image = Int(text).map { .number($0) } ?? .name(text) }
    if let color = input.assumed {
      options.assumed = AssumedColor(
        transfer: color.transfer, primaries: color.primaries, referenceWhite: color.referenceWhite)
    }
    if let color = input.declared {
      options.declared = OpeningOptions.DeclaredColor(
        transfer: color.transfer, primaries: color.primaries, matrix: color.matrix,
        isFullRange: color.range.map { $0 == .full })
    }
    if let curve = input.appleCurve { options.appleCurve = curve }
    return options
  }

  /// The display and the operator; `nil` if the image is not rendered for a display.
  ///
  /// - Throws: `.invalidArgument` for an unknown or impossible display.
  func renderingOptions() throws(ImageError) -> RenderingOptions? {
    guard rendition.isForDisplay else { return nil }
    return renderingOptions(for: try displayTarget())
  }

  /// SDR, as a display without headroom shows it.
  var standardRendering: RenderingOptions {
    renderingOptions(for: DisplayTarget(headroom: .unlimited, range: DynamicRange.Mix(.standard)))
  }

  private func renderingOptions(for display: DisplayTarget) -> RenderingOptions {
    var options = RenderingOptions(display: display, method: rendition.toneMapping)
    options.gamutMapping = rendition.gamutMapping ?? .soft
    options.highlightDesaturation = rendition.highlightDesaturation
    return options
  }

  /// This request, which renders, and then another one, as one request; `nil` if both change the same image twice.
  package func followed(by next: ConversionRequest) -> ConversionRequest? {
    var both = next
    func merge<Part: Equatable>(_ part: WritableKeyPath<ConversionRequest, Part>) -> Bool {
      let usual = ConversionRequest()[keyPath: part]
      guard self[keyPath: part] != usual else { return true }
      guard next[keyPath: part] == usual else { return false }
      both[keyPath: part] = self[keyPath: part]
      return true
    }
    guard merge(\.content), merge(\.gainMap), merge(\.companions), merge(\.rendition),
      merge(\.geometry), merge(\.color), merge(\.raw)
    else { return nil }
    return both
  }

  private func displayTarget() throws(ImageError) -> DisplayTarget {
    let range =
      try rendition.level.map { level throws(ImageError) in
        try DynamicRange.Mix(
          standard: level.standard ?? 0, constrainedHigh: level.constrainedHigh ?? 0,
          high: level.high ?? 0)
      } ?? DynamicRange.Mix(.high)
    if let display = rendition.display {
      if let name = display.name {
        return DisplayTarget(try DisplayPreset(named: name), range: range)
      }
      guard let white = display.referenceWhite, let peak = display.peakLuminance else {
        let others = "referenceWhite and peakLuminance"
        throw .requires("rendition.display", others)
      }
      let custom = try DisplayPreset(
        referenceWhite: white, peakLuminance: peak, primaries: display.primaries ?? .bt2020,
        surroundLuminance: display.surroundLuminance ?? 5,
        blackLuminance: display.blackLuminance ?? 0)
      return DisplayTarget(custom, range: range)
    }
    guard let stops = rendition.headroomStops else {
      return DisplayTarget(headroom: .unlimited, range: range)
    }
    return DisplayTarget(headroom: Headroom(stops: stops), range: range)
  }
}

extension ConversionRequest.Geometry {
  /// Crop, size and rotation.
  package var edit: GeometryEdit {
    var size: GeometryEdit.Size?
    if let longSide { size = .longSide(longSide) }
    if let width, let height { size = .exact(width: width, height: height) }
    return GeometryEdit(crop: crop, size: size, rotation: turn)
  }

  /// Rotation and flip combined.
  private var turn: Orientation {
    let mirrored: Orientation =
      switch flip {
      case .horizontal: .mirrored
      case .vertical: .flipped
      case nil: .upright
      }
    return Orientation.rotation(clockwise: rotation ?? 0).followed(by: mirrored)
  }

  /// The edit for an upright image of a size, with a notice if the image is not enlarged.
  package func edit(of size: (width: Int, height: Int)) -> (edit: GeometryEdit, notices: [Notice]) {
    let edit = edit
    guard isEnlarged != true else { return (edit, []) }
    let smaller = edit.withoutEnlarging(size)
    guard smaller != edit else { return (edit, []) }
    return (smaller, [Notice(.geometryNotEnlarged, ["size": .size(size.width, size.height)])])
  }
}

extension ConversionRequest.FileContent {
  /// The bytes.
  ///
  /// - Parameter open: Opens a file by its name.
  /// - Returns: The bytes that are given, or those of the file.
  /// - Throws: Errors of `open` and of reading the file.
  func bytes(_ open: (String) throws(ImageError) -> ByteSource) throws(ImageError) -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .name(let name):
      do throws(ImageError) { return try open(name).allBytes() } catch { throw error.inFile(name) }
    }
  }
}

extension ConversionRequest.Item<ConversionRequest.FileContent> {
  /// The item with bytes, which are checked.
  ///
  /// - Parameters:
  ///   - open: Opens a file by its name.
  ///   - check: Returns the bytes to write, or fails.
  /// - Returns: The item.
  /// - Throws: Errors of `open`, of reading the file, and of `check`.
  func bytes(
    _ open: (String) throws(ImageError) -> ByteSource,
    _ check: ([UInt8]) throws(ImageError) -> [UInt8]
  ) throws(ImageError) -> ConversionRequest.Item<[UInt8]> {
    switch self {
    case .keep: return .keep
    case .measure: return .measure
    case .drop: return .drop
    case .value(let content):
      let bytes = try content.bytes(open)
      do throws(ImageError) { return .value(try check(bytes)) } catch {
        guard case .name(let name) = content else { throw error }
        throw error.inFile(name)
      }
    }
  }
}

extension ConversionRequest.Raw {
  /// Whether the first profile is used with the curve of the Adobe DNG SDK, also for SDR images.
  var usesCurveOfAdobe: Bool { profile == "adobe" }

  /// All controls of the development.
  ///
  /// - Parameters:
  ///   - exposure: In stops.
  ///   - isStandard: Whether the output is SDR, which decides defaults.
  /// - Returns: The controls.
  package func development(exposure: Double, isStandard: Bool) -> RawDevelopment {
    var development = RawDevelopment()
    development.exposure = exposure
    development.highlights = highlights ?? .clip
    development.neutralTemperature = temperature
    development.neutralTint = tint
    development.neutralLocation = neutralLocation.flatMap {
      $0.count == 2 ? SIMD2($0[0], $0[1]) : nil
    }
    development.baselineExposure = baselineExposure
    development.sceneExposure = sceneExposure ?? 0
    development.profileName = usesCurveOfAdobe ? nil : profile
    development.isStandardLookToneMapped =
      isStandard && extendedDynamicRange == nil && !usesCurveOfAdobe
    development.localExposures = localExposures ?? []
    development.isDraftModeEnabled = isDraft ?? false
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
    development.isHotPixelSuppressionEnabled = suppressesHotPixels ?? true
    development.isGamutMappingEnabled = mapsGamut ?? true
    development.isLensCorrectionEnabled = correctsLens ?? true
    development.isUserCropEnabled = appliesUserCrop ?? true
    development.scaleFactor = scaleFactor ?? 1
    development.isSceneLinear = isSceneLinear ?? false
    development.isSalvaging = isSalvaging ?? false
    return development
  }
}

extension Headroom {
  /// More than any image has.
  package static let unlimited = Headroom(stops: 64)
}

extension EncoderOptions {
  /// Usual quality of the gain map of a baseline image with this quality.
  ///
  /// Source: Decision 36.
  func usualGainMapQuality(in format: FileFormat) -> Int {
    let distance = Self.bestQuality - quality
    if format.traits.isVideoCoded { return max(quality - min(distance, 15), 0) }
    return isForEditing(in: format) ? quality : max(quality - 2 * distance, quality * 2 / 3)
  }

  /// Whether the image is for further editing, so that its gain map has full size and its chroma full resolution.
  func isForEditing(in format: FileFormat) -> Bool {
    isLossless || !format.traits.hasQuality || quality >= 95
  }
}
