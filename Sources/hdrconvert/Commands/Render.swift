// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports

/// `hdrconvert render IN -o OUT`.
struct Render: ParsableCommand {
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
        hdrconvert render photo.heic --display phone -o phone.avif --explain
        hdrconvert render photo.heic --level standard --primaries p3 -o sdr.heic
        hdrconvert render photo.heic --level standard --resize 1600 -o small.jpg
        hdrconvert render IMG_0002.DNG --level standard -o sdr.jpg
        hdrconvert render *.heic --out-dir sdr --to jpeg --level standard
        hdrconvert render --display list
      """)

  @Argument(help: ArgumentHelp("Input images; - for standard input.", valueName: "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfOutputs).",
      valueName: "format"))
  var to: String?

  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption
  @OptionGroup(title: "Display") var display: DisplayOptions

  @Option(
    name: .customLong("gainmap"),
    help: ArgumentHelp(
      "Gain map of the input: apply it, or drop it and render the baseline image.",
      visibility: .inFull)
  )
  var gainMap = Convert.GainMapPolicy.apply

  @Flag(
    help: ArgumentHelp(
      "Report headrooms, operator, and shares of changed and clipped pixels.", visibility: .inFull))
  var explain = false

  @OptionGroup(title: "Gain map", visibility: .inFull) var appleCurve: AppleCurveOption
  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Encoding") var coding: CodingOptions
  @OptionGroup(title: "Raw input", visibility: .inFull) var raw: RAWOptions
  @OptionGroup(title: "Privacy") var privacy: PrivacyOptions
  @OptionGroup(title: "Metadata", visibility: .inFull) var keeping: KeepOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  func validate() throws {
    if isBatch, !display.wantsList { try checkFiles() }
  }

  func run() throws { try runFiles() }

  func processInput() throws {
    if display.wantsList {
      guard files.isEmpty, target.given == nil else {
        throw Failure(ImageError(.displayListTakesNoImage))
      }
      return try listDisplays()
    }
    guard let input = files.first else { throw Failure(ImageError(.renderInputMissing)) }
    guard let output = target.given else { throw Failure(ImageError(.renderOutputMissing)) }
    let options = try conversionOptions(output: output)
    let (written, byteCount) = try ConversionRun(
      input: input, output: output, mayReplace: target.force, options: options,
      opening: try inputs.opening(appleCurve: appleCurve.appleCurve), reporting: reporting,
      privacy: privacy, givesQuality: coding.quality != nil, mayEnlarge: geometry.enlarge, raw: raw
    ).run()
    guard let rendering = written.rendering else { return }
    if explain { RenderingText(rendering).lines.forEach { Console.note($0) } }
    guard reporting.json else { return }
    let report = ConversionReport(
      input: input, output: output, format: options.format, written: written,
      byteCount: byteCount)
    try JSONReport(inputs: [input], results: [report]).print()
  }

  private func listDisplays() throws {
    guard !reporting.json else {
      return try JSONReport(inputs: [], results: DisplayPreset.all.map(DisplayReport.init)).print()
    }
    Console.print(DisplayReport.lines)
  }

  private func conversionOptions(output: String) throws -> ConversionOptions {
    let format = try outputFormat(output, to: to)
    let rendering = try display.renderingOptions()
    let isStandard = rendering.display.usableHeadroom == .standard
    var options = ConversionOptions(format: format, encoder: coding.encoder(for: format))
    options.keepsMakerNotes = keeping.keepsMakerNotes
    if isStandard, !options.format.traits.storesLinearValues {
      options.transfer = .srgb
      options.primaries = .bt709
    }
    try coding.apply(to: &options, transfers: [.pq, .hlg, .srgb])
    if options.transfer == .srgb || options.format.traits.isLimitedTo8Bits, !isStandard {
      let target = options.format.traits.isLimitedTo8Bits ? options.format.title : "sRGB"
      throw Failure(ImageError(.renderHDRNotStorable, ["target": target]))
    }
    options.geometry = try geometry.edit()
    options.limits = try inputs.limits()
    options.rendering = rendering
    // Only this report contains light levels that the file does not state.
    options.measuresAllLight = reporting.json
    options.gainMap = gainMap == .apply ? .full : .none
    // The mastering display does not describe rendered luminance.
    options.masteringDisplay = .none
    return options
  }
}

extension Render: FileVerb {
  var progressStyle: ProgressStyle { reporting.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String { try suffix(of: to) }

  func outputSize(of shown: (width: Int, height: Int)) throws -> (width: Int, height: Int) {
    try geometry.size(of: shown)
  }
}
