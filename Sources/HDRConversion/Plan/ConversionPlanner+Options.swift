// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// The properties of a converted image.
extension ConversionPlanner {
  /// Quality and speed.
  ///
  /// - Parameter isStandard: Whether the image is SDR.
  /// - Returns: Those of the request, completed by the defaults of the format.
  func encoder(isStandard: Bool) -> EncoderOptions {
    EncoderOptions(
      quality: request.coding.quality
        ?? (isStandard ? traits.usualStandardQuality : traits.usualQuality),
      isLossless: request.coding.isLossless ?? false,
      speed: request.coding.speed ?? traits.usualSpeed)
  }

  /// The options of a conversion.
  ///
  /// - Parameters:
  ///   - isStandard: Whether the output is SDR.
  ///   - standard: Color of an SDR output, unless the request specifies it.
  /// - Returns: The options, with the gain map applied in full.
  /// - Throws: `.invalidArgument` for fields that do not fit the format; errors of files.
  func options(
    isStandard: Bool, _ standard: StandardColor
  ) throws(ImageError) -> ConversionOptions {
    let (coding, color) = (request.coding, request.color)
    var options = ConversionOptions(format: format, encoder: encoder(isStandard: isStandard))
    options.metadata = request.metadata
    options.rendering = try request.renderingOptions()
    if isStandard {
      options.rendering = options.rendering ?? request.standardRendering
      options.primaries = standard.primaries.cicp == nil ? .bt709 : standard.primaries
      if !traits.storesLinearValues { options.transfer = .srgb }
      if color.primaries == nil, color.profile == nil { options.profile = standard.profile }
      if color.profile == nil, let primaries = primariesWithoutProfile {
        (options.primaries, options.profile) = (primaries, nil)
      }
      options.depth = standard.depth(in: format)
      if traits.storesScRGB { (options.primaries, options.profile) = (.bt709, nil) }
    }
    if isStandard || options.rendering != nil {
      options.metadata.masteringDisplay = request.metadata.masteringDisplay ?? .drop
    }
    if let depth = coding.depth { options.depth = depth }
    // OpenEXR rounds samples to half unless 32 bits are requested.
    if traits.storesLinearValues, coding.depth == 32 { options.encoder.isLossless = true }
    options.chroma = coding.chroma
    options.alpha = coding.alpha ?? .keep
    options.orientation = request.geometry.orientation ?? .keep
    options.exposure = request.rendition.exposure ?? 0
    try apply(color, to: &options, isStandard: isStandard)
    try apply(request.metadata, to: &options)
    return options
  }

  /// Primaries of an SDR image whose format describes the color by the ICC profile alone, which the request leaves out:
  /// those that readers assume; `nil` for other images.
  var primariesWithoutProfile: ColorPrimaries? {
    request.metadata.icc == .drop && traits.isLimitedTo8Bits ? .bt709 : nil
  }

  private func apply(
    _ color: ConversionRequest.Color, to options: inout ConversionOptions, isStandard: Bool
  ) throws(ImageError) {
    options.signaling = color.signaling
    options.referenceWhite = color.referenceWhite
    options.isFullRange = color.range != .limited
    options.matrix = color.matrix
    if let transfer = color.transfer {
      var allowed: [TransferFunction] = isStandard ? [.srgb] : [.pq, .hlg]
      if request.rendition.isForDisplay { allowed = [.pq, .hlg, .srgb] }
      if traits.storesLinearValues { allowed = [] }
      if traits.storesLinearValues || !traits.linearDepths.all.isEmpty { allowed.append(.linear) }
      guard allowed.contains(transfer) else {
        let names = allowed.compactMap(\.commonName).joined(separator: " or ")
        throw .outOfRange("color.transfer", "\(names) for \(format.title)")
      }
      options.transfer = transfer
    }
    if request.rendition.isForDisplay, options.transfer == .srgb, !isStandard {
      throw ImageError(.renderHDRNotStorable, ["target": "sRGB"])
    }
    if let primaries = color.primaries {
      guard primaries.cicp != nil else { throw .outOfRange("color.primaries", "bt2020, p3, bt709") }
      options.primaries = primaries
    }
    if let profile = color.profile {
      if case .name(let name) = profile, name.lowercased() == "adobergb" {
        options.profile = .adobeRGB
      } else {
        options.profile = try OutputProfile(parsing: try profile.bytes(open))
      }
      if request.coding.depth == nil, traits.standardDepths.all.contains(16) { options.depth = 16 }
    }
    guard let state = color.imageState else { return }
    guard options.transfer == .hlg || state == .display else {
      throw .outOfRange("color.imageState", "scene for HLG only")
    }
    options.imageState = .value(state)
  }

  private func apply(
    _ metadata: ConversionRequest.Metadata, to options: inout ConversionOptions
  ) throws(ImageError) {
    options.exif =
      try metadata.exif?.bytes(open) { bytes throws(ImageError) in
        try ExifBlock(parsing: bytes).bytes
      } ?? .keep
    options.xmp =
      try metadata.xmp?.bytes(open) { bytes throws(ImageError) in
        let packet = try XMPPacket(parsing: bytes).bytes
        // Writers will put diffuse white or the orientation there.
        _ = try XMPPacket.consistent(packet, withDiffuseWhite: ColorEncoding.defaultReferenceWhite)
        return packet
      } ?? .keep
    options.icc =
      try metadata.icc?.bytes(open) { bytes throws(ImageError) in
        try ICCProfile(parsing: bytes).bytes
      } ?? .measure
  }
}

extension ConversionOptions {
  /// Whether the output is SDR.
  var isForStandardDisplays: Bool {
    if let display = rendering?.display { return display.usableHeadroom == .standard }
    return ![.pq, .hlg, .linear].contains(transfer)
  }
}

extension FileFormat {
  /// Whether files of the format are written.
  package var isWritten: Bool {
    !traits.standardDepths.all.isEmpty || !traits.highDynamicRangeDepths.all.isEmpty
  }
}

extension ConversionPlanner {
  /// Refuses fields that the work does not use.
  func checkEffects(of work: ConversionPlan.Work) throws(ImageError) {
    if request.copying == .never, !work.encodesAll {
      throw .withoutEffect("copying", "coded images are kept")
    }
    let used = Fields.used(by: work, isRaw: try source.isRaw, request, givenFields)
    guard let field = givenFields.first(where: { !used.contains($0) }) else { return }
    if field.hasPrefix("raw.") { throw ImageError(.rawOptionWithoutRaw, ["field": field]) }
    let hasGainMap = try source.hasGainMap
    switch work {
    case .convert:
      throw .withoutEffect(field, "the output is one image alone")
    case .create:
      throw ImageError(.convertOptionChangesSamples, ["field": field, "gainMap": "computed"])
    case .sameFormat where !hasGainMap:
      throw .withoutEffect(field, "the coded image is copied")
    case .edit:
      throw .withoutEffect(field, "only metadata change")
    case .transcode, .swap, .join, .sameFormat:
      throw ImageError(.convertOptionChangesSamples, ["field": field, "gainMap": "kept"])
    }
  }

  /// Refuses steps with loss if the request is lossless.
  func checkLossless(_ options: ConversionOptions) throws(ImageError) {
    guard options.encoder.isLossless, !traits.storesLinearValues || traits.storesScRGB else {
      return
    }
    func refuse(_ field: String, _ step: String) -> ImageError {
      ImageError(.requestLossy, ["field": field, "step": step])
    }
    let layout: ImageLayout? =
      switch source {
      case .file(let file):
        try file.isRaw ? nil : ifReadable(try file.contents().primary.layout)
      case .image(let image, _): image.image.layout
      }
    let isGray = layout?.components == .gray
    switch options.chroma {
    case .yuv420, .yuv422: throw refuse("coding.chroma", "chroma subsampling")
    case .yuv400 where !isGray: throw refuse("coding.chroma", "conversion to gray")
    default: break
    }
    if traits.storesScRGB {
      let bits = try ifReadable(try source.file?.contents().primary.floatBits)
      if let bits, bits > 16 { throw refuse("coding.isLossless", "rounding of \(bits) bits to 16") }
      return
    }
    guard case .integer(let bits)? = layout?.samples, try keepsSignal(options) else { return }
    let depths = options.transfer == .srgb ? traits.standardDepths : traits.highDynamicRangeDepths
    let depth = options.depth ?? depths.usual
    if depth < bits { throw refuse("coding.depth", "rounding of \(bits) bits to \(depth)") }
  }

  /// Refuses light metadata of an SDR image.
  func checkLight() throws(ImageError) {
    let given = request.metadata.light()
    for (item, light) in MetadataItem.light where light.isPresent(in: given) {
      throw .withoutEffect(item.field, "the output is SDR")
    }
  }

  /// Whether the samples keep their color: the signal is not converted.
  private func keepsSignal(_ options: ConversionOptions) throws(ImageError) -> Bool {
    let color: ColorEncoding? =
      switch source {
      case .file(let file): try ifReadable(try file.contents().primary.color?.encoding)
      case .image(let image, _): image.image.color
      }
    return try !source.hasGainMap && color?.transfer == options.transfer
      && color?.primaries == options.primaries && options.exposure == 0
      && options.geometry.size == nil
  }
}

extension ConversionPlan.Work {
  fileprivate var encodesAll: Bool {
    switch self {
    case .convert, .create, .swap: true
    case .transcode(let options): options.reencodes
    case .join, .edit, .sameFormat: false
    }
  }

  /// Whether images keep their color, so that nothing is assumed about it.
  var keepsImages: Bool {
    switch self {
    case .transcode, .swap, .join, .sameFormat: true
    case .convert, .create, .edit: false
    }
  }
}

/// The fields that each kind of work uses; a field that is not listed is refused by its name, never dropped.
enum Fields {
  static let ofKeptImages: Set<String> = [
    "content", "copying", "coding.format", "coding.quality", "coding.speed", "coding.isLossless",
    "gainMap.use", "gainMap.isRequired", "gainMap.flavors", "gainMap.isExact", "gainMap.quality",
    "geometry.crop", "geometry.longSide", "geometry.width", "geometry.height",
    "geometry.isEnlarged", "geometry.rotation", "geometry.flip", "metadata.keepsMakerNotes",
    "input.image", "input.assumed", "input.declared",
    "input.appleCurve",
  ]
  private static let ofComputedMaps: Set<String> = [
    "coding.chroma", "coding.depth", "color.primaries", "companions.standard", "gainMap.baseline",
    "gainMap.scale", "gainMap.componentCount", "gainMap.depth", "gainMap.targetError",
    "gainMap.measurement", "rendition.exposure", "rendition.toneMapping",
    "rendition.highlightDesaturation",
  ]
  private static let ofGainMaps: Set<String> = [
    "gainMap.flavors", "gainMap.isExact", "gainMap.quality",
  ]
  private static let ofSeparateMaps: Set<String> = [
    "companions.gainMap", "companions.gainMapMetadata",
  ]
  private static let ofRenditions: Set<String> = [
    "rendition.display", "rendition.headroomStops", "rendition.level", "rendition.toneMapping",
    "rendition.gamutMapping", "rendition.highlightDesaturation",
  ]
  private static let partsOfImages = ["color.", "coding.", "metadata.", "geometry."]

  static func used(
    by work: ConversionPlan.Work, isRaw: Bool, _ request: ConversionRequest, _ given: [String]
  ) -> Set<String> {
    var used = ofKeptImages.union(request.metadata.removingFields)
    if isRaw { used.formUnion(given.filter { $0.hasPrefix("raw.") }) }
    switch work {
    case .create: used.formUnion(ofComputedMaps)
    case .convert(let options, _, let map):
      used.subtract(ofGainMaps)
      used.formUnion(given.filter { field in partsOfImages.contains { field.hasPrefix($0) } })
      used.formUnion(["rendition.exposure", "gainMap.headroomStops"])
      if options.rendering != nil { used.formUnion(ofRenditions) }
      if map != nil { used.formUnion(ofSeparateMaps) }
    case .swap: used.formUnion(["gainMap.baseline", "coding.chroma"])
    case .join:
      used.subtract(given.filter { $0.hasPrefix("geometry.") || $0 == "gainMap.isExact" })
      used.formUnion(ofSeparateMaps)
    case .edit:
      used.formUnion(given.filter { $0.hasPrefix("metadata.") && $0 != "metadata.adaptation" })
    case .transcode, .sameFormat: break
    }
    // The color of images that are not decoded stays as the file declares it.
    if request.copying == .required { used.remove("input.declared") }
    return used
  }
}
