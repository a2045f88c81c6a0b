internal import ArgumentParser
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// What `convert` and `gainmap apply` take alike.
struct ConversionArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("The picture to read; - for standard input.", valueName: "in"))
  var input: String

  @OptionGroup var target: OutputOptions

  @Option(
    help: ArgumentHelp(
      "heif, avif, png, tiff or exr, where the name does not tell.", valueName: "format"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      """
      SMPTE ST 2094-50 metadata, in an ICC profile and in the bitstream of HEIF and AVIF: how \
      displays of other headrooms shall show the picture.
      """, valueName: "keep|none|shoulder|reference-white"))
  var adaptation = ConversionOptions.AdaptationUse.keep

  @OptionGroup var appleCurve: AppleCurveOption
  @OptionGroup(title: "Geometry") var geometry: GeometryOptions
  @OptionGroup(title: "Coding") var coding: CodingOptions
  @OptionGroup(title: "Raw input") var raw: RAWOptions
  @OptionGroup(title: "Metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  /// Opens the input.
  func openInput() throws -> ImageFile {
    let opening = try opening()
    return try during(.reading, input) { () throws(ImageError) in
      try openImage(input, options: opening)
    }
  }

  /// How to open the input.
  func opening() throws -> OpeningOptions {
    try inputs.opening(appleCurve: appleCurve.appleCurve)
  }

  /// The format to write.
  func format() throws(Failure) -> FileFormat { try outputFormat(target.output, to: to) }

  /// Converts, with choices that each verb makes.
  ///
  /// - Parameters:
  ///   - gainMap: What becomes of a gain map.
  ///   - file: The input, where it is open already.
  ///   - prepare: Called with the document before it is converted.
  /// - Throws: What `prepare` throws, and whatever ends the command.
  func run(
    gainMap: ConversionOptions.GainMapUse, of file: ImageFile? = nil,
    prepare: (inout SourceImage) throws(ImageError) -> Void = { _ in }
  ) throws {
    var options = try conversionOptions()
    options.gainMap = gainMap
    let (written, byteCount) = try ConversionRun(
      input: input, output: target.output, mayReplace: target.force, options: options,
      opening: try opening(),
      reporting: reporting, raw: raw, file: file
    ).run(prepare: prepare)
    guard reporting.json else { return }
    try printJSON(
      ConversionReport(
        input: input, output: target.output, format: options.format, written: written,
        byteCount: byteCount))
  }

  private func conversionOptions() throws -> ConversionOptions {
    let encoder = coding.encoder()
    var options = ConversionOptions(format: try format(), encoder: encoder)
    try coding.apply(to: &options)
    options.geometry = try geometry.edit()
    options.limits = try inputs.limits()
    try metadata.apply(to: &options)
    options.adaptation = adaptation
    return options
  }
}
