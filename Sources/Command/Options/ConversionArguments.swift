// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

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
