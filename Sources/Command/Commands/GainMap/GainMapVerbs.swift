// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// `hdrconvert gainmap extract IN -o MAP`.
struct ExtractGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extract a gain map: its image and its metadata.",
    discussion: """
      With the suffix of its own coding (.jpg, .heic, .avif, .jxl), the gain map is copied byte for \
      byte; with .png, its samples are decoded, unless they are those of a PNG file. --metadata writes the metadata of all flavors as JSON \
      (schema hdrconvert/gainmap-metadata/1), with the fractions of the file, for 'gainmap join'.

      examples:
        hdrconvert gainmap extract pixel.jpg -o map.jpg --metadata map.json
        hdrconvert gainmap extract IMG_0001.HEIC -o map.png --metadata map.json
      """)

  @Argument(help: .text("Input file; - for standard input.", "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: .text("Image of the gain map: .png, .jpg, .heic, .avif or .jxl.", "map"))
  var output: String

  @Option(help: .text("File to write with the metadata.", "file.json"))
  var metadata: String?

  @Flag(name: .shortAndLong, help: "Replace outputs that exist.")
  var force = false

  @OptionGroup(title: "Privacy") var strip: PrivacyOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func validate() throws {
    try checkStandardOutput(wantsJSON: reporting.json, output)
    let reason = "the samples of the gain map are copied"
    try inputs.refuseDeclaredColor(reason)
    try inputs.refuseAssumedColor(reason)
  }

  func run() throws {
    let target = OutputFile(path: output, mayReplace: force)
    let metadataTarget = metadata.map { OutputFile(path: $0, mayReplace: force) }
    try OutputFile.ensureWritable(
      [target] + (metadataTarget.map { [$0] } ?? []), differingFrom: [input])
    let opening = try inputs.opening()
    let (image, detached, notices) = try during(.reading, input, remedy: remedy) {
      () throws(ImageError) -> (SplicedBytes, FoundGainMap, [Notice]) in
      let file = try openImage(input, options: opening)
      // Its map could be found, but neither decoded nor put into a file of its own.
      if !file.isEditable { _ = try SourceImage.open(file) }
      let inventory = try file.gainMaps()
      let found = try inventory.requireApplicable()
      guard let detached = try file.detached(found) else {
        throw ImageError(.unsuitable, "no metadata describe the samples of the gain map")
      }
      let (image, notices) = try self.image(found, of: file)
      return (image, detached, inventory.notices + notices + detached.notInJSON)
    }
    let json = try during(.writing, metadata ?? output) { () throws(ImageError) in
      try detached.json()
    }
    let numbers = metadataTarget.map { OutputFile.Companion(file: $0, bytes: json) }
    try during(.writing, output) { () throws(ImageError) in
      _ = try target.write(with: numbers) { sink throws(ImageError) in try sink.write(image) }
    }
    Console.report(notices, input: input, isQuiet: reporting.quiet)
    guard reporting.json else { return }
    let report = try during(.reading, input) { () throws(ImageError) in
      ExtractedGainMapReport(
        input: input, output: output, metadataOutput: metadata, bytes: image.count,
        flavors: detached.flavors.map(\.rawValue), gainMapMetadata: try GainMapJSON(detached),
        notices: notices.map(NoticeReport.init))
    }
    try JSONReport(inputs: [input], results: [report]).print()
  }

  /// The gain map as it is coded, or decoded to PNG, and a notice if it has location data.
  private func image(
    _ found: FoundGainMap, of file: ImageFile
  ) throws(ImageError) -> (SplicedBytes, [Notice]) {
    let wanted = FileFormat(suffix: output.fileSuffix)
    if wanted == .png, found.location != .chunk {
      let codes = try SourceImage.open(file).requireGainMap().codes()
      let description = ImageDescription(
        layout: codes.layout, color: .data,
        orientation: try file.contents().primary.orientation)
      let output = OutputImage(Image(description, codes), signalsCICP: false)
      return (ByteSource(try output.encoded(as: .png, options: EncoderOptions())).whole, [])
    }
    try file.requireDecodableGainMap()
    let alone = try file.standaloneFile(ofGainMapAt: found.location)
    let parsed = try ImageFile(parsing: ByteSource(alone), options: file.options)
    let codec = try parsed.stillCodec
    guard output == OutputFile.standardOutput || wanted.map(codec.isHeld) == true else {
      throw ImageError(.extractGainMapCodec, ["coded": codec.rawValue])
    }
    return try strip.removal.applied(to: alone, parsed: parsed)
  }

  /// The command with an output that can store the gain map.
  private func remedy(against error: ImageError) -> String? {
    guard case .text(let coded)? = error.parameters["coded"], error.code == .extractGainMapCodec,
      let codec = StillCodec(rawValue: coded)
    else { return nil }
    let names = [codec.suffix, "png"].map { "\(output.withoutFileSuffix).\($0)".asArgument }
    return "hdrconvert gainmap extract \(input.asArgument) -o \(names[0]), or -o \(names[1])"
  }
}

/// `hdrconvert gainmap apply IN -o OUT`.
struct ApplyGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a gain map, in full or for a display of a given headroom.",
    discussion: """
      Headroom is the peak luminance over reference white: a ratio (4x or 4), stops (2st), a peak \
      in nits for reference white at 203 nits (812nit), or full (default).

      examples:
        hdrconvert gainmap apply IMG_0001.HEIC -o full.avif
        hdrconvert gainmap apply pixel.jpg -o laptop.png --headroom 2x
        hdrconvert gainmap apply sdr.png -o full.avif --map map.png \\
          --metadata map.json
      """)

  @Option(
    help: .text("Headroom of the display (default full).", "4x|2st|812nit|full"),
    transform: HeadroomArgument.init(parsing:))
  var headroom: HeadroomArgument?

  @Option(help: .text("Gain map, if it is a file of its own.", "map"))
  var map: String?

  @Option(
    name: .customLong("metadata"),
    help: .text("Its metadata: JSON of 'gainmap extract', or a file with a gain map.", "file"))
  var mapMetadata: String?

  @OptionGroup var conversion: ConversionArguments

  mutating func validate() throws {
    takeOutput(to: conversion.to)
    try checkFiles()
    try checkRequest()
  }

  func request() throws -> ConversionRequest {
    var request = try conversion.request()
    request.gainMap.use = .apply
    request.gainMap.isRequired = true
    if case .value(let headroom)? = headroom {
      request.gainMap.headroomStops = headroom.stops
    } else {
      request.content = .hdr
    }
    if let map { request.companions.gainMap = map }
    if let mapMetadata { request.companions.gainMapMetadata = mapMetadata }
    return request
  }

  func reportStart() {
    guard case .value(let headroom)? = headroom, !isQuiet else { return }
    Console.note("headroom \(headroom.text)")
  }
}

extension ApplyGainMap: ConvertingVerb {}

/// `hdrconvert gainmap join --baseline BASE --map MAP -o OUT`.
struct JoinGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Combine a baseline image, a gain map and metadata without re-encoding.",
    discussion: """
      Both images have the codec of the output; --allow-reencode re-encodes images that it cannot \
      store. A gain map whose orientation differs from that of the baseline image is rotated; the \
      JSON of 'gainmap extract' specifies it. The metadata are the JSON of 'gainmap extract', or those of a file with a \
      gain map; a JPEG or PNG gain map that contains its metadata needs none. Default flavors: ISO \
      21496-1 and XMP in JPEG, ISO 21496-1 in other formats, apple for Apple gain maps.

      examples:
        hdrconvert gainmap join --baseline sdr.jpg --map map.jpg -o both.jpg \\
          --metadata map.json
        hdrconvert gainmap join --baseline edited.heic --map map.heic -o new.heic \\
          --metadata IMG_1.HEIC
      """)

  @Option(help: .text("Baseline image, whose metadata are kept.", "file"))
  var baseline: String

  @Option(help: .text("File with the gain map image.", "map"))
  var map: String

  @Option(help: .text("Metadata: JSON of 'gainmap extract', or a file with a gain map.", "file"))
  var metadata: String?

  @OptionGroup var output: RewrittenOutput

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup var listing: DryRunOption
  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws {
    try target.checkIsGiven()
    if !recoding.allowReencode {
      try inputs.refuseDeclaredColor(
        "to correct the color that the file declares, use tag with --set cicp; to convert from the "
          + "right color, use convert")
    }
    try checkRequest()
  }

  func run() throws {
    guard listing.dryRun else { return try processInput() }
    let job = BatchJob(input: BatchInput(argument: baseline), output: .success(target.output))
    try OutputListing(jobs: [job], wantsJSON: wantsJSON).print { _, output in
      try ListedOutputReport(Job.Input(path: baseline, output: output, mayReplace: false), plan())
        .add()
    }
  }

  var input: String { baseline }
  var target: OutputOptions { output.target }
  var given: RequestOption { output.given }
  var printsDigests: Bool { output.verbose }

  func request() throws -> ConversionRequest {
    var request = try output.request()
    request.gainMap.use = .keep
    request.companions.gainMap = map
    if let metadata { request.companions.gainMapMetadata = metadata }
    if let flavors { request.gainMap.flavors = flavors.sorted }
    try inputs.apply(to: &request.input)
    try recoding.apply(to: &request)
    return request
  }

  /// The remedy that leads to `remux --exact`, an option that this verb does not have.
  func remedy(against error: ImageError) -> String? {
    error.exactRemedy(by: .remux(after: "join it", into: target.output), flavors)
  }
}

extension JoinGainMap: RequestVerb {
  var progressStyle: ProgressStyle { reporting.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }
}

/// `hdrconvert gainmap swap IN -o OUT`.
struct SwapGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap",
    abstract: "Exchange baseline and alternate image of a file with a gain map.",
    discussion: """
      The alternate image becomes the baseline image, which requires --allow-reencode. The gain map \
      and its metadata stay and describe the way back. JPEG cannot store an HDR baseline image. An \
      HDR baseline image is encoded in 4:4:4 unless --yuv is given.

      examples:
        hdrconvert gainmap swap web.avif -o hdr-base.avif --allow-reencode
        hdrconvert gainmap swap hdr-base.avif -o sdr-base.jpg --allow-reencode
        hdrconvert gainmap swap IMG_0001.HEIC -o hdr-base.heic \\
          --allow-reencode --quality 95
      """)

  @OptionGroup var files: RewritingOptions

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp"))
  var flavors: FlavorList?

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: .text(
      "Chroma subsampling of the new baseline image (default: 444 for HDR, else as before).",
      "444|422|420"))
  var chroma: ChromaSubsampling?

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  mutating func validate() throws {
    takeOutput(to: files.many.to)
    try checkFiles()
    try checkRequest()
  }

  func request() throws -> ConversionRequest {
    var request = try files.target.request()
    request.gainMap.use = .keep
    request.gainMap.baseline = .alternate
    if let flavors { request.gainMap.flavors = flavors.sorted }
    try inputs.apply(to: &request.input)
    try recoding.apply(to: &request)
    if let chroma { request.coding.chroma = chroma }
    return request
  }
}

extension SwapGainMap: RearrangingVerb {
  var progressOption: ProgressOption? { nil }
}

/// `hdrconvert gainmap flatten IN -o OUT`.
struct FlattenGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flatten",
    abstract: "Drop the gain map and keep the baseline image byte for byte.",
    discussion: """
      examples:
        hdrconvert gainmap flatten IMG_0001.HEIC -o sdr.heic --verbose
      """)

  @OptionGroup var files: RewritingOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var choice: ImageOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var costs: LimitOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  mutating func validate() throws {
    takeOutput(to: files.many.to)
    try checkFiles()
  }

  func request() throws -> ConversionRequest {
    var request = try files.target.request()
    request.gainMap.use = .drop
    if let image = choice.image { request.input.image = image }
    return request
  }

  func remedy(against error: ImageError) -> String? {
    guard error.code == .recodeContainerDiffers else { return nil }
    let (source, output) = (input.asArgument, target.output.asArgument)
    return FileFormat(suffix: target.output.fileSuffix)?.traits.isLimitedTo8Bits == true
      ? "make an SDR image: hdrconvert render \(source) -o \(output) --level standard"
      : "re-encode the baseline image: hdrconvert \(source) -o \(output) --gainmap drop"
  }
}

extension FlattenGainMap: RearrangingVerb {
  var keepsCodedImages: Bool { true }
}
