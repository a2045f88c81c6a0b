// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert remux IN -o OUT`.
struct Remux: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remux",
    abstract:
      "Write a gain map in other flavors, rotate, or transcode JPEG, without loss.",
    discussion: """
      Flavors are iso (ISO 21496-1), xmp (Adobe and Ultra HDR) and apple. Parameters that a flavor \
      cannot store exactly are approximated, and a notice states the maximum error; with --exact, \
      the gain map is re-encoded instead. Containers of another codec require --allow-reencode.

      --rotate and --flip apply to the gain map, mattes and thumbnails as well: HEIF and AVIF use \
      irot and imir, JPEG XL the header of the codestream; JPEG coefficients are rotated without \
      loss, or the Exif orientation is set if the image does not consist of whole blocks.

      JPEG files are transcoded to JPEG XL, with their gain map, so that the exact file can be \
      reconstructed, which is verified; JPEG XL files made this way are transcoded back.

      examples:
        hdrconvert remux IMG_0001.HEIC -o iso.heic --flavors iso,apple
        hdrconvert remux photo.jpg -o photo.jxl
        hdrconvert remux pixel.jpg -o both.jpg --flavors iso,xmp --verbose
        hdrconvert remux IMG_0001.HEIC -o exact.heic --flavors iso --exact
        hdrconvert remux IMG_0001.HEIC -o web.avif --flavors iso \\
          --allow-reencode
        hdrconvert remux IMG_0001.HEIC -o rotated.heic --rotate 90
        hdrconvert remux *.jpg --out-dir both --flavors iso,xmp
      """)

  @OptionGroup var files: RewritingOptions

  @Option(help: ArgumentHelp("Flavors of the gain map metadata.", valueName: "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup(title: "Geometry") var rotation: RotationOptions

  @Flag(help: "Re-encode the gain map if a flavor cannot store its parameters exactly.")
  var exact = false

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions
  @OptionGroup(title: "Gain map", visibility: .inFull) var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportOptions

  func validate() throws {
    try checkFiles()
    let isTranscoding = flavors == nil && rotation.orientation == .upright && mayTranscode
    guard flavors != nil || rotation.orientation != .upright || isTranscoding else {
      if !recoding.allowReencode { try checkFormats() }
      throw ValidationError(
        recoding.allowReencode
          ? "--allow-reencode requires --flavors; without it, use convert with --gainmap keep"
          : "nothing to change; give --flavors, --rotate or --flip")
    }
    guard !exact && !recoding.allowReencode || flavors != nil && rotation.orientation == .upright
    else {
      throw ValidationError(
        "--exact and --allow-reencode require --flavors and exclude --rotate and --flip; to write "
          + "another format, use convert with --gainmap keep")
    }
    let mayGiveSpeed = exact || isTranscoding || recoding.speed == nil
    guard recoding.allowReencode || !recoding.givesQuality && mayGiveSpeed else {
      throw ValidationError(
        "--quality, --gainmap-quality and --speed require --allow-reencode")
    }
  }

  func run() throws { try runFiles() }

  func processInput() throws {
    if flavors == nil, rotation.orientation == .upright { return try transcode() }
    guard let flavors, exact || recoding.allowReencode else {
      return try files.run(
        try inputs.opening(appleCurve: gainMap.appleCurve), reporting,
        needsGainMap: self.flavors != nil, otherwise: codingAgain,
        remedy: { exactRemedy(against: $0, in: $1) }
      ) { file throws(ImageError) in
        try requireDecodableGainMap(of: file)
        if let flavors = self.flavors, rotation.orientation == .upright {
          return try file.describingGainMap(in: flavors.all)
        }
        return try file.rotating(
          by: rotation.orientation, describingGainMapIn: self.flavors?.all
        ) { image, orientation throws(ImageError) in
          try JPEGRotation.rotated(image, by: orientation, limits: file.options.limits)
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
    if !recoding.allowReencode {
      try files.checkFormat(of: file, needsGainMap: true, otherwise: codingAgain)
    }
    let progress = try Progress.encoding(
      file, files.input, as: options.format, options.base, files.many.progress.style)
    defer { progress.finish() }
    var result = try during(.reading, files.input, remedy: { exactRemedy(against: $0, in: file) }) {
      () throws(ImageError) in try GainMapTranscoder(file, options).transcoded()
    }
    if recoding.givesQuality, result.reencodedPayloads.isEmpty {
      result.notices.append(.nothingCoded)
    }
    try files.target.write(result, from: [files.input], reporting, progress)
  }
}

extension Remux: RearrangingVerb {
  /// Re-encoding and transcoding show progress for one input as well.
  var progressOption: ProgressOption? { nil }
  var keepsCodedImages: Bool { !recoding.allowReencode && !exact }
}

extension Remux {
  /// Whether the output is a JPEG or JPEG XL file, to which the other is transcoded without loss.
  private var mayTranscode: Bool {
    let suffix = (try? files.many.to.map(suffix)) ?? files.target.output.fileSuffix
    guard let output = FileFormat(suffix: suffix), output.traits.losslessCounterpart != nil else {
      return false
    }
    return FileFormat(suffix: files.input.fileSuffix) != output
  }

  /// Refuses another format of the output, which requires a conversion.
  private func checkFormats() throws(Failure) {
    let output = (try? files.many.to.map(suffix)) ?? files.target.output.fileSuffix
    guard let target = FileFormat(suffix: output),
      let source = FileFormat(suffix: files.input.fileSuffix), source != target
    else { return }
    try during(.reading, files.input) { () throws(ImageError) in
      try JPEGTranscoder.check(source, to: target)
    }
  }

  /// Transcodes JPEG to JPEG XL, or back.
  private func transcode() throws {
    try files.target.check(reporting)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    let file = try during(.reading, files.input) { () throws(ImageError) in
      try openImage(files.input, options: opening)
    }
    guard let format = FileFormat(suffix: files.target.output.fileSuffix), format != file.format
    else { throw ValidationError("nothing to change; give --flavors, --rotate or --flip") }
    let encoder = EncoderOptions(quality: 100, speed: recoding.speed ?? format.traits.usualSpeed)
    let progress = try Progress.encoding(
      file, files.input, as: format, encoder, files.many.progress.style)
    defer { progress.finish() }
    let result = try during(.reading, files.input) { () throws(ImageError) in
      try JPEGTranscoder(speed: encoder.speed).transcoded(file, to: format)
    }
    try files.target.write(result, from: [files.input], reporting, progress)
  }

  /// The remedy that uses `--exact`, which excludes a rotation in the same step.
  private func exactRemedy(against error: ImageError, in file: ImageFile) -> String? {
    error.exactRemedy(
      by: rotation.orientation == .upright
        ? .option : .remux(after: "rotate it", into: files.target.output), flavors,
      for: (try? file.gainMaps())?.applicable)
  }

  /// Refuses a gain map that is not copied as an image, since it cannot be decoded.
  private func requireDecodableGainMap(of file: ImageFile) throws(ImageError) {
    guard try file.gainMaps().applicable != nil else { return }
    do throws(ImageError) {
      _ = try SourceImage.open(file).requireGainMap()
    } catch  where error.category == .missingCodec {
      // Copied as in other builds.
    }
  }

  /// The option that allows this output, if there is one.
  private var codingAgain: String? {
    let format = FileFormat(suffix: files.target.output.fileSuffix)
    guard flavors != nil, rotation.orientation == .upright,
      format?.traits.gainMapCodec != nil
    else { return nil }
    return "add --allow-reencode"
  }
}

/// Flavors by their names, separated by commas.
struct FlavorList: ExpressibleByArgument {
  let all: Set<GainMapFlavor>

  /// The names, separated by commas.
  var text: String { all.map(\.rawValue).sorted().joined(separator: ",") }

  init?(argument: String) {
    let flavors = argument.lowercased().split(separator: ",")
      .map { GainMapFlavor(rawValue: String($0)) }
    guard !flavors.isEmpty, !flavors.contains(nil) else { return nil }
    all = Set(flavors.compactMap { $0 })
  }

  static var defaultCompletionKind: CompletionKind {
    .list(GainMapFlavor.allCases.map(\.rawValue) + ["iso,xmp", "iso,apple"])
  }
}

/// Curve of Apple gain maps.
struct AppleCurveOption: ParsableArguments {
  @Option(help: "Curve of Apple gain map samples, which files do not specify: srgb or bt709.")
  var appleCurve = GainMapMetadata.AppleCurve.srgb
}

/// Output and reports of verbs that keep coded images.
struct RewrittenOutput: ParsableArguments {
  @OptionGroup var target: OutputOptions
  @OptionGroup var privacy: PrivacyOptions

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp("Show the SHA-256 of coded images.", visibility: .inFull))
  var verbose = false

  var output: String { target.output }

  /// Fails early if the file must not be written.
  func check(_ reporting: ReportOptions) throws {
    try reporting.check(output: output)
    try target.file.ensureWritable()
  }

  /// Writes and reports.
  func write(
    _ result: RewrittenFile, from inputs: [String], _ reporting: ReportOptions,
    _ progress: Progress? = nil
  ) throws {
    try target.write(
      result, from: inputs, privacy, reporting, isVerbose: verbose, progress: progress)
  }
}

extension OutputOptions {
  /// Writes a file whose gain map or orientation changed, and reports.
  ///
  /// - Parameters:
  ///   - result: The file.
  ///   - inputs: Names of the inputs, that of the baseline image first.
  ///   - privacy: Metadata to leave out.
  ///   - reporting: Form of the report.
  ///   - isVerbose: Whether people get the digests of coded images.
  ///   - progress: Completed when the file is written.
  /// - Throws: The failure that ends the command.
  func write(
    _ result: RewrittenFile, from inputs: [String], _ privacy: PrivacyOptions,
    _ reporting: ReportOptions, isVerbose: Bool, progress: Progress? = nil
  ) throws {
    let input = inputs[0]
    var result = result
    let (edited, notices) = try during(.reading, input) { () throws(ImageError) in
      try privacy.apply(to: result.file)
    }
    result.notices += notices
    let size = try during(.writing, output) { () throws(ImageError) in
      try file.write { sink throws(ImageError) in
        try sink.append(edited?.bytes ?? result.bytes)
      }
    }
    progress?.complete()
    Console.report(result.notices, isQuiet: reporting.quiet)
    // The digests are of all coded data.
    guard reporting.json || isVerbose else { return }
    let report = try during(.reading, input) { () throws(ImageError) in
      try RewritingReport(input: input, output: output, bytes: size, result)
    }
    guard !reporting.json else {
      return try JSONReport(inputs: inputs, results: [report]).print()
    }
    Console.add(report.lines)
  }
}

/// Input and output of verbs that keep coded images.
struct RewritingOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Input files; - for standard input.", valueName: "in"))
  var files: [String] = []

  @OptionGroup var target: RewrittenOutput
  @OptionGroup(title: "Many inputs") var many: RearrangedOutputs

  /// The only input.
  var input: String { files.first ?? "" }

  /// Reads, edits, writes and reports.
  ///
  /// - Parameters:
  ///   - opening: Options for opening the file.
  ///   - reporting: Form of the report.
  ///   - needsGainMap: Whether files without a gain map are refused.
  ///   - otherwise: A further remedy if the output stores images of another codec.
  ///   - remedy: A remedy against an error that is better than that of the tables; `nil` for none.
  ///   - rearrange: Makes the new file.
  /// - Throws: The failure that ends the command.
  func run(
    _ opening: OpeningOptions, _ reporting: ReportOptions, needsGainMap: Bool,
    otherwise: String? = nil,
    remedy: (ImageError, ImageFile) -> String? = { _, _ in nil },
    _ rearrange: (ImageFile) throws(ImageError) -> RewrittenFile
  ) throws {
    try target.check(reporting)
    let file = try during(.reading, input) { () throws(ImageError) in
      try openImage(input, options: opening)
    }
    try checkFormat(of: file, needsGainMap: needsGainMap, otherwise: otherwise)
    let result = try during(.reading, input, remedy: { remedy($0, file) }) {
      () throws(ImageError) in try rearrange(file)
    }
    try target.write(result, from: [input], reporting)
  }

  /// Refuses an output that stores images of another codec.
  func checkFormat(
    of file: ImageFile, needsGainMap: Bool, otherwise: String? = nil
  ) throws {
    guard let wanted = FileFormat(suffix: target.output.fileSuffix), wanted != file.format,
      let codec = try? file.stillCodec, !codec.isHeld(by: wanted),
      // Without a gain map, another error tells what is missing.
      !needsGainMap || (try? file.gainMaps())?.maps.isEmpty == false
    else { return }
    throw Failure(
      storing: "this baseline image", coded: codec, in: input, to: wanted,
      remedy: (["give the output the suffix .\(codec.suffix)"] + [otherwise].compactMap { $0 })
        .joined(separator: ", or "))
  }
}
