// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Compares a request with what the input contains, and decides what becomes of it.
///
/// No other code decides this.
struct ConversionPlanner {
  typealias Opener = (String) throws(ImageError) -> ByteSource

  var request: ConversionRequest { didSet { givenFields = request.givenFields } }
  /// The fields that are set in the request.
  private(set) var givenFields: [String]
  private(set) var source: ConversionSource
  let format: FileFormat
  let open: Opener
  /// The SDR image, if the caller has it.
  let standard: ConversionSource?
  var notices: [Notice] = []
  var alternative: ConversionPlan.Alternative?

  var traits: FormatTraits { format.traits }

  init(
    _ request: ConversionRequest, _ source: ConversionSource, standard: ConversionSource? = nil,
    _ open: @escaping Opener
  ) throws(ImageError) {
    try request.check()
    guard let format = request.coding.format ?? source.format else {
      throw .requires("request", "coding.format")
    }
    guard format.isWritten else {
      let isEdit = request.copying == .required && request.coding.format == nil
      guard !isEdit else { throw .cannotEdit(format) }
      throw ImageError(.outputFormatNotWritten, ["format": format.title])
    }
    (self.request, self.format, self.standard, self.open) = (request, format, standard, open)
    givenFields = request.givenFields
    self.source = source
    guard case .file(var file) = source else { return }
    let options = request.openingOptions(basedOn: file.options)
    if options != file.options { file = try ImageFile(parsing: file.source, options: options) }
    // A JPEG file that was transcoded to JPEG XL is a JPEG file again.
    let original =
      format.traits.isLimitedTo8Bits && request.copying != .required
      ? try JPEGTranscoder.original(of: file) : nil
    self.source = .file(original ?? file)
    guard original == nil, request.copying != .required, !request.gainMap.isNeeded,
      let (whole, dropped) = try file.withoutUnreadableGainMaps,
      file.format == format || dropped.contains(where: { $0.category == .dropped })
    else { return }
    (self.source, notices) = (.file(whole), dropped)
  }

  /// Decides.
  mutating func plan() throws(ImageError) -> ConversionPlan {
    let needsGainMap =
      request.gainMap.isRequired == true || request.copying == .required && usesGainMap
      || request.gainMap.baseline == .alternate
    if request.companions.gainMap == nil, needsGainMap, try !source.hasGainMap {
      throw try missingGainMap
    }
    let input = try source.content()
    let output = try outputContent(of: input)
    let work =
      request.companions.gainMap != nil && request.gainMap.use == .keep
      ? try joined()
      : request.copying == .required ? try copied() : try work(from: input, to: output)
    try checkEffects(of: work)
    if case .file(let file) = source, file.options.assumed != nil, work.keepsImages {
      notices.append(
        Notice(
          .irregular,
          "not used: assumed color and white (the image keeps its color and its gain map)"))
    }
    return ConversionPlan(
      request: request, format: format,
      steps: try ConversionSteps(
        source, work, output, request, format,
        measuresFirst: alternative?.cause == .imageWithoutHeadroom
      ).all, notices: notices,
      measuresAllLight: !request.rendition.isForDisplay, contents: (input, output), source: source,
      work: work, alternative: alternative)
  }

  private var usesGainMap: Bool { request.gainMap.flavors != nil || request.gainMap.use == .keep }

  /// The reason why the gain map cannot be applied; defects of the baseline image do not count.
  ///
  /// - Throws: Errors that end the whole job.
  private var missingGainMap: ImageError {
    get throws(ImageError) {
      do throws(ImageError) {
        _ = try source.file?.gainMaps().requireApplicable()
      } catch {
        guard !error.endsJob else { throw error }
        if error.category == .unsuitable { return error }
      }
      return ImageError(.noGainMap)
    }
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
      return try source.hasGainMap && request.gainMap.use != .drop
        ? .keptGainMap : input == .sdr || input == .gainMap ? .sdr : .hdr
    }
    if request.gainMap.baseline == .alternate { return .keptGainMap }
    if request.content == .hdr { return .hdr }
    switch request.gainMap.use {
    case .apply where input == .sdr && !wantsSignal: return .sdr
    case .apply where request.gainMap.headroomStops != nil: return limitedDisplay(isLimited)
    case .apply: return isLimited && !wantsSignal ? .computedGainMap : .hdr
    case .keep:
      guard try source.hasGainMap else { throw ImageError(.noGainMapToKeep) }
      return .keptGainMap
    case .drop:
      guard wantsSignal || ![.sdr, .gainMap].contains(input) else { return .sdr }
      return isLimited ? .sdr : .hdr
    case nil: break
    }
    if wantsSignal { return .hdr }
    let automatic = input.automaticOutput(isLimitedTo8Bits: isLimited)
    // A file of the same format stays what it is if only its geometry changes, or metadata are left out.
    if automatic == .hdr, try source.hasGainMap, source.format == format,
      traits.gainMapCodec != nil,
      request.geometry.edit != GeometryEdit() || !request.metadata.removingFields.isEmpty,
      changesOnlyGeometry
    {
      return .keptGainMap
    }
    return automatic
  }

  /// A gain map that is applied for a display: SDR for one without headroom in a format that stores nothing else.
  private func limitedDisplay(_ isLimited: Bool) -> OutputContent {
    request.gainMap.headroomStops == 0 && isLimited ? .sdr : .hdr
  }

  var hasStandard: Bool { standard != nil || request.companions.standard != nil }

  var changesOnlyGeometry: Bool {
    givenFields.allSatisfy {
      Fields.ofKeptImages.contains($0) || request.metadata.removingFields.contains($0)
    }
  }

  /// Whether samples change by geometry and quality alone; metadata are edited by `tag`.
  private var changesNoSamples: Bool {
    givenFields.allSatisfy {
      Fields.ofKeptImages.contains($0) || $0.hasPrefix("metadata.")
    }
  }

  // MARK: Coded images that are kept

  /// The coded images of the input, or an error that names the step that would encode them.
  private mutating func copied() throws(ImageError) -> ConversionPlan.Work {
    guard let file = source.file else {
      throw .withoutEffect("copying", "the image is not in a file")
    }
    guard request.gainMap.baseline == nil else { throw ImageError(.recodeForSwap) }
    let geometry = request.geometry.edit
    guard geometry == GeometryEdit(rotation: geometry.rotation) else {
      throw .conflict("copying", "geometry")
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
    if request.gainMap.use == .drop {
      let rotates = geometry != GeometryEdit()
      return .sameFormat(rotates ? .rotate(geometry.rotation, nil) : .copy, dropsGainMap: true)
    }
    if geometry != GeometryEdit() {
      return .sameFormat(.rotate(geometry.rotation, flavors), dropsGainMap: false)
    }
    guard let flavors else { return .edit(try MetadataChanges(request.metadata, open)) }
    guard request.gainMap.isExact != true else { return .transcode(try transcoding(geometry)) }
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
    guard let file = source.file, let map = try separateGainMap() else {
      throw .withoutEffect("companions.gainMap", "the image is not in a file")
    }
    guard !traits.isLimitedTo8Bits || map.metadata.metadata?.isBaseHDR != true else {
      throw ImageError(.joinBaseIsHDR)
    }
    if try source.hasGainMap {
      notices.append(Notice(.dropped, "dropped: gain map of the file (replaced by the new one)"))
    }
    guard request.copying == .required else { return .join(map, try transcoding(GeometryEdit())) }
    try checkStores(file)
    let theirs: StillCodec
    do throws(ImageError) { theirs = try map.file.stillCodec } catch {
      throw error.inFile(map.name)
    }
    guard theirs.isHeld(by: format) else {
      throw ImageError(
        .joinCodecsDiffer,
        ["map": theirs.rawValue, "base": try file.stillCodec.rawValue], at: .init(file: map.name))
    }
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
      if try source.hasGainMap, output == .hdr, request.gainMap.use == nil, source.format == format,
        request.content == .automatic, !request.rendition.isForDisplay, traits.gainMapCodec != nil,
        request.geometry.edit == GeometryEdit(), changesOnlyGeometry
      {
        notices.append(Notice(.convertGainMapApplied))
      }
      let applied = request.gainMap.use == .drop ? ConversionOptions.GainMapUse.none : .full
      let work = try converted(input, isStandard: output == .sdr, gainMap: applied)
      return output == .hdr && input == .gainMap ? try applying(work) : work
    case .keptGainMap: return try kept(input)
    case .computedGainMap: return try computed(input)
    }
  }

  /// Whether a JPEG file stays JPEG: its images are copied, or encoded again without a change of color.
  private var keepsJPEG: Bool {
    source.format == format && traits.isLimitedTo8Bits && request.content == .automatic
      && !request.rendition.isForDisplay && request.color.profile == nil
      && request.color.transfer == nil && request.companions == ConversionRequest.Companions()
      && request.gainMap.use != .apply && request.input.declared == nil && changesNoSamples
  }

  /// One image.
  mutating func converted(
    _ input: InputContent, isStandard: Bool, gainMap: ConversionOptions.GainMapUse
  ) throws(ImageError) -> ConversionPlan.Work {
    guard request.gainMap.flavors == nil else {
      throw ImageError(
        .convertFlavorsWithoutGainMap, try source.hasGainMap ? ["hasGainMap": "yes"] : [:])
    }
    // A gain map or tone mapping leads to other colors than those of the baseline image.
    let color =
      isStandard && [.sdr, .gainMap, .gainMapOfHDR].contains(input)
      ? try StandardColor(of: source, in: format) : .usual
    var options = try options(isStandard: isStandard, color)
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
    try ConversionTarget.check(options)
    try checkLossless(options)
    if isStandard { try checkLight() }
    var exposure = 0.0
    if try source.isRaw { swap(&exposure, &options.exposure) }
    let development = request.raw.development(
      exposure: exposure, isStandard: options.isForStandardDisplays)
    if request.coding.quality != nil, !traits.hasQuality || options.encoder.isLossless {
      notices.append(Notice(.encodeQualityNotUsed, ["format": format.title]))
    }
    return .convert(options, development, try separateGainMap())
  }

  /// A file of the same format with the same images.
  mutating func sameFormat(dropsGainMap: Bool) throws(ImageError) -> ConversionPlan.Work {
    .sameFormat(try change(try geometry()), dropsGainMap: dropsGainMap)
  }

  // MARK: Parameters

  var limits: ImageLimits { source.file?.options.limits ?? Execution.current.limits }
  var openingOptions: OpeningOptions { source.file?.options ?? request.openingOptions() }

  /// Crop, size and rotation, without enlarging.
  mutating func geometry() throws(ImageError) -> GeometryEdit {
    guard request.geometry.edit.size != nil else { return request.geometry.edit }
    let (edit, unchanged) = request.geometry.edit(of: try source.uprightSize())
    notices += unchanged
    return edit
  }

  /// Whether images are encoded again in their format: for the sake of the quality, or since the
  /// caller declares another color than the file.
  var reencodesSameFormat: Bool {
    (request.coding.quality != nil || request.input.declared != nil)
      && request.copying == .automatic
  }

  func isRotatedOnly(_ geometry: GeometryEdit) -> Bool {
    !reencodesSameFormat && geometry == GeometryEdit(rotation: geometry.rotation)
      && geometry != GeometryEdit()
  }

  /// The change of images that stay in their format.
  func change(_ geometry: GeometryEdit) throws(ImageError) -> ConversionPlan.Change {
    guard geometry != GeometryEdit() || reencodesSameFormat else { return .copy }
    guard !isRotatedOnly(geometry) else { return .rotate(geometry.rotation, nil) }
    return .edit(try transcoding(geometry))
  }
}
