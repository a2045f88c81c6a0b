// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
internal import HDRCore
internal import Platform
internal import Synchronization

/// Processes single inputs of a command.
struct BatchProcessor<Verb: BatchVerb>: Sendable {
  let verb: Verb
  /// Conditions of the whole job.
  var execution = Execution.current
  /// The journal of `--resume`.
  var resumption: Resumption?

  /// Processes one input, unless it is done.
  ///
  /// - Parameters:
  ///   - job: The input.
  ///   - threads: Number of threads.
  ///   - memory: Memory, in bytes.
  ///   - showShare: Takes the share that is done, 0...1; `nil` if progress is not shown.
  /// - Returns: The result, also of a failure; `nil` if the input was not processed, since its start
  ///   could not be recorded.
  func process(
    _ job: BatchJob, threads: Int, memory: Int, showShare: (@Sendable (Double) -> Void)?
  ) -> BatchResult? {
    var alone = execution
    alone.threads = threads
    alone.budget = Execution.Budget(within: execution.budget)
    let start = DispatchTime.now().uptimeNanoseconds
    let report = InputReport(output: try? job.output.get(), showShare: showShare)
    var result: BatchResult
    do {
      let finished: BatchResult? = try alone.perform {
        try Execution.HeldMemory().hold {
          try InputReport.$current.withValue(report) { try processed(job, memory) }
        }
      }
      guard let finished else { return nil }
      result = finished
    } catch {
      result = BatchResult(error, of: Verb.self)
    }
    result.report = report.contents
    result.peakMemory = max(alone.budget.peakMemory, result.report.peakMemory)
    result.milliseconds = Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
    if result.status == .done || result.status == .failed { result.attempts = 1 }
    return result
  }

  private func processed(_ job: BatchJob, _ memory: Int) throws -> BatchResult? {
    let output = try job.output.get()
    if verb.batch.skipExisting, isCurrent(output, of: job) { return BatchResult(.skipped) }
    let isInPlace = output == job.input.path
    var input = Job.Input(
      path: job.input.path, output: isInPlace ? nil : output, companion: job.input.companion,
      mayReplace: verb.target.force, variant: job.variant)
    if try resumption?.isDone(job, output) == true { return BatchResult(.doneBefore) }
    if !isInPlace, !verb.writesNothing {
      if resumption?.owns(output) == true { input.mayReplace = true }
      try Self.createFolder(of: output)
      // An output of somebody else does not become one of the journal.
      try verb.alone(input).target.file.ensureWritable()
    }
    if let resumption, !resumption.start(job, output) { return nil }
    try verb.process(input, memory: memory)
    try resumption?.checkUnchanged(job, output)
    return BatchResult(.done)
  }

  /// Lists an output with its plan, for which the input is read like any other.
  func list(_ job: BatchJob, _ output: String) throws {
    var input = Job.Input(
      path: job.input.path, output: output, companion: job.input.companion,
      mayReplace: verb.target.force, variant: job.variant)
    input.forecast = forecast(job, output)
    guard verb is any RequestVerb else { return try verb.work(on: input) }
    try verb.process(input, memory: execution.budget.memory)
  }

  /// The reason for which an output would not be made, without reading its input.
  func forecast(_ job: BatchJob, _ output: String) -> ListedOutputReport.Forecast? {
    if verb.batch.skipExisting, isCurrent(output, of: job) { return .skipped }
    if resumption?.recordsAsDone(job, output) == true { return .doneBefore }
    guard output != job.input.path, let file = FileIdentity(output), !file.isSpecial,
      file.isFolder || !verb.target.force && resumption?.owns(output) != true
    else { return nil }
    return .exists
  }

  /// Whether an output is not older than its inputs, and the journal records it with these options.
  private func isCurrent(_ output: String, of job: BatchJob) -> Bool {
    guard let made = FileIdentity(output), output != job.input.path,
      resumption?.records(output, byteCount: Int(made.size)) == true
    else { return false }
    return job.input.files.allSatisfy {
      FileIdentity($0).map { $0.modified <= made.modified } ?? false
    }
  }

  /// Creates the folder of an output, unless it exists.
  static func createFolder(of output: String) throws(Failure) {
    let folder = output.folder
    guard !folder.isEmpty, FileIdentity(folder)?.isFolder != true else { return }
    if let file = OutputFile.fileInPlace(ofFolder: folder) {
      throw Failure(
        ImageError(.outputFolderIsFile, ["folder": file], at: .init(file: output)), stage: .writing)
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: output)),
        stage: .writing)
    }
  }
}

/// The reports about one input of several, which are printed in the order of the inputs.
final class InputReport: Sendable {
  /// The report of the input that this thread processes; `nil` if there is one input only.
  @TaskLocal static var current: InputReport?

  struct Contents: Sendable {
    /// Bytes for standard output.
    var output: [UInt8] = []
    /// Text for standard error.
    var messages = ""
    /// Objects of the JSON report.
    var results: [any Encodable & Sendable] = []
    var notices: [Notice] = []
    /// Light levels of the output, if they were measured.
    var light: Light?
    /// The verdict on the input, if it was judged.
    var verdict: String?
    /// Largest memory of the process of the job, in bytes.
    var peakMemory = 0
  }

  /// Light levels of an output, in cd/m².
  struct Light: Codable, Sendable {
    let maximum: Double
    let average: Double
  }

  /// Takes the share of the input that is done, 0...1; `nil` if progress is not shown.
  let showShare: (@Sendable (Double) -> Void)?
  /// The output of the input, if it could be named.
  let output: String?
  private let state = Mutex(Contents())

  /// - Parameters:
  ///   - output: The output of the input.
  ///   - showShare: Takes the share of the input that is done, 0...1.
  init(output: String? = nil, showShare: (@Sendable (Double) -> Void)? = nil) {
    (self.output, self.showShare) = (output, showShare)
  }

  var contents: Contents { state.withLock { $0 } }

  /// Changes the report of the current input, if there are several.
  ///
  /// - Returns: Whether there are several.
  @discardableResult static func add(_ change: (inout Contents) -> Void) -> Bool {
    guard let current else { return false }
    current.state.withLock { change(&$0) }
    return true
  }
}

/// A report of any verb.
struct AnyReport: Encodable, Sendable {
  let base: any Encodable & Sendable

  func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
}
