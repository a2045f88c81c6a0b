// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ImageReports
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Arguments of `convert` and `gainmap apply`.
struct ConversionArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("Input images; - for standard input.", valueName: "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption

  @Option(
    help: ArgumentHelp(
      "Output format, if the suffix does not name it: \(FileFormat.namesOfOutputs).",
      valueName: "format"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "SMPTE ST 2094-50 metadata for displays of other headrooms.",
      valueName: "keep|none|adaptive|shoulder|reference-white", visibility: .inFull))
  var adaptation = ConversionOptions.HeadroomAdaptationUse.keep

  @Option(
    help: ArgumentHelp(
      """
      Alpha that varies: keep it, keep it premultiplied with emissive pixels (HEIF, AVIF), drop it \
      (the image is composed on black), or ignore it.
      """,
      valueName: "keep|premultiplied|drop|ignore", visibility: .inFull))
  var alpha = ConversionOptions.AlphaUse.keep

  @OptionGroup(title: "Gain map", visibility: .inFull) var appleCurve: AppleCurveOption
  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Encoding") var coding: CodingOptions
  @OptionGroup(title: "Raw input", visibility: .inFull) var raw: RAWOptions
  @OptionGroup(title: "Privacy") var privacy: PrivacyOptions
  @OptionGroup(title: "Metadata", visibility: .inFull) var keeping: KeepOption
  @OptionGroup(title: "Metadata", visibility: .inFull) var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  func validate() throws { try privacy.check(metadata) }

  /// The only input.
  var input: String { files.first ?? "" }

  /// Opens the input.
  func openInput() throws -> ImageFile {
    let opening = try opening()
    return try during(.reading, input) { () throws(ImageError) in
      try openImage(input, options: opening)
    }
  }

  /// Options for opening the input.
  func opening() throws -> OpeningOptions {
    try inputs.opening(appleCurve: appleCurve.appleCurve)
  }

  /// The format to write.
  func format() throws(Failure) -> FileFormat { try outputFormat(target.output, to: to) }

  /// Converts the input.
  ///
  /// - Parameters:
  ///   - gainMap: Use of a gain map of the input.
  ///   - file: The input, if it is open already.
  ///   - isStandard: Whether the output is SDR.
  ///   - profile: Color space of an SDR output; `nil` for that of `primaries`.
  ///   - primaries: Of an SDR output, unless `--primaries` is given; `nil` for BT.709.
  ///   - notices: Reported first.
  ///   - prepare: Called with the document before it is converted.
  /// - Throws: Errors of `prepare`, and the failure that ends the command.
  func run(
    gainMap: ConversionOptions.GainMapUse, of file: ImageFile? = nil, isStandard: Bool = false,
    profile: OutputProfile? = nil, primaries: ColorPrimaries? = nil, notices: [Notice] = [],
    prepare: (inout SourceImage) throws(ImageError) -> Void = { _ in }
  ) throws {
    var options = try conversionOptions(isStandard: isStandard)
    options.gainMap = gainMap
    if let primaries, coding.primaries == nil { options.primaries = primaries }
    if let profile {
      options.profile = profile
      if options.depth == nil, options.format.traits.standardDepths.all.contains(16) {
        options.depth = 16
      }
    }
    let (written, byteCount) = try ConversionRun(
      input: input, output: target.output, mayReplace: target.force, options: options,
      opening: try opening(), reporting: reporting, privacy: privacy,
      givesQuality: coding.quality != nil, mayEnlarge: geometry.enlarge, raw: raw, file: file,
      notices: notices
    ).run(prepare: prepare)
    guard reporting.json else { return }
    let report = ConversionReport(
      input: input, output: target.output, format: options.format, written: written,
      byteCount: byteCount)
    try JSONReport(inputs: [input], results: [report]).print()
  }

  /// An option that sets the color of the output, if one is given.
  var optionOfColor: String? {
    let given: [(name: String, isGiven: Bool)] = [
      ("--transfer", coding.transfer != nil), ("--primaries", coding.primaries != nil),
      ("--cicp", coding.cicp != nil), ("--signal", coding.signal != nil),
      ("--icc", metadata.icc != nil),
    ]
    return given.first { $0.isGiven }?.name
  }

  private func conversionOptions(isStandard: Bool) throws -> ConversionOptions {
    let format = try format()
    var options = ConversionOptions(format: format, encoder: coding.encoder(for: format))
    if isStandard { options.renderForStandardDisplays() }
    try coding.apply(to: &options, transfers: isStandard ? [.srgb] : [.pq, .hlg])
    options.geometry = try geometry.edit()
    options.limits = try inputs.limits()
    try metadata.apply(to: &options)
    options.keepsMakerNotes = keeping.keepsMakerNotes
    options.headroomAdaptation = adaptation
    options.alpha = alpha
    if isStandard { options.masteringDisplay = .none }
    return options
  }
}

extension ConversionOptions {
  /// Chooses SDR: sRGB, or linear values up to 1.0 in OpenEXR.
  mutating func renderForStandardDisplays() {
    rendering = RenderingOptions(
      display: DisplayTarget(headroom: .unlimited, range: DynamicRange.Mix(.standard)),
      method: nil)
    guard !format.traits.storesLinearValues else { return }
    (transfer, primaries) = (.srgb, .bt709)
  }
}
