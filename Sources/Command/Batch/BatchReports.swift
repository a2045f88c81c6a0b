// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageReports
internal import Synchronization

/// Reports about several inputs: messages in the order of the inputs, progress, a summary and the JSON
/// report.
final class BatchReports: Sendable {
  private struct State {
    var waiting: [Int: BatchResult] = [:]
    var next = 0
    var summary = BatchSummary()
    var results: [AnyReport] = []
    var failures: [FailureReport] = []
    var progress: BatchProgress
  }

  private let jobs: [BatchJob]
  private let wantsJSON: Bool
  private let isQuiet: Bool
  /// Whether shares of inputs are shown.
  let showsProgress: Bool
  private let state: Mutex<State>

  init(_ jobs: [BatchJob], _ verb: some BatchVerb) {
    self.jobs = jobs
    (wantsJSON, isQuiet) = (verb.wantsJSON, verb.isQuiet)
    let progress = BatchProgress(verb.progressStyle, total: jobs.count)
    showsProgress = progress.isShown
    state = Mutex(State(progress: progress))
    let count = jobs.count
    Interruption.report { [weak self] in
      let done = self?.state.withLock { $0.summary.count(of: .done) } ?? 0
      return "\(done) of \(count) done"
    }
  }

  /// Whether an input failed.
  var hasFailed: Bool { state.withLock { $0.summary.count(of: .failed) > 0 } }

  /// Takes the share of an input that is done, 0...1.
  func update(_ index: Int, share: Double) {
    state.withLock { $0.progress.update(index, share: share, $0.summary) }
  }

  /// Takes the result of an input, and prints it once those of all earlier inputs are printed.
  func finish(_ index: Int, _ result: BatchResult) {
    state.withLock { state in
      state.waiting[index] = result
      state.summary.add(result, of: jobs[index], at: index)
      state.progress.finish(index, jobs[index].input.path, state.summary)
      while let result = state.waiting.removeValue(forKey: state.next) {
        show(result, of: jobs[state.next], &state)
        state.next += 1
      }
    }
  }

  /// Prints what remains, the summary and the JSON report.
  ///
  /// - Parameter journalFailure: The failure to write the journal, which ended the command.
  /// - Throws: The failure to encode the report.
  func end(journalFailure: Failure?) throws(Failure) {
    Interruption.report(nil)
    let (results, reported, summary) = state.withLock { state in
      // Inputs before these were not started.
      for (index, result) in state.waiting.sorted(by: { $0.key < $1.key }) {
        show(result, of: jobs[index], &state)
      }
      state.waiting = [:]
      state.progress.hide()
      return (state.results, state.failures, state.summary)
    }
    var failures = reported
    if let journalFailure {
      journalFailure.report()
      failures.append(FailureReport(journalFailure, of: journalFailure.error.location.file))
    }
    let inputCount = Set(jobs.map(\.input.path)).count
    if !isQuiet {
      summary.lines(of: jobs.count, inputCount: inputCount).forEach(Console.note)
    }
    guard wantsJSON else { return }
    try JSONReport(inputs: jobs.map(\.input.path), results: results, failures: failures).print()
  }

  private func show(_ result: BatchResult, of job: BatchJob, _ state: inout State) {
    let isVerbose = Invocation.current.isVerbose
    if !result.report.output.isEmpty || result.failure != nil || isVerbose {
      state.progress.hide()
    }
    if !result.report.output.isEmpty { Console.write(result.report.output) }
    if isVerbose, !isQuiet {
      Console.note("\(job.input.path): \(result.status.rawValue)")
      Console.show(result.report.messages)
    }
    if let failure = result.failure {
      failure.report()
      if wantsJSON { state.failures.append(FailureReport(failure, of: job.input.path)) }
    }
    if wantsJSON { state.results += result.report.results.map(AnyReport.init) }
  }
}
