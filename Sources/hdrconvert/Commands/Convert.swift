internal import ArgumentParser
internal import Foundation
internal import HDRCore
internal import ImageCodecs

/// `hdrconvert IN -o OUT`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an ISO 22028-5 picture (PQ or HLG: HEIF, AVIF, PNG, TIFF), or linear OpenEXR.",
    discussion: """
      Light levels are measured from the pixels and written along. PQ is never tone mapped.

      examples:
        hdrconvert render.exr -o photo.avif
        hdrconvert render.exr -o photo.heic --transfer hlg --depth 10 --yuv 420
        hdrconvert render.tif --assume linear,bt2020 -o photo.png --exposure 0.5
        hdrconvert photo.avif -o exact.heic --lossless --depth 12
        hdrconvert photo.heic -o small.avif --crop 200,100,3000,2000 --resize 1500 --rotate 90
        hdrconvert IMG_0002.DNG -o photo.avif --exposure 0.5
        hdrconvert IMG_0002.DNG -o calm.avif --extended-dynamic-range 0.5 --temperature 5200
        hdrconvert IMG_0002.DNG -o scene.exr --scene-linear
        hdrconvert IMG_0001.HEIC -o small.heic --gainmap keep --resize 2048
        cat render.exr | hdrconvert - --to avif -o - > photo.avif
      """)

  @Argument(help: ArgumentHelp("The picture to read; - for standard input.", valueName: "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "out"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "heif, avif, png, tiff or exr, where the name does not tell.", valueName: "format"))
  var to: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  @Option(
    name: .customLong("gainmap"),
    help: ArgumentHelp(
      """
      A gain map of the input: apply it in full, drop it, or keep it beside its base, both cut and \
      sized alike, coded as they were; what is only turned is not coded again.
      """))
  var gainMap = GainMapChoice.apply

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

  enum GainMapChoice: String, ExpressibleByArgument, CaseIterable {
    case apply
    case keep
    case drop
  }

  enum GainMapPolicy: String, ExpressibleByArgument, CaseIterable {
    case apply
    case drop
  }

  func run() throws {
    switch gainMap {
    case .apply: try run(gainMap: .full)
    case .keep: try keepGainMap()
    case .drop: try run(gainMap: .none)
    }
  }

  /// How to open the input.
  func opening() throws -> OpeningOptions {
    var opening = try inputs.opening()
    opening.appleCurve = appleCurve.appleCurve
    return opening
  }

  /// Converts with choices that verbs beside `convert` may make.
  ///
  /// - Parameters:
  ///   - gainMap: What becomes of a gain map.
  ///   - prepare: Called with the document before it is converted.
  /// - Throws: What `prepare` throws, and whatever ends the command.
  func run(
    gainMap: ConversionOptions.GainMapUse,
    prepare: (inout PictureDocument) throws(ImageError) -> Void = { _ in }
  ) throws {
    var options = try conversionOptions()
    options.gainMap = gainMap
    let (written, byteCount) = try ConversionRun(
      input: input, output: output, mayReplace: force, options: options, opening: try opening(),
      reporting: reporting, raw: raw
    ).run(prepare: prepare)
    guard reporting.json else { return }
    try printJSON(
      ConversionReport(
        input: input, output: output, format: options.format, written: written,
        byteCount: byteCount))
  }

  private func conversionOptions() throws -> ConversionOptions {
    let encoder = EncoderOptions(
      quality: coding.quality, isLossless: coding.lossless, speed: coding.speed,
      threads: try inputs.threads())
    var options = ConversionOptions(format: try outputFormat(output, to: to), encoder: encoder)
    try coding.apply(to: &options)
    options.geometry = try geometry.edit()
    options.limits = try inputs.limits()
    try metadata.apply(to: &options)
    options.adaptation = adaptation
    return options
  }
}

/// The format that is asked for, or that the name of the output tells.
func outputFormat(_ output: String, to named: String?) throws(Failure) -> FileFormat {
  let suffix = named ?? (output as NSString).pathExtension
  guard let format = FileFormat(suffix: suffix) else {
    throw Failure(
      usage: suffix.isEmpty
        ? "say the output's format with --to" : "'\(suffix)' is no output format known here")
  }
  return format
}

/// How a command reports, the same for all.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Report as JSON on standard output.")
  var json = false

  @Option(help: "auto, bar, json or none.")
  var progress = ProgressStyle.auto

  @Flag(help: "No notices.")
  var quiet = false

  /// Refuses a report and a file on the same stream.
  func check(output: String?) throws(ValidationError) {
    guard json, output == OutputFile.standardOutput else { return }
    throw ValidationError("--json and the file cannot both go to standard output")
  }
}

extension FileFormat {
  /// The format of files with this suffix; case does not matter.
  init?(suffix: String) {
    switch suffix.lowercased() {
    case "heif", "heic", "hif", "heix": self = .heif
    case "avif": self = .avif
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "tif", "tiff": self = .tiff
    case "exr": self = .exr
    case "hdr", "pic": self = .radiance
    case "jxl": self = .jxl
    case "cr3": self = .cr3
    default: return nil
    }
  }
}
