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
    if !isQuiet { summary.lines(of: jobs.count, inputCount: inputCount).forEach(Console.note) }
    guard wantsJSON else { return }
    try JSONReport(inputs: jobs.map(\.input.path), results: results, failures: failures).print()
  }

  private func show(_ result: BatchResult, of job: BatchJob, _ state: inout State) {
    let isVerbose = Invocation.current.isVerbose
    if !result.report.output.isEmpty || result.failure != nil || isVerbose { state.progress.hide() }
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

/// Progress over all inputs of a command: share, rate, time left and failures.
///
/// An input that is being processed counts by its own share, so that few large files move the
/// progress as well.
struct BatchProgress {
  /// Shares of the inputs that are being processed, 0...1, by their indices.
  private var running: [Int: Double] = [:]
  /// The largest share that was shown: an input that is processed again does not decrease it.
  private var largest = 0.0
  /// Seconds at which progress was last shown.
  private var lastShown = -Self.interval
  private let style: ProgressStyle
  private let total: Int
  private let write: @Sendable (String) -> Void

  /// Seconds between two displays, unless an input ends.
  private static let interval = 0.5

  /// - Parameters:
  ///   - style: Form of the display.
  ///   - total: Number of inputs.
  ///   - write: Writes to the terminal or the log.
  init(
    _ style: ProgressStyle, total: Int,
    write: @escaping @Sendable (String) -> Void = { text in
      // An input whose share changed does not own this text.
      InputReport.$current.withValue(nil) { Console.show(text) }
    }
  ) {
    self.style = style == .auto ? (Console.isWatched ? .bar : .none) : style
    self.total = total
    self.write = write
  }

  /// Whether anything is shown.
  var isShown: Bool { total > 0 && (style == .bar || style == .json) }

  /// Takes the share of an input that is being processed.
  mutating func update(_ index: Int, share: Double, _ summary: BatchSummary) {
    running[index] = share
    guard isShown, summary.seconds >= lastShown + Self.interval else { return }
    show(summary, input: nil)
  }

  /// Shows the progress after an input.
  mutating func finish(_ index: Int, _ file: String, _ summary: BatchSummary) {
    running[index] = nil
    guard isShown else { return }
    show(summary, input: file)
  }

  private mutating func show(_ summary: BatchSummary, input: String?) {
    let finished = summary.finished
    // Only inputs that were processed have a rate.
    let parts = running.values.reduce(0, +)
    let processed = Double(summary.count(of: .done) + summary.count(of: .failed)) + parts
    let rate = processed / max(summary.seconds, 1e-3)
    let remaining = max(Double(total - finished) - parts, 0)
    let left = finished == total ? 0 : rate > 0 ? remaining / rate : nil
    largest = max(largest, min((Double(finished) + parts) / Double(total), 1))
    lastShown = summary.seconds
    let percent = finished == total ? 100 : min(Int(clamping: largest * 100), 99)
    guard style == .json else {
      let filled = percent * 30 / 100
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
      write(
        "\r[\(bar)] \(finished)/\(total), \(Self.rounded(rate)) files/s, "
          + "\(left.map(Self.time) ?? "?") left, \(summary.count(of: .failed)) failed   ")
      return
    }
    let line = Line(
      progress: percent, stage: finished == total ? "complete" : "files",
      total: total, done: summary.count(of: .done), failed: summary.count(of: .failed),
      skipped: summary.count(of: .skipped) + summary.count(of: .doneBefore),
      filesPerSecond: Self.rounded(rate), secondsLeft: left.map(Self.rounded), input: input)
    if let text = JSONLine.text(line) { write(text) }
  }

  /// Erases the bar, before other text is printed.
  func hide() {
    if style == .bar { write("\r\u{1B}[K") }
  }

  /// A line of `--progress json`.
  private struct Line: Encodable {
    let progress: Int
    let stage: String
    let total: Int
    let done: Int
    let failed: Int
    let skipped: Int
    let filesPerSecond: Double
    /// `nil` before any work is done.
    let secondsLeft: Double?
    /// The input that was finished; `nil` if none was since the last line.
    let input: String?
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Minutes and seconds, or hours and minutes.
  private static func time(_ seconds: Double) -> String {
    let whole = Int(clamping: min(seconds, 1e9).rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }
}
