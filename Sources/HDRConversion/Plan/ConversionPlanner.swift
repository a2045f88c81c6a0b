// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles
internal import RAWDevelop

/// Compares a request with what the input contains, and decides what becomes of it.
///
/// No other code decides this.
struct ConversionPlanner {
  typealias Opener = (String) throws(ImageError) -> ByteSource

  private var request: ConversionRequest
  private let source: ConversionSource
  private let format: FileFormat
  private let open: Opener
  /// The SDR image, if the caller has it.
  private let standard: ConversionSource?
  private var notices: [Notice] = []
  private var alternative: ConversionPlan.Alternative?

  private var traits: FormatTraits { format.traits }

  init(
    _ request: ConversionRequest, _ source: ConversionSource, standard: ConversionSource? = nil,
    _ open: @escaping Opener
  ) throws(ImageError) {
    try request.check()
    guard let format = request.coding.format ?? source.format else {
      throw ImageError(.requestRequires, ["field": "request", "other": "coding.format"])
    }
    guard format.isWritten else {
      throw ImageError(.outputFormatNotWritten, ["format": format.title])
    }
    (self.request, self.format, self.standard, self.open) = (request, format, standard, open)
    guard case .file(let given) = source else {
      self.source = source
      return
    }
    let file = try Self.opened(given, for: request)
    // A JPEG file that was transcoded to JPEG XL is a JPEG file again.
    let original =
      format.traits.isLimitedTo8Bits && request.copying != .required
      ? JPEGTranscoder.original(of: file) : nil
    self.source = .file(original ?? file)
  }

  /// The file, opened as the request states.
  private static func opened(
    _ file: ImageFile, for request: ConversionRequest
  ) throws(ImageError) -> ImageFile {
    guard request.input != ConversionRequest.Input() else { return file }
    let (wanted, options) = (request.openingOptions(limits: file.options.limits), file.options)
    guard
      wanted.assumed != options.assumed || wanted.declared != options.declared
        || wanted.image != options.image || wanted.appleCurve != options.appleCurve
    else { return file }
    return try ImageFile(parsing: file.source, options: wanted)
  }

  /// Decides.
  mutating func plan() throws(ImageError) -> ConversionPlan {
    let needsGainMap =
      request.gainMap.isRequired == true || request.copying == .required && usesGainMap
      || request.gainMap.baseline == .alternate
    if request.companions.gainMap == nil, needsGainMap, !source.hasGainMap { throw missingGainMap }
    let input = try source.content()
    let output = try outputContent(of: input)
    let work =
      request.companions.gainMap != nil && request.gainMap.use == .keep
      ? try joined()
      : request.copying == .required ? try copied() : try work(from: input, to: output)
    try checkEffects(of: work)
    if case .file(let file) = source, file.options.assumed != nil, work.keepsImages {
      notices.append(Notice(.convertAssumptionNotUsed))
    }
    return ConversionPlan(
      request: request, format: format,
      steps: ConversionSteps(source, work, output, request, format).all, notices: notices,
      measuresAllLight: !request.rendition.isForDisplay, contents: (input, output), source: source,
      work: work, alternative: alternative)
  }

  private var usesGainMap: Bool {
    request.gainMap.flavors != nil || request.gainMap.use == .keep
  }

  /// The reason why the gain map cannot be applied; defects of the baseline image do not count.
  private var missingGainMap: ImageError {
    guard let file = source.file else { return ImageError(.gainMapNone) }
    do throws(ImageError) {
      _ = try file.gainMaps().requireApplicable()
    } catch  where error.category == .unsuitable {
      return error
    } catch {}
    return ImageError(.gainMapNone)
  }

  // MARK: Content

  private func outputContent(of input: InputContent) throws(ImageError) -> OutputContent {
    let color = request.color
    if request.rendition.isForDisplay {
      let usable = try request.renderingOptions()?.display.usableHeadroom
      return usable == .standard ? .sdr : .hdr
    }
    if request.content == .sdr || color.transfer == .srgb || color.profile != nil { return .sdr }
    if request.content == .gainMap || hasStandard { return .computedGainMap }
    let isLimited = traits.isLimitedTo8Bits
    let wantsSignal = color.transfer.map { [.pq, .hlg].contains($0) } ?? false
    if request.companions.gainMap != nil, request.gainMap.use == .keep { return .keptGainMap }
    if request.companions.gainMap != nil { return limitedDisplay(isLimited) }
    if request.copying == .required {
      return source.hasGainMap && request.gainMap.use != .drop
        ? .keptGainMap : input == .sdr || input == .gainMap ? .sdr : .hdr
    }
    if request.gainMap.baseline == .alternate { return .keptGainMap }
    if request.content == .hdr { return .hdr }
    switch request.gainMap.use {
    case .apply where input == .sdr && !wantsSignal: return .sdr
    case .apply where request.gainMap.headroomStops != nil: return limitedDisplay(isLimited)
    case .apply: return isLimited && !wantsSignal ? .computedGainMap : .hdr
    case .keep:
      guard source.hasGainMap else { throw ImageError(.convertKeepWithoutGainMap) }
      return .keptGainMap
    case .drop:
      guard wantsSignal || ![.sdr, .gainMap].contains(input) else { return .sdr }
      return isLimited ? .sdr : .hdr
    case nil: break
    }
    if wantsSignal { return .hdr }
    let automatic = input.automaticOutput(isLimitedTo8Bits: isLimited)
    // A file of the same format stays what it is if only its geometry changes.
    if automatic == .hdr, source.hasGainMap, source.format == format, traits.gainMapCodec != nil,
      request.geometry.edit != GeometryEdit(), changesOnlyGeometry
    {
      return .keptGainMap
    }
    return automatic
  }

  /// A gain map that is applied for a display: SDR for one without headroom in a format that stores nothing else.
  private func limitedDisplay(_ isLimited: Bool) -> OutputContent {
    request.gainMap.headroomStops == 0 && isLimited ? .sdr : .hdr
  }

  private var hasStandard: Bool { standard != nil || request.companions.standard != nil }

  private var changesOnlyGeometry: Bool {
    request.givenFields.allSatisfy { Fields.ofKeptImages.contains($0) }
  }

  // MARK: Coded images that are kept

  /// The coded images of the input, or an error that names the step that would encode them.
  private mutating func copied() throws(ImageError) -> ConversionPlan.Work {
    guard let file = source.file else {
      throw ImageError(
        .requestWithoutEffect, ["field": "copying", "reason": "the image is not in a file"])
    }
    guard request.gainMap.baseline == nil else { throw ImageError(.recodeForSwap) }
    let geometry = request.geometry.edit
    guard geometry == GeometryEdit(rotation: geometry.rotation) else {
      throw ImageError(.requestConflict, ["field": "copying", "other": "geometry"])
    }
    let flavors = request.gainMap.flavors.map(Set.init)
    if file.format != format {
      if flavors == nil, geometry == GeometryEdit(), request.gainMap.use == nil {
        try JPEGTranscoder.check(file.format, to: format)
        return .sameFormat(
          .transcode(speed: request.coding.speed ?? traits.usualSpeed), dropsGainMap: false)
      }
      try checkStores(file)
    }
    if request.gainMap.use == .drop { return .sameFormat(.copy, dropsGainMap: true) }
    if geometry != GeometryEdit() {
      return .sameFormat(.rotate(geometry.rotation, flavors), dropsGainMap: false)
    }
    guard let flavors else { return .sameFormat(.copy, dropsGainMap: false) }
    guard request.gainMap.isExact != true else { return .transcode(transcoding(geometry)) }
    return .sameFormat(.describe(flavors), dropsGainMap: false)
  }

  /// Fails if the format stores images of another codec.
  private func checkStores(_ file: ImageFile) throws(ImageError) {
    let codec = try file.stillCodec
    guard !codec.isHeld(by: format) else { return }
    throw ImageError(
      .recodeContainerDiffers,
      [
        "coded": codec.rawValue, "format": format.title, "suffix": codec.suffix,
        "held": traits.gainMapCodec?.rawValue ?? "otherwise coded",
      ])
  }

  /// The baseline image with a gain map from another file.
  private mutating func joined() throws(ImageError) -> ConversionPlan.Work {
    guard let file = source.file, let name = request.companions.gainMap else {
      throw ImageError(
        .requestWithoutEffect,
        ["field": "companions.gainMap", "reason": "the image is not in a file"])
    }
    let map = try SeparateGainMap(
      name, metadata: request.companions.gainMapMetadata, openingOptions, open)
    notices += map.notices
    guard request.copying == .required else { return .join(map, transcoding(GeometryEdit())) }
    try checkStores(file)
    let theirs: StillCodec
    do throws(ImageError) { theirs = try map.file.stillCodec } catch { throw error.inFile(name) }
    guard theirs.isHeld(by: format) else {
      throw ImageError(
        .joinCodecsDiffer,
        ["map": theirs.rawValue, "base": try file.stillCodec.rawValue], at: .init(file: name))
    }
    guard !traits.isLimitedTo8Bits || map.metadata.metadata?.baseIsHDR != true else {
      throw ImageError(.joinBaseIsHDR)
    }
    if source.hasGainMap { notices.append(Notice(.joinExistingMapReplaced)) }
    return .join(map, nil)
  }

  // MARK: Work

  private mutating func work(
    from input: InputContent, to output: OutputContent
  ) throws(ImageError) -> ConversionPlan.Work {
    switch output {
    case .sdr where keepsJPEG: return try sameFormat(dropsGainMap: request.gainMap.use == .drop)
    case .sdr, .hdr:
      if request.rendition.isForDisplay, output == .hdr, traits.isLimitedTo8Bits {
        throw ImageError(.renderHDRNotStorable, ["target": format.title])
      }
      if source.hasGainMap, output == .hdr, request.gainMap.use == nil, source.format == format,
        request.content == .automatic, !request.rendition.isForDisplay, traits.gainMapCodec != nil,
        request.geometry.edit == GeometryEdit(), changesOnlyGeometry
      {
        notices.append(Notice(.convertGainMapApplied))
      }
      let applied = request.gainMap.use == .drop ? ConversionOptions.GainMapUse.none : .full
      return try converted(input, isStandard: output == .sdr, gainMap: applied)
    case .keptGainMap: return try kept(input)
    case .computedGainMap: return try computed(input)
    }
  }

  /// Whether a JPEG file stays JPEG: its images are copied, or encoded again without a change of color.
  private var keepsJPEG: Bool {
    source.format == format && traits.isLimitedTo8Bits && request.content == .automatic
      && !request.rendition.isForDisplay && request.color.profile == nil
      && request.color.transfer == nil && request.companions == ConversionRequest.Companions()
      && request.gainMap.use != .apply
  }

  /// One image.
  private mutating func converted(
    _ input: InputContent, isStandard: Bool, gainMap: ConversionOptions.GainMapUse
  ) throws(ImageError) -> ConversionPlan.Work {
    guard request.gainMap.flavors == nil else {
      throw ImageError(
        .convertFlavorsWithoutGainMap, source.hasGainMap ? ["hasGainMap": "yes"] : [:])
    }
    // A gain map or tone mapping leads to other colors than those of the baseline image.
    let color =
      isStandard && [.sdr, .gainMap, .gainMapOfHDR].contains(input)
      ? StandardColor(of: source, in: format) : .usual
    var options = try OutputOptions(request, format, open).options(isStandard: isStandard, color)
    (options.gainMap, options.limits) = (gainMap, limits)
    // Values of an SDR image are stored as they are, even those outside the primaries.
    if traits.storesLinearValues, input == .sdr || input == .gainMap && gainMap == .none,
      !request.rendition.isForDisplay
    {
      options.rendering = nil
    }
    if let stops = request.gainMap.headroomStops, !isStandard {
      options.gainMap = .display(Headroom(stops: stops))
    }
    try checkLossless(options)
    var exposure = 0.0
    if source.isRaw { swap(&exposure, &options.exposure) }
    let development = request.raw.development(
      exposure: exposure, isStandard: options.isForStandardDisplays)
    if request.coding.quality != nil, !traits.hasQuality || options.encoder.isLossless {
      notices.append(Notice(.encodeQualityNotUsed, ["format": format.title]))
    }
    guard let name = request.companions.gainMap else { return .convert(options, development) }
    let map = try SeparateGainMap(
      name, metadata: request.companions.gainMapMetadata, openingOptions, open)
    notices += map.notices
    return .convertAttaching(map, options, development)
  }

  /// The gain map of the input, with its baseline image.
  private mutating func kept(_ input: InputContent) throws(ImageError) -> ConversionPlan.Work {
    guard traits.gainMapCodec != nil else {
      throw ImageError(.convertNoGainMapInFormat, ["format": format.title])
    }
    if request.gainMap.use == nil {
      if !traits.isLimitedTo8Bits { notices.append(Notice(.convertGainMapKept)) }
      alternative = try ConversionPlan.Alternative(
        cause: .gainMapSamplesNotDecodable, source: source, work: withoutGainMap(input),
        // The parameter is the cause.
        notices: { [Notice(.gainMapNotDecodable, $0.parameters)] })
    }
    let geometry = try geometry()
    let isSame = source.format == format
    // In its own format, a file keeps its flavors, except JPEG, where readers differ most.
    if isSame, request.gainMap.flavors == nil, request.gainMap.baseline == nil,
      request.copying != .never
    {
      if !traits.isLimitedTo8Bits { return .sameFormat(change(geometry), dropsGainMap: false) }
      if isRotatedOnly(geometry) {
        let usual = try usualFlavors()
        notices += usual.notices
        return .sameFormat(.rotate(geometry.rotation, usual.flavors), dropsGainMap: false)
      }
    }
    var options = transcoding(geometry)
    options.reencodes = request.copying == .never || isSame && changesQuality
    // Both images are encoded again, at one quality.
    if isSame, request.gainMap.quality == nil, options.reencodes || geometry != GeometryEdit() {
      options.map.quality = encoder.quality
    }
    let wantsAlternate = request.gainMap.baseline == .alternate
    if wantsAlternate || traits.isLimitedTo8Bits && input == .gainMapOfHDR {
      // Metadata that only the Apple flavor can store require new samples first. The usual flavors, unless the gain is
      // in the primaries of the alternate image.
      (options.isExact, options.chroma) = (true, request.coding.chroma)
      if wantsAlternate, options.flavors == nil, traits.usualGainMapFlavors == [.iso] {
        options.flavors = [.iso]
      }
      alternative = nil
      return .swap(options)
    }
    if options.flavors == nil {
      let usual = try usualFlavors()
      options.flavors = usual.flavors
      notices += usual.notices
    }
    return .transcode(options)
  }

  /// The baseline image of a file whose gain map cannot be decoded.
  private mutating func withoutGainMap(
    _ input: InputContent
  ) throws(ImageError) -> ConversionPlan.Work {
    if source.format == format { return try sameFormat(dropsGainMap: true) }
    let isStandard = traits.isLimitedTo8Bits || input == .gainMap
    var planner = self
    planner.request.gainMap.flavors = nil
    return try planner.converted(input, isStandard: isStandard, gainMap: .none)
  }

  /// A file of the same format with the same images.
  private mutating func sameFormat(dropsGainMap: Bool) throws(ImageError) -> ConversionPlan.Work {
    .sameFormat(change(try geometry()), dropsGainMap: dropsGainMap)
  }

  /// A computed gain map.
  private mutating func computed(_ input: InputContent) throws(ImageError) -> ConversionPlan.Work {
    var options = GainMapEncoder.Options(format: format, encoder: encoder)
    let (map, coding) = (request.gainMap, request.coding)
    // A created pair has the quality that Decision 7 was measured with.
    if request.content == .gainMap { options.encoder.quality = coding.quality ?? 90 }
    options.baseIsHDR = map.baseline == .hdr
    (options.chroma, options.depth) = (coding.chroma, coding.depth)
    if let primaries = request.color.primaries {
      guard primaries == .displayP3 || primaries == .bt709 else {
        throw ImageError(.requestOutOfRange, ["field": "color.primaries", "values": "p3, srgb"])
      }
      options.primaries = primaries
    }
    if let method = request.rendition.toneMapping { options.method = method }
    options.highlightDesaturation = request.rendition.highlightDesaturation ?? 0
    if let flavors = map.flavors { options.flavors = Set(flavors) }
    options.geometry = try geometry()
    options.keepsMakerNotes = request.metadata.keepsMakerNotes ?? false
    options.limits = limits
    (options.map.quality, options.map.scale) = (map.quality, map.scale)
    (options.map.componentCount, options.map.depth) = (map.componentCount, map.depth)
    options.targetError = map.targetError
    options.measurement = map.measurement ?? .sampled
    options.keepsCodedBaseline =
      hasStandard && request.copying != .never && coding.quality == nil
      && coding.chroma == nil && coding.depth == nil && request.color.primaries == nil
    _ = try GainMapEncoder(options)
    var pair = ConversionPlan.Pair(
      raw: request.raw, exposure: request.rendition.exposure ?? 0,
      toneMapsRaw: request.rendition.toneMapping != nil)
    if let name = request.companions.standard {
      pair.standard = (.file(try standardFile(name)), name)
    } else if let standard {
      pair.standard = (standard, "-")
    }
    if request.content == .automatic, request.gainMap.use == nil {
      alternative = try withoutHeadroom(pair, input)
    }
    return .create(options, pair)
  }

  /// The file with the SDR image, to which no assumption applies.
  private func standardFile(_ name: String) throws(ImageError) -> ImageFile {
    do throws(ImageError) {
      var options = openingOptions
      (options.assumed, options.declared, options.image) = (nil, nil, nil)
      let file = try ImageFile(parsing: try open(name), options: options)
      guard !file.isRaw else { throw ImageError(.createSDRIsRaw) }
      return file
    } catch {
      throw error.inFile(name)
    }
  }

  /// The SDR image alone, if hardly any pixels are brighter than reference white.
  private func withoutHeadroom(
    _ pair: ConversionPlan.Pair, _ input: InputContent
  ) throws(ImageError) -> ConversionPlan.Alternative? {
    if let standard = pair.standard {
      var alone = ConversionRequest(format: format, quality: request.coding.quality)
      alone.coding.speed = request.coding.speed
      (alone.geometry, alone.metadata) = (request.geometry, request.metadata)
      var planner = try ConversionPlanner(alone, standard.source, open)
      let isSame = standard.source.file?.format == format && traits.isLimitedTo8Bits
      let content = try planner.source.content()
      return ConversionPlan.Alternative(
        cause: .createNoHeadroom, source: planner.source,
        work: isSame
          ? try planner.sameFormat(dropsGainMap: false)
          : try planner.converted(content, isStandard: true, gainMap: .none),
        notices: { _ in [Notice(.convertCompanionAlone, ["file": standard.name])] })
    }
    var planner = self
    planner.request.gainMap = ConversionRequest.GainMap()
    return ConversionPlan.Alternative(
      cause: .createNoHeadroom, source: source,
      work: try planner.converted(input, isStandard: true, gainMap: .full),
      notices: { _ in [Notice(.convertWithoutHeadroom)] })
  }

  // MARK: Parameters

  private var limits: ImageLimits { source.file?.options.limits ?? Execution.current.limits }
  private var openingOptions: OpeningOptions {
    source.file?.options ?? request.openingOptions(limits: limits)
  }

  private var encoder: EncoderOptions { OutputOptions(request, format, open).encoder }

  /// Crop, size and rotation, without enlarging.
  private mutating func geometry() throws(ImageError) -> GeometryEdit {
    guard request.geometry.edit.size != nil else { return request.geometry.edit }
    let (edit, unchanged) = request.geometry.edit(of: try source.shownSize())
    notices += unchanged
    return edit
  }

  /// Whether images are encoded again for the sake of the quality.
  private var changesQuality: Bool {
    request.coding.quality != nil && request.copying == .automatic
  }

  private func isRotatedOnly(_ geometry: GeometryEdit) -> Bool {
    !changesQuality && geometry == GeometryEdit(rotation: geometry.rotation)
      && geometry != GeometryEdit()
  }

  /// The change of images that stay in their format.
  private func change(_ geometry: GeometryEdit) -> ConversionPlan.Change {
    guard geometry != GeometryEdit() || changesQuality else { return .copy }
    guard !isRotatedOnly(geometry) else { return .rotate(geometry.rotation, nil) }
    var editor = GeometryEditor(geometry: geometry, encoder: encoder, limits: limits)
    editor.keepsMakerNotes = request.metadata.keepsMakerNotes ?? false
    return .edit(editor)
  }

  private func transcoding(_ geometry: GeometryEdit) -> GainMapTranscoder.Options {
    var map = encoder
    map.quality = request.gainMap.quality ?? EncoderOptions.usualGainMapQuality
    var options = GainMapTranscoder.Options(format: format, base: encoder, map: map)
    options.flavors = request.gainMap.flavors.map(Set.init)
    options.isExact = request.gainMap.isExact ?? false
    (options.geometry, options.limits) = (geometry, limits)
    options.keepsMakerNotes = request.metadata.keepsMakerNotes ?? false
    return options
  }

  /// The usual flavors of the format that represent the gain map, with a notice about the other ones.
  private func usualFlavors() throws(ImageError) -> (
    flavors: Set<GainMapFlavor>, notices: [Notice]
  ) {
    let usual = traits.usualGainMapFlavors
    guard let found = try source.file?.gainMaps().applicable, let metadata = found.metadata,
      !metadata.isApple, usual.contains(.xmp),
      let obstacle = GainMapXMP.obstacle(
        to: metadata, mapIsGray: found.layout?.componentCount == 1)
    else { return (usual, []) }
    return (usual.subtracting([.xmp]), [Notice(.convertXMPNotWritten, ["cause": obstacle])])
  }

  // MARK: Checks

  /// Refuses fields that the work does not use.
  private func checkEffects(of work: ConversionPlan.Work) throws(ImageError) {
    if request.copying == .never, !work.encodesAll {
      throw ImageError(
        .requestWithoutEffect, ["field": "copying", "reason": "coded images are kept"])
    }
    let used = Fields.used(by: work, isRaw: source.isRaw, request)
    guard let field = request.givenFields.first(where: { !used.contains($0) }) else { return }
    if field.hasPrefix("raw.") { throw ImageError(.rawOptionWithoutRaw, ["field": field]) }
    switch work {
    case .convert, .convertAttaching:
      throw ImageError(
        .requestWithoutEffect, ["field": field, "reason": "the output is one image alone"])
    case .create:
      throw ImageError(.convertOptionChangesSamples, ["field": field, "gainMap": "computed"])
    case .transcode, .swap, .join, .sameFormat:
      throw ImageError(.convertOptionChangesSamples, ["field": field, "gainMap": "kept"])
    }
  }

  /// Refuses steps with loss if the request is lossless.
  private func checkLossless(_ options: ConversionOptions) throws(ImageError) {
    guard options.encoder.isLossless, !traits.storesLinearValues else { return }
    func refuse(_ field: String, _ step: String) -> ImageError {
      ImageError(.requestLossy, ["field": field, "step": step])
    }
    let layout: ImageLayout? =
      switch source {
      case .file(let file): file.isRaw ? nil : try? file.contents().primary.format
      case .image(let image, _): image.image.layout
      }
    let isGray = layout?.components == .gray
    switch options.chroma {
    case .yuv420, .yuv422: throw refuse("coding.chroma", "chroma subsampling")
    case .yuv400 where !isGray: throw refuse("coding.chroma", "conversion to gray")
    default: break
    }
    guard case .integer(let bits)? = layout?.samples, keepsSignal(options) else { return }
    let depths = options.transfer == .srgb ? traits.standardDepths : traits.highDynamicRangeDepths
    let depth = options.depth ?? depths.usual
    if depth < bits {
      throw refuse("coding.depth", "rounding of \(bits) bits to \(depth)")
    }
  }

  /// Whether the samples keep their color: the signal is not converted.
  private func keepsSignal(_ options: ConversionOptions) -> Bool {
    let color: ColorEncoding? =
      switch source {
      case .file(let file): try? file.contents().primary.color?.encoding
      case .image(let image, _): image.image.color
      }
    return color?.transfer == options.transfer && color?.primaries == options.primaries
      && !source.hasGainMap && options.exposure == 0 && options.geometry.size == nil
  }
}

extension ConversionPlan.Work {
  fileprivate var encodesAll: Bool {
    switch self {
    case .convert, .convertAttaching, .create, .swap: true
    case .transcode(let options): options.reencodes
    case .join, .sameFormat: false
    }
  }

  /// Whether images keep their color, so that nothing is assumed about it.
  fileprivate var keepsImages: Bool {
    switch self {
    case .transcode, .swap, .join, .sameFormat: true
    case .convert, .convertAttaching, .create: false
    }
  }
}

/// The fields that each kind of work uses; a field that is not listed is refused by its name, never dropped.
private enum Fields {
  static let ofKeptImages: Set<String> = [
    "content", "copying", "coding.format", "coding.quality", "coding.speed", "coding.isLossless",
    "gainMap.use", "gainMap.isRequired", "gainMap.flavors", "gainMap.isExact", "gainMap.quality",
    "geometry.crop", "geometry.longSide", "geometry.width", "geometry.height",
    "geometry.isEnlarged", "geometry.rotation", "geometry.flip", "metadata.strip",
    "metadata.keepsMakerNotes", "input.image", "input.assumed", "input.declared",
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
  private static let ofRenditions: Set<String> = [
    "rendition.display", "rendition.headroomStops", "rendition.level", "rendition.toneMapping",
    "rendition.gamutMapping", "rendition.highlightDesaturation",
  ]
  private static let partsOfImages = ["color.", "coding.", "metadata.", "geometry."]

  static func used(
    by work: ConversionPlan.Work, isRaw: Bool, _ request: ConversionRequest
  ) -> Set<String> {
    let given = request.givenFields
    var used = ofKeptImages
    if isRaw { used.formUnion(given.filter { $0.hasPrefix("raw.") }) }
    switch work {
    case .create: used.formUnion(ofComputedMaps)
    case .convert(let options, _), .convertAttaching(_, let options, _):
      used.subtract(ofGainMaps)
      used.formUnion(given.filter { field in partsOfImages.contains { field.hasPrefix($0) } })
      used.formUnion(["rendition.exposure", "gainMap.headroomStops"])
      if options.rendering != nil { used.formUnion(ofRenditions) }
      if case .convertAttaching = work {
        used.formUnion(["companions.gainMap", "companions.gainMapMetadata"])
      }
    case .swap: used.formUnion(["gainMap.baseline", "coding.chroma"])
    case .join: used.formUnion(["companions.gainMap", "companions.gainMapMetadata"])
    case .transcode, .sameFormat: break
    }
    return used
  }
}
