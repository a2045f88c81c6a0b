internal import ArgumentParser
internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert remux IN -o OUT`.
struct Remux: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Describe a gain map in other flavors, or turn a picture; coded data stay as they are.",
    discussion: """
      Flavors are iso (ISO 21496-1), xmp (Adobe and Ultra HDR) and apple. Where the curves of two \
      flavors differ, parameters are fitted, and a notice says how far off they are at most; --exact \
      codes the map again instead, and nothing else. Into a container of another codec pictures go \
      with --allow-reencode only.

      --rotate and --flip turn the picture as it is shown, with its gain map, mattes and thumbnails:
      HEIF and AVIF by irot and imir, JPEG without loss in its coefficients, or where sides are not \
      made of whole blocks by the orientation in its Exif, which hdrconvert tag --orientation always \
      does.

      examples:
        hdrconvert remux IMG_0001.HEIC -o iso.heic --flavors iso,apple
        hdrconvert remux pixel.jpg -o both.jpg --flavors iso,xmp --verbose
        hdrconvert remux IMG_0001.HEIC -o exact.heic --flavors iso --exact
        hdrconvert remux IMG_0001.HEIC -o web.avif --flavors iso --allow-reencode
        hdrconvert remux IMG_0001.HEIC -o turned.heic --rotate 90
      """)

  @OptionGroup var files: RearrangingOptions

  @Option(help: ArgumentHelp("What the file shall have.", valueName: "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup(title: "Geometry") var turn: TurnOptions

  @Flag(help: "Code the map again where a flavor has no words for its curve.")
  var exact = false

  @OptionGroup(title: "Coding again") var recoding: RecodingOptions
  @OptionGroup(title: "Gain map") var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func validate() throws {
    guard flavors != nil || turn.orientation != .upright else {
      throw ValidationError("say what to change: --flavors, --rotate or --flip")
    }
    guard !exact && !recoding.allowReencode || flavors != nil && turn.orientation == .upright else {
      throw ValidationError(
        "--exact and --allow-reencode go with --flavors only; turn the outcome in a second step")
    }
    guard recoding.allowReencode || !recoding.saysQuality && (exact || recoding.speed == nil) else {
      throw ValidationError(
        "--quality, --gainmap-quality and --speed are for pictures that are coded again, which "
          + "--allow-reencode allows")
    }
  }

  func run() throws {
    guard let flavors, exact || recoding.allowReencode else {
      return try files.run(
        try inputs.opening(appleCurve: gainMap.appleCurve), reporting, verb: "remux",
        otherwise: codingAgain, remedy: { exactRemedy(against: $0, in: $1) }
      ) { file throws(ImageError) in
        if let flavors = self.flavors, turn.orientation == .upright {
          return try file.describingGainMap(in: flavors.all)
        }
        return try file.turning(
          by: turn.orientation, describingGainMapIn: self.flavors?.all
        ) { image, orientation throws(ImageError) in
          try JPEGTurning.turned(image, by: orientation, limits: file.options.limits)
        }
      }
    }
    try files.target.check(reporting)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    var options = try recoding.options(for: files.target.output)
    (options.flavors, options.isExact) = (flavors.all, exact)
    let file = try during(.reading, files.input) { () throws(ImageError) in
      try openImage(files.input, options: opening)
    }
    if !recoding.allowReencode { try files.checkKind(of: file, otherwise: codingAgain) }
    var result = try during(.reading, files.input, remedy: { exactRemedy(against: $0, in: file) }) {
      () throws(ImageError) in try GainMapTranscoder(file, options).transcoded()
    }
    if recoding.saysQuality, result.codedAnew.isEmpty { result.notices.append(.nothingCoded) }
    try files.target.write(result, from: files.input, verb: "remux", reporting)
  }
}

extension Remux {
  /// The way to an exact gain map with `--exact`, which excludes a rotation in the same step.
  private func exactRemedy(against error: ImageError, in file: ImageFile) -> String? {
    error.exactRemedy(
      by: turn.orientation == .upright
        ? .option : .remux(after: "rotate it", into: files.target.output), flavors,
      for: (try? file.gainMaps())?.applicable)
  }

  /// What brings a picture with its map into the output, if anything does.
  private var codingAgain: String? {
    let format = FileFormat(suffix: (files.target.output as NSString).pathExtension)
    guard flavors != nil, turn.orientation == .upright,
      format?.traits.gainMapCodec != nil
    else { return nil }
    return "add --allow-reencode"
  }
}

/// Flavors by their names, with commas between.
struct FlavorList: ExpressibleByArgument {
  let all: Set<GainMapFlavor>

  /// As options have it.
  var text: String { all.map(\.rawValue).sorted().joined(separator: ",") }

  init?(argument: String) {
    let flavors = argument.split(separator: ",").map { GainMapFlavor(rawValue: String($0)) }
    guard !flavors.isEmpty, !flavors.contains(nil) else { return nil }
    all = Set(flavors.compactMap { $0 })
  }
}

/// How to read Apple's maps.
struct AppleCurveOption: ParsableArguments {
  @Option(help: "Curve of the samples of Apple's maps, which no file says: srgb or bt709.")
  var appleCurve = AppleGainMap.Curve.srgb
}

/// Where a rearranged file goes, and what is said about it.
struct RearrangedOutput: ParsableArguments {
  @OptionGroup var target: OutputOptions

  @Flag(name: .shortAndLong, help: "Show that coded data did not change.")
  var verbose = false

  var output: String { target.output }

  /// Fails early if the file must not be written.
  func check(_ reporting: ReportOptions) throws {
    try reporting.check(output: output)
    try target.file.ensureWritable()
  }

  /// Writes and reports.
  func write(
    _ result: RearrangedFile, from input: String, verb: String, _ reporting: ReportOptions
  ) throws {
    let size = try during(.writing, output) { () throws(ImageError) in
      try target.file.write { sink throws(ImageError) in try sink.append(result.bytes) }
    }
    if !reporting.quiet { Console.report(result.notices) }
    let report = try during(.reading, input) { () throws(ImageError) in
      try RearrangingReport(verb: verb, input: input, output: output, bytes: size, result)
    }
    guard !reporting.json else { return try printJSON(report) }
    if verbose { Console.add(report.lines) }
  }
}

/// From one file to another of the same kind, with the coded pictures as they are.
struct RearrangingOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "in"))
  var input: String

  @OptionGroup var target: RearrangedOutput

  /// Reads, rearranges, writes and reports.
  ///
  /// - Parameters:
  ///   - opening: How to open the file.
  ///   - reporting: What to say.
  ///   - verb: For the report.
  ///   - otherwise: What helps where the output holds other coded pictures, beside another suffix.
  ///   - remedy: What helps against an error in a file, if the verb knows better than the tables.
  ///   - rearrange: Makes the file.
  /// - Throws: Whatever ends the command.
  func run(
    _ opening: OpeningOptions, _ reporting: ReportOptions, verb: String, otherwise: String? = nil,
    remedy: (ImageError, ImageFile) -> String? = { _, _ in nil },
    _ rearrange: (ImageFile) throws(ImageError) -> RearrangedFile
  ) throws {
    try target.check(reporting)
    let file = try during(.reading, input) { () throws(ImageError) in
      try openImage(input, options: opening)
    }
    try checkKind(of: file, otherwise: otherwise)
    let result = try during(.reading, input, remedy: { remedy($0, file) }) {
      () throws(ImageError) in try rearrange(file)
    }
    try target.write(result, from: input, verb: verb, reporting)
  }

  /// Coded pictures cannot move into a container of another codec.
  func checkKind(of file: ImageFile, otherwise: String? = nil) throws {
    let name = target.output as NSString
    guard let wanted = FileFormat(suffix: name.pathExtension), wanted != file.format,
      let codec = try? file.stillCodec, !codec.isHeld(by: wanted)
    else { return }
    throw Failure(
      moving: "this base picture", coded: codec, in: input, to: wanted,
      remedy: (["give the output the suffix .\(codec.suffix)"] + [otherwise].compactMap { $0 })
        .joined(separator: ", or "))
  }
}
