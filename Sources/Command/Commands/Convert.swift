// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import Platform

/// `hdrconvert IN -o OUT`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert an image: to PQ or HLG, to an Ultra HDR JPEG, or to SDR.",
    discussion: """
      HDR images become PQ images (ISO 22028-5) in HEIF, AVIF, PNG, TIFF and JPEG XL, and linear ones \
      in OpenEXR and JPEG XR; a gain map is applied in full. A .jpg output is an Ultra HDR JPEG: it keeps the \
      gain map of the input (as ISO 21496-1 and XMP), or gets one that is computed from the HDR \
      image. --gainmap keep keeps the gain map in other outputs as well. SDR images stay SDR. --sdr \
      converts to SDR. Light levels are measured and written where the format stores them.

      The second of two files is the output, with or without -o, unless it exists and --force is \
      not given. With --out-dir, outputs have the format of --to, or else that of their inputs. Files are \
      processed concurrently, and one that fails does not end the others. Several sizes and formats make \
      files such as photo-480.avif; sizes above that of the image are one file of its size.

      examples:
        hdrconvert IMG_0001.HEIC -o web.jpg
        hdrconvert IMG_0001.HEIC -o thumb.jpg --resize 1024
        hdrconvert IMG_0001.HEIC -o photo.avif
        hdrconvert IMG_0001.HEIC -o web.avif --gainmap keep
        hdrconvert IMG_0002.DNG -o photo.avif --exposure 0.5
        hdrconvert IMG_0002.DNG -o photo.avif \\
          --raw temperature=5200,highlights=reconstruct
        hdrconvert photo.avif -o sdr.jpg --sdr --quality 85
        hdrconvert IMG_0001.HEIC -o public.heic --strip gps --force
        cat render.exr | hdrconvert - --to avif -o - > photo.avif
        hdrconvert *.heic --out-dir web --to jpeg --resize 2048
        hdrconvert IMG_0001.HEIC --out-dir web --to avif,jpg \\
          --sizes 480,960,1920 --html
        hdrconvert -r photos --out-dir out --to avif --dry-run
        hdrconvert -r photos --out-dir out --to jpeg \\
          --raw camera-jpeg=auto
      """)

  @OptionGroup var conversion: ConversionArguments

  @Option(
    name: .customLong("gainmap"),
    help: .text(
      """
      Gain map of the input: apply it in full, keep it, or drop it. Default: keep for .jpg, and for \
      an output of the input's format if only geometry or --strip is given; otherwise apply.
      """))
  var gainMap: ConversionRequest.GainMap.Use?

  @Flag(help: "Convert to SDR, as hdrconvert render --level standard does.")
  var sdr = false

  @Option(
    help: .full("Flavors of the gain map metadata, for an output with a gain map.", "iso,xmp,apple")
  )
  var flavors: FlavorList?

  mutating func validate() throws {
    takeOutput(to: conversion.to)
    try checkFiles()
    guard conversion.raw.companion == nil || !hasManyInputs else {
      throw ValidationError(
        "--raw camera-jpeg names a file for one input; for many: camera-jpeg=auto")
    }
    if pairsInputs, let option = conflictWithPairs {
      throw ValidationError(
        "--raw camera-jpeg makes an output with a gain map; leave out \(option)")
    }
    try checkRequest()
  }

  private var conflictWithPairs: String? {
    if sdr { return "--sdr" }
    if RequestKeys.set.contains("print", in: conversion.metadata.values) { return "--set print" }
    return gainMap != nil ? "--gainmap" : nil
  }

  func request() throws -> ConversionRequest {
    var request = try conversion.request()
    if sdr { request.content = .sdr }
    if let gainMap { request.gainMap.use = gainMap }
    if let flavors { request.gainMap.flavors = flavors.sorted }
    return request
  }
}

extension Convert: ConvertingVerb {
  var companionPath: String? {
    get { conversion.raw.companion }
    set { conversion.raw.companion = newValue }
  }

  var pairsInputs: Bool { conversion.raw.pairsInputs }
}

/// The format that `--to` names, or else that of the output's suffix.
func outputFormat(_ output: String, to named: String?) throws(Failure) -> FileFormat {
  let suffix = named ?? output.fileSuffix
  guard let format = FileFormat(suffix: suffix) else {
    if named == nil, FileIdentity(output)?.isFolder == true {
      throw Failure(ImageError(.outputIsFolder, at: .init(file: output)), stage: .writing)
    }
    throw Failure(
      suffix.isEmpty
        ? ImageError(.outputFormatMissing)
        : ImageError(.outputFormatUnknown, ["suffix": suffix]))
  }
  guard format.isWritten else {
    throw Failure(
      ImageError(.outputFormatNotWritten, ["format": format.title], at: .init(file: output)),
      stage: .writing)
  }
  return format
}

extension ConversionRequest {
  /// Sets the format that `--to` names, or else, unless the request has one, that of the output's suffix.
  mutating func setFormat(_ named: String?, _ target: OutputOptions) throws(Failure) {
    guard named != nil || coding.format == nil && target.given != nil else { return }
    coding.format = try outputFormat(target.output, to: named)
  }
}

extension FileFormat {
  /// The usual suffixes of formats that are written, for help and remedies.
  static var namesOfOutputs: String { names { $0.isWritten } }

  /// The usual suffixes of formats that store gain maps.
  static var namesOfGainMapFiles: String { names { $0.traits.gainMapCodec != nil } }

  private static func names(where isIncluded: (FileFormat) -> Bool) -> String {
    allCases.filter(isIncluded).map { $0.traits.suffixes[0] }.joined(separator: ", ")
  }
}

/// Arguments of `convert` and `gainmap apply`.
struct ConversionArguments: ParsableArguments {
  @Argument(help: .text("Input images; - for standard input.", "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption

  @Option(
    help: .text(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfOutputs). Several, such as "
        + "avif,jpg, make a file of each. Default with --out-dir: that of the input.", "format,...")
  )
  var to: String?

  @Flag(help: "Print the HTML element that shows the outputs in --out-dir.")
  var html = false

  @OptionGroup var given: RequestOption

  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Encoding") var coding: CodingOptions
  @OptionGroup(title: "Raw input") var raw: RAWOption
  @OptionGroup(title: "Metadata") var strip: StripOption
  @OptionGroup(title: "Metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  /// The formats that `--to` names.
  var formats: [String] {
    to.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
  }

  /// The outputs of each input.
  var variants: [OutputVariant] {
    let formats = formats.isEmpty ? [nil] : formats.map(Optional.some)
    let sizes = geometry.longSides.isEmpty ? [nil] : geometry.longSides.map(Optional.some)
    return formats.flatMap { format in sizes.map { OutputVariant(format: format, longSide: $0) } }
  }

  /// The request of these options, on top of that of `--request`.
  func request() throws -> ConversionRequest {
    var request = try given.request(limits: try inputs.costs.limits())
    coding.apply(to: &request)
    try geometry.apply(to: &request.geometry)
    try raw.apply(to: &request, exposure: coding.exposure)
    try metadata.apply(to: &request, coding)
    try strip.apply(to: &request.metadata)
    try inputs.apply(to: &request.input)
    try request.setFormat(formats.first, target)
    return request
  }
}
