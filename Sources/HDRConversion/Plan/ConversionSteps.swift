// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The decisions of a plan about each image and each metadata item, for people.
struct ConversionSteps {
  private(set) var all: [ConversionPlan.Step] = []
  private let source: ConversionSource
  private let request: ConversionRequest
  private let format: FileFormat
  private let output: OutputContent

  init(
    _ source: ConversionSource, _ work: ConversionPlan.Work, _ output: OutputContent,
    _ request: ConversionRequest, _ format: FileFormat
  ) {
    (self.source, self.output, self.request, self.format) = (source, output, request, format)
    addImages(work)
    addMetadata(work)
  }

  private mutating func add(_ item: String, _ action: ConversionPlan.Action, _ reason: String) {
    all.append(ConversionPlan.Step(item: item, action: action, reason: reason))
  }

  // MARK: Images

  private mutating func addImages(_ work: ConversionPlan.Work) {
    let map = (try? source.file?.gainMaps())?.applicable
    switch work {
    case .convert(let options, _), .convertAttaching(_, let options, _):
      add("image", .render, purpose(options))
      if case .convertAttaching(let map, _, _) = work {
        add("gain map of \(map.name)", .render, "it is applied to the image")
      } else if map != nil {
        options.gainMap == .none
          ? add("gain map", .drop, "the output is the baseline image")
          : add("gain map", .render, "it is applied to the image")
      }
      addOthers(isKept: format.traits.auxiliaryStorage != .none)
    case .create(let options, let pair):
      addStandard(options, pair)
      add("gain map", .compute, "from the SDR and the HDR image")
      if map != nil { add("gain map of the input", .drop, "a new one is computed") }
      addOthers(isKept: format.traits.auxiliaryStorage != .none)
    case .transcode(let options):
      if options.reencodes {
        addPair(.reencode, "of another quality")
      } else if options.geometry == GeometryEdit(), hasCodec(of: source) {
        addPair(.copy, "\(format.title) stores it as it is")
      } else {
        addPair(.reencode, "\(format.title) cannot store it as it is")
      }
    case .swap:
      add("baseline image", .compute, "it is the alternate image of the input")
      add("gain map", .reencode, "it describes the way back")
    case .join(let map, let options):
      let action: ConversionPlan.Action = options == nil ? .copy : .reencode
      let reason =
        options == nil ? "both have the same codec" : "copied where \(format.title) can store it"
      add("baseline image", action, reason)
      add("gain map of \(map.name)", action, reason)
    case .sameFormat(let change, let dropsGainMap):
      let (action, reason): (ConversionPlan.Action, String) =
        switch change {
        case .copy: (.copy, "the format is the same")
        case .describe: (.copy, "only the gain map metadata change")
        case .transcode: (.transcode, "\(format.title) stores the same coefficients")
        case .rotate: (.transcode, "rotated without loss")
        case .edit: (.reencode, "cropped, resized, or of another quality")
        }
      if map != nil, !dropsGainMap {
        addPair(action, reason)
      } else {
        add("image", action, reason)
        if map != nil { add("gain map", .drop, "the output is the baseline image") }
      }
      if case .edit = change { addOthers(isKept: false) } else { addOthers(isKept: true) }
    }
  }

  private mutating func addStandard(_ options: GainMapEncoder.Options, _ pair: ConversionPlan.Pair)
  {
    guard let standard = pair.standard else {
      add("SDR image", source.isRaw ? .render : .compute, "made from the HDR image")
      return
    }
    let isKept = options.keepsCodedBaseline && options.geometry == GeometryEdit()
    isKept && hasCodec(of: standard.source)
      ? add("SDR image", .copy, "the coded image of \(standard.name) is kept")
      : add("SDR image", .reencode, "\(standard.name) is encoded as \(format.title)")
  }

  private func hasCodec(of source: ConversionSource) -> Bool {
    (try? source.file?.stillCodec) == format.traits.gainMapCodec
  }

  private mutating func addPair(_ action: ConversionPlan.Action, _ reason: String) {
    add("baseline image", action, reason)
    add("gain map", action, reason)
  }

  private mutating func addOthers(isKept: Bool) {
    for name in source.file?.embeddedItems.grouped ?? [] {
      add(
        name, isKept ? .copy : .drop,
        isKept ? "it belongs to the image" : "it would not match the new image")
    }
  }

  private func purpose(_ options: ConversionOptions) -> String {
    let origin = source.isRaw ? "developed, as " : ""
    let range =
      output == .sdr
      ? "SDR" : "HDR (\(options.transfer.commonName?.uppercased() ?? "other"))"
    return "\(origin)\(range) in \(options.format.title)"
  }

  // MARK: Metadata

  private mutating func addMetadata(_ work: ConversionPlan.Work) {
    guard let contents = try? source.file?.contents() else { return }
    let light = contents.primary.hdr
    let strips = Set(request.metadata.strip ?? [])
    func decide<Value>(
      _ item: ConversionRequest.Item<Value>?, _ usual: ConversionRequest.Item<Value>
    ) -> (ConversionPlan.Action, String) {
      switch item ?? usual {
      case .keep: (.copy, "it describes the output")
      case .measure: (.compute, "it follows from the output")
      case .drop: (.drop, "as requested")
      case .value: (.compute, "as given")
      }
    }
    func report<Value>(
      _ name: String, _ isPresent: Bool, _ item: ConversionRequest.Item<Value>?,
      usual: ConversionRequest.Item<Value>
    ) {
      guard isPresent || item?.given != nil else { return }
      let (action, reason) = strips.contains(.all) ? (.drop, "private") : decide(item, usual)
      add(name, action, reason)
    }
    let metadata = request.metadata
    report("Exif", contents.exif != nil, metadata.exif, usual: .keep)
    report("XMP", contents.xmp != nil, metadata.xmp, usual: .keep)
    if contents.hasLocation, !strips.isDisjoint(with: [.location, .all]) {
      add("location", .drop, "private")
    }
    guard case .convert = work else { return }
    let isHDR = !format.traits.isLimitedTo8Bits
    report(
      "content light level", isHDR && light.contentLightLevel != nil, metadata.contentLightLevel,
      usual: .measure)
    report(
      "mastering display", light.masteringDisplay != nil, metadata.masteringDisplay, usual: .keep)
    report(
      "content color volume", light.contentColorVolume != nil, metadata.contentColorVolume,
      usual: .measure)
    report("diffuse white", light.diffuseWhite != nil, metadata.diffuseWhite, usual: .measure)
    report(
      "reference environment", light.referenceEnvironment != nil, metadata.referenceEnvironment,
      usual: .keep)
    report(
      "ambient environment", light.ambientEnvironment != nil, metadata.ambientEnvironment,
      usual: .keep)
  }
}
