// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Arguments of `convert` and `gainmap apply`.
struct ConversionArguments: ParsableArguments {
  @Argument(help: .text("Input images; - for standard input.", "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption

  @Option(
    help: .text(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfOutputs).", "format"))
  var to: String?

  @Option(
    help: .full(
      """
      Alpha that varies: keep it (default), keep it premultiplied with emissive pixels (HEIF, AVIF), drop it \
      (the image is composed on black), or ignore it.
      """, "keep|premultiplied|drop|ignore"))
  var alpha: ConversionRequest.Coding.Alpha?

  @OptionGroup var given: RequestOption

  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Encoding") var coding: CodingOptions
  @OptionGroup(title: "Raw input") var raw: RAWOption
  @OptionGroup(title: "Metadata") var strip: StripOption
  @OptionGroup(title: "Metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  /// The request of these options, on top of that of `--request`.
  func request() throws -> ConversionRequest {
    var request = try given.request(limits: try inputs.costs.limits())
    coding.apply(to: &request)
    try geometry.apply(to: &request.geometry)
    try raw.apply(to: &request)
    try metadata.apply(to: &request, coding)
    try strip.apply(to: &request.metadata)
    try inputs.apply(to: &request.input)
    if let alpha { request.coding.alpha = alpha }
    try request.setFormat(to, target)
    return request
  }
}
