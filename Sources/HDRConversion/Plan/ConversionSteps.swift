// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// The decisions of a plan about each image and each metadata item, for people.
struct ConversionSteps {
  private(set) var all: [ConversionPlan.Step] = []
  private let source: ConversionSource
  private let request: ConversionRequest
  private let format: FileFormat
  private let output: OutputContent
  /// Whether light levels are measured first, which decides about a gain map.
  private let measuresFirst: Bool

  init(
    _ source: ConversionSource, _ work: ConversionPlan.Work, _ output: OutputContent,
    _ request: ConversionRequest, _ format: FileFormat, measuresFirst: Bool
  ) throws(ImageError) {
    (self.source, self.output, self.request, self.format) = (source, output, request, format)
    self.measuresFirst = measuresFirst
    try addImages(work)
    try addMetadata(work)
  }

  private mutating func add(_ item: String, _ action: ConversionPlan.Action, _ reason: String) {
    all.append(ConversionPlan.Step(item: item, action: action, reason: reason))
  }

  // MARK: Images

  private mutating func addImages(_ work: ConversionPlan.Work) throws(ImageError) {
    let map = try ifReadable(try source.file?.gainMaps().applicable)
    switch work {
    case .convert(let options, _, let separate):
      add("image", .render, try purpose(options))
      if let separate {
        add("gain map of \(separate.name)", .render, "it is applied to the image")
      } else if let map {
        let isOfHDR = map.metadata?.isBaseHDR == true
        options.gainMap == .none || isOfHDR && output == .hdr
          ? add("gain map", .drop, "the output is made of the baseline image")
          : add("gain map", .render, "it is applied to the image")
      }
      try addOthers(areAuxiliariesKept: format.traits.auxiliaryStorage != .none)
    case .create(let options, let standard):
      try addStandard(options, standard)
      let unless =
        measuresFirst
        ? "; none if hardly any pixels are brighter than white, which is measured" : ""
      add("gain map", .compute, "from the SDR and the HDR image" + unless)
      if map != nil { add("gain map of the input", .drop, "a new one is computed") }
      try addOthers(areAuxiliariesKept: format.traits.auxiliaryStorage != .none)
    case .transcode(let options):
      if options.geometry != GeometryEdit() {
        addPair(.reencode, "cropped, resized or rotated")
      } else if options.reencodes {
        addPair(.reencode, "as requested")
      } else {
        try hasCodec(of: source)
          ? addPair(.copy, "\(format.title) stores it as it is")
          : addPair(.reencode, "\(format.title) cannot store it as it is")
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
    case .edit:
      add("image", .copy, "only metadata change")
      if map != nil { add("gain map", .copy, "only metadata change") }
      try addKept()
    case .sameFormat(let change, let dropsGainMap):
      let (action, reason): (ConversionPlan.Action, String) =
        switch change {
        case .copy: (.copy, "the format is the same")
        case .describe: (.copy, "only the gain map metadata change")
        case .transcode: (.transcode, "\(format.title) stores the same coefficients")
        case .rotate: (.transcode, "rotated without loss")
        case .edit: (.reencode, "cropped, resized, or of another quality or color")
        }
      if map != nil, !dropsGainMap {
        addPair(action, reason)
      } else {
        add("image", action, reason)
        if map != nil { add("gain map", .drop, "the output is the baseline image") }
      }
      if case .edit = change { try addOthers(areAuxiliariesKept: false) } else { try addKept() }
    }
  }

  private mutating func addStandard(
    _ options: GainMapEncoder.Options, _ standard: (source: ConversionSource, name: String)?
  ) throws(ImageError) {
    guard let standard else {
      add("SDR image", try source.isRaw ? .render : .compute, "made from the HDR image")
      return
    }
    let isKept = options.keepsCodedBaseline && options.geometry == GeometryEdit()
    let hasCodec = try hasCodec(of: standard.source)
    isKept && hasCodec
      ? add("SDR image", .copy, "the coded image of \(standard.name) is kept")
      : add("SDR image", .reencode, "\(standard.name) is encoded as \(format.title)")
  }

  private func hasCodec(of source: ConversionSource) throws(ImageError) -> Bool {
    try ifReadable(try source.file?.stillCodec) == format.traits.gainMapCodec
  }

  private mutating func addPair(_ action: ConversionPlan.Action, _ reason: String) {
    add("baseline image", action, reason)
    add("gain map", action, reason)
  }

  /// Other images and items of a file whose image is encoded again.
  private mutating func addOthers(areAuxiliariesKept: Bool) throws(ImageError) {
    guard let file = source.file else { return }
    let auxiliaries = Set(try file.namedAuxiliaries.map(\.displayName))
    for name in try file.embeddedItems {
      let isKept = areAuxiliariesKept && auxiliaries.contains(name)
      add(
        name, isKept ? .copy : .drop,
        isKept ? "it belongs to the image" : "it would not match the new image")
    }
  }

  /// Other images and items of a file whose coded images are kept.
  private mutating func addKept() throws(ImageError) {
    guard let file = source.file else { return }
    let strips = Set(request.metadata.strip ?? [])
    var edit = MetadataEdit()
    (edit.dropsThumbnails, edit.dropsVideo) = (strips.contains(.thumbnail), strips.contains(.video))
    let edited = try edited(edit)
    let kept = try (edited?.file ?? file).embeddedItems.grouped
    for name in kept { add(name, .copy, "it belongs to the image") }
    guard edited != nil else { return }
    for name in try file.embeddedItems.grouped where !kept.contains(name) {
      add(name, .drop, "as requested")
    }
  }

  /// The input after an edit; `nil` if that is not possible.
  private func edited(_ edit: MetadataEdit) throws(ImageError) -> EditedFile? {
    guard !edit.isEmpty, let file = source.file, file.isEditable else { return nil }
    return try ifReadable(try file.edited(by: edit))
  }

  /// Whether an edit would remove IPTC, of any image, or a conversion would not copy it.
  private var dropsIPTC: Bool {
    get throws(ImageError) {
      var edit = MetadataEdit()
      edit.dropsIPTC = true
      if try edited(edit)?.removedParts.contains("iptc") == true { return true }
      return try ifReadable(try source.file?.primaryImage().auxiliaryMetadata.iptc) ?? nil != nil
    }
  }

  private func purpose(_ options: ConversionOptions) throws(ImageError) -> String {
    let origin = try source.isRaw ? "developed, as " : ""
    let range =
      output == .sdr
      ? "SDR" : "HDR (\(options.transfer.commonName?.uppercased() ?? "other"))"
    return "\(origin)\(range) in \(options.format.title)"
  }

  // MARK: Metadata

  private mutating func addMetadata(_ work: ConversionPlan.Work) throws(ImageError) {
    guard let contents = try ifReadable(try source.file?.contents()) else { return }
    let (light, metadata) = (contents.primary.light, request.metadata)
    let strips = Set(metadata.strip ?? [])
    let isEdited = if case .edit = work { true } else { false }
    func report(
      _ name: String, _ isPresent: Bool, _ choice: MetadataItem.Choice?,
      isPrivate: Bool = false, isStorable: Bool = true
    ) {
      guard isPresent || choice == .value else { return }
      let (action, reason): (ConversionPlan.Action, String) =
        switch choice {
        case _ where isPrivate: (.drop, "private")
        case _ where !isStorable: (.drop, "it would not describe the output")
        case nil, .keep: (.copy, isEdited ? "it is kept" : "parts that describe the output")
        case .measure: (.compute, "it follows from the output")
        case .drop: (.drop, "as requested")
        case .value: (.compute, "as given")
        }
      add(name, action, reason)
    }
    let isPrivate = strips.contains(.all)
    report("Exif", contents.exif != nil, metadata.exif?.choice, isPrivate: isPrivate)
    report("XMP", contents.xmp != nil, metadata.xmp?.choice, isPrivate: isPrivate)
    if contents.hasLocation, !strips.isDisjoint(with: [.location, .all]) {
      add("location", .drop, "private")
    }
    if strips.contains(.iptc), try dropsIPTC {
      add("IPTC", .drop, "as requested")
    }
    if isEdited {
      report("ICC profile", false, metadata.icc?.choice)
      report("code points", false, metadata.codePoints?.choice)
      report("orientation", false, metadata.orientation?.choice)
    }
    let options: ConversionOptions? =
      if case .convert(let given, _, _) = work { given } else { nil }
    for (item, field) in MetadataItem.light {
      let isPresent = field.isPresent(in: light)
      if isEdited { report(item.title, isPresent, item.choice(metadata)) }
      guard let options else { continue }
      report(
        item.title, isPresent, item.effectiveChoice(options.metadata),
        isStorable: output == .hdr && format.traits.metadataFields.contains(field.field))
    }
  }
}
