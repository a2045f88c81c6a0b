// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports

/// A verb that takes many inputs.
///
/// Each input is processed by a copy of the command that has one input, by the same code as a command
/// for one file.
protocol InputVerb: ParsableCommand, Sendable {
  /// The inputs as they were given.
  var inputPaths: [String] { get set }
  /// Whether each of several inputs is a job.
  var runsInputsAlone: Bool { get }
  /// Whether inputs are processed and nothing is written.
  var writesNothing: Bool { get }

  /// The verb for one of its inputs.
  func alone(_ input: Job.Input) -> Self

  /// Processes the only input.
  ///
  /// - Throws: The failure of this input.
  func processInput() throws
}

extension InputVerb {
  /// The only input.
  var input: String { inputPaths.first ?? "" }

  /// Processes one of several inputs, or lists its output, here.
  func work(on input: Job.Input) throws {
    let single = alone(input)
    if let batch = single as? any BatchVerb, batch.listsOutputs {
      let plan = try batch.outputPlan()
      let losses = try during(.reading, input.path) { () throws(ImageError) in
        try plan?.foreseenLosses() ?? []
      }
      return ListedOutputReport(input, plan, losses).add()
    }
    try single.processInput()
  }

  /// Processes one of several inputs, in a process of its own if jobs are confined.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - memory: Memory of the process, in bytes.
  /// - Throws: The failure of this input.
  func process(_ input: Job.Input, memory: Int) throws {
    guard let server = try JobServer.start() else { return try work(on: input) }
    let execution = Execution.current
    let job = Job(
      input: input, threads: execution.threads, memory: memory, isWatched: Console.isWatched,
      showsShare: InputReport.current?.showShare != nil)
    let end = try during(.reading, input.path) { () throws(ImageError) in
      try JobHost.run(job, of: self, on: server, execution)
    }
    guard case .result(let result) = end else { throw Failure(ImageError(.workerReplyInvalid)) }
    result.addReport()
    if let failure = result.failure {
      throw failure.failure ?? Failure(ImageError(.workerReplyInvalid))
    }
    if result.exitCode != 0 { throw ExitCode(result.exitCode) }
  }
}

/// A verb that can report on each of its inputs, in their order, and writes nothing then.
protocol ReadingVerb: InputVerb {
  var wantsJSON: Bool { get }
  /// Whether inputs are decoded; otherwise, most are read here, by our own parsers.
  var needsLibraries: Bool { get }

  /// The last line about several inputs.
  ///
  /// - Parameters:
  ///   - verdicts: The verdict on each input that was read, for verbs that judge.
  ///   - failed: Number of other inputs.
  /// - Returns: The line; `nil` for none.
  func summary(of verdicts: [String], failed: Int) -> String?
}

extension ReadingVerb {
  /// Reports on all inputs.
  ///
  /// - Throws: The failure of the only input; `ExitCode` if one of several failed.
  func report() throws {
    guard runsInputsAlone else { return try processInput() }
    var results: [AnyReport] = []
    var (verdicts, failures, hasFailed): ([String], [FailureReport], Bool) = ([], [], false)
    for path in inputPaths {
      let input = Job.Input(path: path, mayReplace: false)
      let (report, result) =
        reportHere(on: input)
        ?? reported { verb throws in
          try verb.process(input, memory: Execution.current.budget.memory)
        }
      Console.write(report.contents.output)
      Console.show(report.contents.messages)
      if inputPaths.count == 1, let failure = result.failure { throw failure }
      hasFailed = hasFailed || result.status == .failed
      result.failure?.report()
      if let failure = result.failure { failures.append(FailureReport(failure, of: path)) }
      if let verdict = report.contents.verdict { verdicts.append(verdict) }
      results += report.contents.results.map(AnyReport.init)
    }
    if wantsJSON {
      try JSONReport(inputs: inputPaths, results: results, failures: failures).print()
    } else if inputPaths.count > 1, let line = summary(of: verdicts, failed: failures.count) {
      Console.print(line)
    }
    if hasFailed { throw ExitCode(1) }
  }

  /// Reports on an input without libraries.
  ///
  /// - Returns: The report; `nil` if a library is needed.
  private func reportHere(on input: Job.Input) -> (InputReport, BatchResult)? {
    guard !needsLibraries, input.path != OutputFile.standardOutput else { return nil }
    var report: (InputReport, BatchResult)?
    let isComplete = CodecRegistry.isUnused {
      report = reported { verb throws in try verb.alone(input).processInput() }
    }
    return isComplete ? report : nil
  }

  private func reported(_ work: (Self) throws -> Void) -> (InputReport, BatchResult) {
    let report = InputReport()
    do {
      try Execution.HeldMemory().hold {
        try InputReport.$current.withValue(report) { try work(self) }
      }
      return (report, BatchResult(.done))
    } catch {
      return (report, BatchResult(error, of: Self.self))
    }
  }

  func summary(of verdicts: [String], failed: Int) -> String? { nil }
}
