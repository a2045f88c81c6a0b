internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// `hdrconvert render IN -o OUT`.
struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make what a display of a given headroom shows.",
    discussion: """
      A gain map is applied as far as the display can; without one, light is tone mapped. Without \
      headroom the output is sRGB (8 bits, dithered), otherwise PQ. Headroom is peak over reference \
      white: a ratio (4x or 4), stops (2st), a peak for reference white at 203 cd/m² (812nit), or \
      full.

      examples:
        hdrconvert render photo.avif --level standard -o sdr.jpg
        hdrconvert render photo.avif --headroom 2.5x -o laptop.png
        hdrconvert render photo.heic --display phone -o phone.avif --explain
        hdrconvert render photo.heic --level standard --primaries p3 -o sdr.heic
        hdrconvert render photo.heic --level standard --resize 1600 -o small.jpg
        hdrconvert render IMG_0002.DNG --level standard -o sdr.jpg
        hdrconvert render --display list
      """)

  @Argument(help: ArgumentHelp("The picture to read; - for standard input.", valueName: "in"))
  var input: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "out"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "heif, avif, png, jpeg, tiff or exr, where the name does not tell.", valueName: "format"))
  var to: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup(title: "Display") var display: DisplayOptions

  @Option(
    name: .customLong("gainmap"),
    help: ArgumentHelp("A gain map of the input: apply it, or drop it and render the base."))
  var gainMap = Convert.GainMapPolicy.apply

  @Flag(help: "Say what was done: headrooms, operator, pixels changed and clipped.")
  var explain = false

  @OptionGroup var appleCurve: AppleCurveOption
  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Coding") var coding: CodingOptions
  @OptionGroup(title: "Raw input") var raw: RAWOptions
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func run() throws {
    if display.wantsList {
      guard input == nil, output == nil else {
        throw Failure(
          usage: "--display list shows no picture", remedy: "--display with a name from that list")
      }
      return try listDisplays()
    }
    guard let input else { throw Failure(usage: "which picture shall be rendered?") }
    guard let output else { throw Failure(usage: "say with -o where the rendition goes") }
    let options = try conversionOptions(output: output)
    let (written, byteCount) = try ConversionRun(
      input: input, output: output, mayReplace: force, options: options,
      opening: try inputs.opening(appleCurve: appleCurve.appleCurve), reporting: reporting, raw: raw
    ).run()
    guard let rendering = written.rendering else { return }
    if explain { RenderingText(rendering).lines.forEach { Console.note($0) } }
    guard reporting.json else { return }
    try printJSON(
      RenderReport(
        ConversionReport(
          input: input, output: output, format: options.format, written: written,
          byteCount: byteCount),
        rendering))
  }

  private func listDisplays() throws {
    guard !reporting.json else { return try printJSON(DisplayList()) }
    DisplayList.lines.forEach { Console.print($0) }
  }

  private func conversionOptions(output: String) throws -> ConversionOptions {
    let encoder = coding.encoder()
    let rendering = try display.renderingOptions()
    let isStandard = rendering.display.usableHeadroom == .standard
    var options = ConversionOptions(
      format: try outputFormat(output, to: to), encoder: encoder)
    if isStandard, !options.format.traits.holdsLight {
      options.transfer = .srgb
      options.primaries = .bt709
    }
    try coding.apply(to: &options, transfers: [.pq, .hlg, .srgb])
    if options.transfer == .srgb || options.format.traits.isLimitedTo8Bits, !isStandard {
      throw Failure(
        usage: options.format.traits.isLimitedTo8Bits
          ? "JPEG holds nothing above reference white"
          : "sRGB holds nothing above reference white",
        remedy: "--level standard, or write PQ to .avif, .heic or .png")
    }
    options.geometry = try geometry.edit()
    options.limits = try inputs.limits()
    options.rendering = rendering
    // Only this report tells light levels beyond what the file states.
    options.measuresAllLight = reporting.json
    options.gainMap = gainMap == .apply ? .full : .none
    // The light is no longer that of the mastering display.
    options.masteringDisplay = .none
    return options
  }
}
