// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports

/// `hdrconvert render IN -o OUT`.
struct Render: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render an image as a display of a given headroom shows it.",
    discussion: """
      A gain map is applied up to the headroom of the display; without one, the image is tone \
      mapped. The output is PQ, or for --level standard sRGB with 8 bits. Headroom is the peak \
      luminance over reference white: a ratio (4x or 4), stops (2st), a peak in nits for reference \
      white at 203 nits (812nit), or full.

      examples:
        hdrconvert render photo.avif --level standard -o sdr.jpg
        hdrconvert render photo.avif --headroom 2.5x -o laptop.png
        hdrconvert render photo.heic --display phone -o phone.avif --verbose
        hdrconvert render photo.heic --level standard --primaries p3 -o sdr.heic
        hdrconvert render photo.heic --level standard --resize 1600 -o small.jpg
        hdrconvert render IMG_0002.DNG --level standard -o sdr.jpg
        hdrconvert render *.heic --out-dir sdr --to jpeg --level standard
        hdrconvert render --display list
      """)

  @Argument(help: .text("Input images; - for standard input.", "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions

  @Option(
    help: .text(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfOutputs).", "format"))
  var to: String?

  @OptionGroup var given: RequestOption
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption
  @OptionGroup(title: "Display") var display: DisplayOptions

  @Option(
    name: .customLong("gainmap"),
    help: .full(
      "Gain map of the input: apply it (default), or drop it and render the baseline image."))
  var gainMap: GainMapChoice?

  enum GainMapChoice: String, ExpressibleByArgument, CaseIterable {
    case apply
    case drop
  }

  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Encoding") var coding: CodingOptions
  @OptionGroup(title: "Raw input", visibility: .inFull) var raw: RAWOption
  @OptionGroup(title: "Metadata") var strip: StripOption
  @OptionGroup(title: "Metadata", visibility: .inFull) var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  mutating func validate() throws {
    takeOutput(to: to)
    try geometry.refuseSeveralSizes()
    guard !display.wantsList else { return }
    guard display.isGiven || given.file != nil else {
      throw ValidationError(
        "choose a target display with --headroom, --level or --display (for SDR: --level standard)")
    }
    if isBatch { try checkFiles() }
    try checkRequest()
  }

  func run() throws {
    guard display.wantsList else {
      guard !isBatch, target.given == nil || files.isEmpty else { return try runFiles() }
      guard !files.isEmpty else {
        throw Failure(ImageError(.invalidArgument, "no input image is given"))
      }
      throw Failure(ImageError(.invalidArgument, "no output is given"))
    }
    guard files.isEmpty, target.given == nil else {
      throw Failure(ImageError(.displayListTakesNoImage))
    }
    try listDisplays()
  }

  private func listDisplays() throws {
    guard !reporting.json else {
      return try JSONReport(inputs: [], results: DisplayPreset.all.map(DisplayReport.init)).print()
    }
    Console.print(DisplayReport.lines)
  }

  func request() throws -> ConversionRequest {
    var request = try given.request()
    try request.setFormat(to, target)
    try display.apply(to: &request.rendition)
    coding.apply(to: &request)
    try geometry.apply(to: &request.geometry)
    try raw.apply(to: &request, exposure: coding.exposure)
    try metadata.apply(to: &request, coding)
    try strip.apply(to: &request.metadata)
    try inputs.apply(to: &request.input)
    if gainMap == .drop { request.gainMap.use = .drop }
    return request
  }
}

extension Render: FileVerb, RequestVerb {
  var explains: Bool { notices.verbose }
  var rawKeys: [String] {
    get { raw.values }
    set { raw.values = newValue }
  }
  var progressStyle: ProgressStyle { reporting.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String { try suffix(of: to, or: input) }
}
