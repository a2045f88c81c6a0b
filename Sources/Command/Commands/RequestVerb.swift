// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports

/// A verb that is a preset of a request: its options become fields, and the library does the rest.
protocol RequestVerb: ParsableCommand {
  /// The name of the only input.
  var input: String { get }
  var target: OutputOptions { get }
  /// The request that the other options add to.
  var given: RequestOption { get }
  /// Whether sizes and the measured error of a computed gain map are printed.
  var printsMeasurements: Bool { get }
  /// Whether the SHA-256 of coded images are printed.
  var printsDigests: Bool { get }
  /// Whether the rendition for a display is explained.
  var explains: Bool { get }
  var progressStyle: ProgressStyle { get }
  var wantsJSON: Bool { get }
  var isQuiet: Bool { get }

  /// The request of the options.
  ///
  /// - Throws: The failure of an option.
  func request() throws -> ConversionRequest

  /// Fails for an input that the output cannot be made of.
  func check(_ file: ImageFile) throws(ImageError)

  /// Prints what a person should know before the work starts.
  func reportStart()

  /// A remedy that is better than that of the tables; `nil` for none.
  func remedy(against error: ImageError) -> String?
}

extension RequestVerb {
  var printsMeasurements: Bool { Invocation.current.isVerbose }
  var printsDigests: Bool { false }
  var explains: Bool { false }
  func check(_ file: ImageFile) throws(ImageError) {}
  func reportStart() {}
  func remedy(against error: ImageError) -> String? { nil }

  /// Fails for options that contradict each other; a request in a file is checked when it is read.
  func checkRequest() throws {
    guard given.file == nil else { return }
    do { try request().check() } catch let error as ImageError { throw Failure(error) }
  }

  /// The plan for the only input.
  ///
  /// - Throws: The failure that ends the command.
  func plan() throws -> ConversionPlan {
    let (request, limits, output) = (try request(), try execution.limits, target.file)
    return try during(.reading, input, remedy: remedy) { () throws(ImageError) in
      let file = try openImage(input, options: request.openingOptions(limits: limits))
      try check(file)
      return try file.plan(for: request) { (name) throws(ImageError) in
        try output.requireDifferent(from: [name])
        return try openInput(name, limits: limits)
      }
    }
  }

  /// Processes the only input.
  ///
  /// - Throws: The failure that ends the command.
  func processInput() throws {
    try checkStandardOutput(wantsJSON: wantsJSON, target.given)
    let file = target.file
    try OutputFile.ensureWritable([file], differingFrom: given.file.map { [$0] } ?? [])
    reportStart()
    let progress = Progress(progressStyle, label: input)
    defer { progress.finish() }
    var plan = try plan()
    plan.measuresAllLight = plan.measuresAllLight || wantsJSON
    var (result, byteCount) = try run(plan, to: file, progress)
    result.notices = target.suffixNotice(for: plan.format) + result.notices.map(locatedInInput)
    progress.complete()
    InputReport.add {
      $0.light = result.lightLevels.map { .init(maximum: $0.maximum, average: $0.average) }
    }
    try report(result, byteCount, item: plan.request.metadata.item)
  }

  private func run(
    _ plan: ConversionPlan, to file: OutputFile, _ progress: Progress
  ) throws(Failure) -> (ConversionResult, byteCount: Int) {
    var made: ConversionResult?
    var failure: ConversionPlan.Failure?
    do throws(ImageError) {
      let byteCount = try file.write { sink throws(ImageError) in
        do throws(ConversionPlan.Failure) {
          made = try progress.watch { () throws(ConversionPlan.Failure) in
            try plan.perform(to: sink)
          }
        } catch {
          failure = error
          throw error.cause
        }
      }
      guard let made else { preconditionFailure("a file was written without a result") }
      return (made, byteCount)
    } catch {
      guard case .reading(let cause)? = failure else {
        throw Failure(error.inFile(target.output), stage: .writing)
      }
      let error = cause.inFile(input)
      throw Failure(error, stage: .reading, remedy: remedy(against: error))
    }
  }

  private func report(_ result: ConversionResult, _ byteCount: Int, item: Int?) throws {
    Console.report(result.notices, input: input, isQuiet: isQuiet)
    let output = target.output
    switch result.made {
    case .converted(let written):
      if explains, let rendering = written.rendering {
        rendering.lines.forEach { Console.note($0) }
      }
      guard wantsJSON else { return }
      let report = ConversionReport(
        input: input, output: output, format: result.format, written: written,
        byteCount: byteCount, notices: result.notices)
      try JSONReport(inputs: [input], results: [report]).print()
    case .created(let created):
      let report = GainMapCreationReport(
        hdr: input, sdr: result.standard, output: output, format: result.format,
        byteCount: byteCount, created, notices: result.notices)
      guard wantsJSON else {
        if printsMeasurements, !isQuiet { Console.add(report.lines) }
        return
      }
      let inputs = [input, result.standard].compactMap(\.self)
      try JSONReport(inputs: inputs, results: [report]).print()
    case .edited(let edited): try report(edited, item: item, output: output)
    case .rewritten(var rewritten):
      // The digests are of all coded data.
      guard wantsJSON || printsDigests else { return }
      rewritten.notices = result.notices
      let report = try during(.reading, input) { () throws(ImageError) in
        try RewritingReport(input: input, output: output, bytes: byteCount, rewritten)
      }
      guard wantsJSON else { return Console.add(report.lines) }
      try JSONReport(inputs: inputNames, results: [report]).print()
    }
  }

  /// Prints the changes of metadata; without an output, nothing was written.
  func report(_ edited: EditedFile, item: Int?, output: String?) throws {
    guard wantsJSON || printsDigests || output == nil else { return }
    let report = try during(.reading, input) { () throws(ImageError) in
      try TagReport(input: input, output: output, item: item, edited: edited)
    }
    if wantsJSON { return try JSONReport(inputs: inputNames, results: [report]).print() }
    guard output == nil else { return Console.add(report.lines(withPayloads: true)) }
    Console.print(report.lines(withPayloads: printsDigests))
  }

  /// The notice with the name of the input, if its remedy is a command with that name.
  private func locatedInInput(_ notice: Notice) -> Notice {
    guard notice.location.file == nil, Remedies.nameInput.contains(notice.code.id) else {
      return notice
    }
    var notice = notice
    notice.location.file = input
    return notice
  }
}

extension BatchVerb where Self: RequestVerb {
  func outputSize(of shown: (width: Int, height: Int)) throws -> (width: Int, height: Int) {
    let edit = try request().geometry.edit(of: shown).edit
    let parameters = try edit.parameters(
      width: shown.width, height: shown.height, orientation: .upright, limits: ImageLimits())
    let (width, height) = (parameters.resampling.width, parameters.resampling.height)
    return parameters.orientation.swapsSides ? (height, width) : (width, height)
  }

  func outputPlan() throws -> ConversionPlan? { try plan() }
}
