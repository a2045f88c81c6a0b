// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import Platform

/// A verb that writes an output for each of its inputs.
protocol BatchVerb: InputVerb {
  /// The output as it was given, and whether outputs that exist are replaced.
  var target: OutputOptions { get set }
  /// The SDR image that belongs to a raw file.
  var companionPath: String? { get set }
  /// The outputs of each input, of which other verbs have one.
  var variants: [OutputVariant] { get }
  /// Whether the HTML element for the outputs is printed.
  var printsHTML: Bool { get }
  /// Values of the option for the development of raw files.
  var rawKeys: [String] { get set }

  var batch: BatchOptions { get }
  /// Whether inputs are listed with their outputs and nothing is done.
  var listsOutputs: Bool { get }
  /// Whether raw files and processed images of the same name belong together.
  var pairsInputs: Bool { get }
  /// Whether the inputs are replaced if neither `--output` nor `--out-dir` is given.
  var isInPlace: Bool { get }
  var progressStyle: ProgressStyle { get }
  /// The option of a verb that shows progress only for many inputs.
  var progressOption: ProgressOption? { get }
  /// Whether coded images are copied, so that no samples are in memory.
  var keepsCodedImages: Bool { get }
  var wantsJSON: Bool { get }
  var isQuiet: Bool { get }

  /// The verb for one of the outputs of an input.
  func making(_ variant: OutputVariant) -> Self

  /// The suffix of the output of an input.
  ///
  /// - Throws: The failure that ends the command; `ImageError` for one that ends this input.
  func outputSuffix(of input: String) throws -> String

  /// The size of the output of an upright image with this size.
  ///
  /// - Throws: `ImageError` if the size is not possible.
  func outputSize(of shown: (width: Int, height: Int)) throws -> (width: Int, height: Int)

  /// The plan for the only input; `nil` for verbs without one.
  ///
  /// - Throws: The failure of this input.
  func outputPlan() throws -> ConversionPlan?
}

extension BatchVerb {
  var companionPath: String? {
    get { nil }
    set {}
  }

  var rawKeys: [String] {
    get { [] }
    set {}
  }

  var variants: [OutputVariant] { [OutputVariant()] }
  var printsHTML: Bool { false }
  func making(_ variant: OutputVariant) -> Self { self }

  var progressOption: ProgressOption? { nil }
  var keepsCodedImages: Bool { false }
  var writesNothing: Bool { false }
  var pairsInputs: Bool { false }
  var isInPlace: Bool { false }

  func outputPlan() throws -> ConversionPlan? { nil }
  func outputSuffix(of input: String) throws -> String { input.fileSuffix }

  func outputSize(of shown: (width: Int, height: Int)) throws -> (width: Int, height: Int) { shown }

  /// Bytes of memory for a pixel, by estimate.
  ///
  /// Measured peaks of the budget: AVIF and HEIF 58, with a computed gain map 75; JPEG with one 26; PNG
  /// 12.
  func bytesPerPixel(of output: String) -> Int {
    guard !keepsCodedImages else { return 8 }
    return FileFormat(suffix: output.fileSuffix)?.traits.isVideoCoded == true ? 80 : 32
  }

  var runsInputsAlone: Bool { isBatch && !listsOneOutput }

  /// Whether the command has many inputs or options for them.
  var isBatch: Bool {
    batch.isGiven || inputPaths.count > 1 || listsOutputs || pairsInputs || makesSet
  }

  /// Whether each input has several outputs, or they are listed as HTML.
  var makesSet: Bool { variants.count > 1 || printsHTML }

  /// Whether there can be more than one input.
  var hasManyInputs: Bool { inputPaths.count > 1 || batch.recursive || batch.filesFrom != nil }

  /// The verb for one of its inputs; options for raw files are for those of several inputs.
  func alone(_ input: Job.Input) -> Self {
    var single = input.variant.map(making) ?? self
    single.inputPaths = [input.path]
    if hasManyInputs, !InputList.isRaw(input.path) { single.rawKeys = [] }
    (single.target.given, single.target.force) = (input.output, input.mayReplace)
    if let companion = input.companion { single.companionPath = companion }
    return single
  }

  /// Whether a given output is listed, and not written.
  var listsOneOutput: Bool {
    listsOutputs && target.given != nil && !batch.isGiven && inputPaths.count == 1 && !pairsInputs
      && !makesSet
  }

  /// Takes the second of two files as the output, as in avifenc, cjxl and vips.
  ///
  /// - Parameter format: The format that `--to` names.
  mutating func takeOutput(to format: String?) {
    guard inputPaths.count == 2, isOutput(inputPaths.last, to: format) else { return }
    target.given = inputPaths.removeLast()
  }

  /// Whether the last of several files is the output: its suffix is that of a format, and it does not exist, or may
  /// be replaced.
  func isOutput(_ last: String?, to format: String?) -> Bool {
    guard let last, target.given == nil, format == nil, batch.outDir == nil, batch.name == nil,
      !batch.recursive, batch.filesFrom == nil,
      FileFormat(suffix: last.fileSuffix)?.isWritten == true
    else { return false }
    // With the image of the camera, a second file that exists is that image.
    return FileIdentity(last) == nil || target.force && !pairsInputs
  }

  /// Refuses inputs and outputs that do not fit together.
  func checkFiles() throws {
    guard isBatch, !listsOneOutput else {
      guard progressOption?.progress == nil else {
        throw ValidationError("--progress is for many inputs")
      }
      guard !inputPaths.isEmpty else { throw ValidationError("missing argument: <in>") }
      if !isInPlace { try target.checkIsGiven() }
      return
    }
    try checkOutput()
    guard !inputPaths.isEmpty || batch.filesFrom != nil else {
      throw ValidationError("missing argument: <in>")
    }
    guard !inputPaths.contains(OutputFile.standardOutput) || !hasManyInputs && !makesSet else {
      throw ValidationError(
        hasManyInputs
          ? "standard input cannot be one of several inputs"
          : "standard input makes one file; save it for several sizes or formats")
    }
    guard !printsHTML || !wantsJSON else {
      throw ValidationError("--html and --json cannot both go to standard output")
    }
    guard target.given != nil || batch.outDir != nil || batch.name != nil || isInPlace else {
      guard hasManyInputs || makesSet else { return try target.checkIsGiven() }
      guard hasManyInputs else {
        throw ValidationError("several sizes or formats require --out-dir or --name")
      }
      throw Failure(
        ImageError(.invalidArgument, "several inputs require --out-dir or --name"),
        remedy: remedyForOutput)
    }
  }

  /// Refuses a given output with options that name outputs, and with several inputs.
  private func checkOutput() throws(ValidationError) {
    guard let output = target.given else { return }
    if let option = batch.outDir != nil ? "--out-dir" : batch.name != nil ? "--name" : nil {
      throw ValidationError("--output and \(option) both name the output; give one of them")
    }
    guard !hasManyInputs else {
      throw ValidationError("--output is for one input; for several, give --out-dir instead")
    }
    guard !makesSet else {
      throw ValidationError(
        "--output names one file; for several sizes or formats, give --out-dir instead")
    }
    guard output != OutputFile.standardOutput || batch.resume == nil else {
      throw ValidationError("--resume records files; give --output a name")
    }
  }

  /// The remedy for several inputs, the last of which may be meant as the output of the first.
  private var remedyForOutput: String {
    guard inputPaths.count == 2, let last = inputPaths.last,
      FileFormat(suffix: last.fileSuffix)?.isWritten == true
    else { return "add --out-dir, or --name" }
    guard FileIdentity(last) == nil else {
      return "add --out-dir, or to replace the second file, -o \(last.asArgument) --force"
    }
    let words = CommandLine.arguments.dropFirst().map {
      $0 == last ? "-o \($0.asArgument)" : $0.quoted
    }
    return "hdrconvert \(words.joined(separator: " "))"
  }

  func run() throws { try runFiles() }

  /// Processes one input, or all.
  ///
  /// - Throws: The failure that ends the command; `ExitCode` if inputs failed.
  func runFiles() throws {
    guard isBatch else { return try processInput() }
    if listsOneOutput {
      var listed = BatchInput(argument: input)
      listed.companion = companionPath
      let job = BatchJob(input: listed, output: .success(target.output))
      return try OutputListing(jobs: [job], wantsJSON: wantsJSON)
        .print(BatchProcessor(verb: self).list)
    }
    try BatchRunner(self).run()
  }

  /// The suffix of a format that `--to` names, or else of an input whose format is written.
  ///
  /// - Throws: The failure for an unknown format; `ImageError` for an input of another format.
  func suffix(of format: String?, or input: String) throws -> String {
    guard format == nil else { return try suffix(of: format) }
    guard !InputList.isRaw(input), FileFormat(suffix: input.fileSuffix)?.isWritten == true else {
      throw ImageError(.outputFormatOfInput, at: .init(file: input))
    }
    return input.fileSuffix
  }

  /// The suffix of a format that `--to` names.
  ///
  /// - Throws: The failure for an unknown format, or none.
  func suffix(of format: String?) throws -> String {
    guard let format else {
      throw ValidationError(
        "--out-dir and --name require the format of the outputs, such as --to jpeg")
    }
    let found = try outputFormat("", to: format)
    let suffix = format.lowercased()
    // The name of a format is the suffix of some.
    return suffix == found.rawValue ? found.traits.suffixes[0] : suffix
  }
}

/// A verb with its own arguments and the usual output, which takes many inputs.
protocol FileVerb: BatchVerb {
  var files: [String] { get set }
  var listing: DryRunOption { get }
}

extension FileVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  var listsOutputs: Bool { listing.dryRun }
}

/// A verb that keeps coded images and, without an output, replaces its inputs, of which it takes many.
protocol InPlaceVerb: BatchVerb {
  var files: [String] { get set }
  var output: String? { get set }
  var force: Bool { get set }
  /// Whether the originals stay under another name.
  var backup: Bool { get }
  var progress: ProgressOption { get }
}

extension InPlaceVerb {
  var inputPaths: [String] {
    get { files }
    set { files = newValue }
  }

  /// The output; without a name if the inputs are replaced.
  var target: OutputOptions {
    get {
      var target = OutputOptions()
      (target.given, target.force) = (output, force)
      return target
    }
    set { (output, force) = (newValue.given, newValue.force) }
  }

  /// The file to write; a symbolic link to the input stays a link.
  func outputFile(for input: String) -> OutputFile {
    if let output { return OutputFile(path: output, mayReplace: force) }
    return OutputFile(replacing: input, isAllowed: force, keepsBackup: backup)
  }

  var isInPlace: Bool { true }
  var keepsCodedImages: Bool { true }
  var progressStyle: ProgressStyle { progress.style }
  var progressOption: ProgressOption? { progress }
}

/// Fails if the suffix of an output names another format than it will have.
///
/// Without re-encoding, images cannot move into a container of another codec.
func checkName(
  _ output: String, storesImagesOf input: String, in format: FileFormat?
) throws(ImageError) {
  let suffix = output.fileSuffix
  guard let format, let wanted = FileFormat(suffix: suffix), wanted != format else { return }
  throw ImageError(
    .outputCodedDifferently, ["input": input, "coded": format.title, "format": wanted.title])
}

/// A verb with the arguments of `convert`, which takes many inputs.
protocol ConvertingVerb: BatchVerb, RequestVerb, MultithreadedCommand {
  var conversion: ConversionArguments { get set }
}

extension ConvertingVerb {
  var given: RequestOption { conversion.given }
  var inputs: InputOptions { conversion.inputs }
  var inputPaths: [String] {
    get { conversion.files }
    set { conversion.files = newValue }
  }

  var target: OutputOptions {
    get { conversion.target }
    set { conversion.target = newValue }
  }

  var batch: BatchOptions { conversion.batch }
  var rawKeys: [String] {
    get { conversion.raw.values }
    set { conversion.raw.values = newValue }
  }
  var listsOutputs: Bool { conversion.listing.dryRun }
  var variants: [OutputVariant] { conversion.variants }
  var printsHTML: Bool { conversion.html }
  var progressStyle: ProgressStyle { conversion.reporting.progress }
  var wantsJSON: Bool { conversion.reporting.json }
  var isQuiet: Bool { conversion.reporting.quiet }

  func making(_ variant: OutputVariant) -> Self {
    var single = self
    (single.conversion.to, single.conversion.html) = (variant.format, false)
    if let longSide = variant.longSide { single.conversion.geometry.resize = "\(longSide)" }
    return single
  }

  func outputSuffix(of input: String) throws -> String { try suffix(of: conversion.to, or: input) }
}

/// Outputs of many inputs whose coded images are kept.
struct RearrangedOutputs: ParsableArguments {
  @OptionGroup var batch: BatchOptions
  @OptionGroup var listing: DryRunOption

  @Option(
    help: .full("Format of the outputs of many inputs (default: that of the input).", "format"))
  var to: String?

  @OptionGroup var progress: ProgressOption

  func validate() throws {
    guard to == nil || batch.outDir != nil || batch.name != nil else {
      throw ValidationError("--to requires --out-dir or --name; the suffix of --output is a format")
    }
  }
}

/// A verb that keeps coded images, which takes many inputs.
protocol RearrangingVerb: BatchVerb, RequestVerb {
  var files: RewritingOptions { get set }
  var reporting: ReportOptions { get }
}

extension RearrangingVerb {
  var given: RequestOption { files.target.given }
  var printsDigests: Bool { files.target.verbose }

  var inputPaths: [String] {
    get { files.files }
    set { files.files = newValue }
  }

  var target: OutputOptions {
    get { files.target.target }
    set { files.target.target = newValue }
  }

  var batch: BatchOptions { files.many.batch }
  var listsOutputs: Bool { files.many.listing.dryRun }
  var progressStyle: ProgressStyle { files.many.progress.style }
  var progressOption: ProgressOption? { files.many.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String {
    guard let format = files.many.to else { return input.fileSuffix }
    return try suffix(of: format)
  }
}
