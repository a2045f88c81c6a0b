// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
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

/// Counts of the results of several inputs.
struct BatchSummary: Sendable {
  private var counts: [BatchResult.Status: Int] = [:]
  private var failures: [String: Int] = [:]
  /// The notices that are printed, one for each code.
  private var notices: [MergedNotice] = []
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Number of inputs with a result.
  var finished: Int { counts.values.reduce(0, +) }

  /// Seconds since the first input started.
  var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }

  func count(of status: BatchResult.Status) -> Int { counts[status] ?? 0 }

  /// Adds the result of the input with an index.
  mutating func add(_ result: BatchResult, of job: BatchJob, at index: Int) {
    counts[result.status, default: 0] += 1
    if result.status == .failed {
      failures[result.failure?.error.code.id ?? "status \(result.exitCode)", default: 0] += 1
    }
    // What is printed depends on the numbers of each file.
    for notice in result.report.notices where NoticeVisibility.isPrinted(notice) {
      if let known = notices.firstIndex(where: { $0.first.code == notice.code }) {
        notices[known].add(notice, of: job, at: index)
      } else {
        notices.append(MergedNotice(notice, of: job, at: index))
      }
    }
  }

  /// The summary for people: notices, then counts of failures by code, then counts of results.
  ///
  /// - Parameters:
  ///   - total: Number of outputs, which is that of inputs unless one has several.
  ///   - inputCount: Number of inputs.
  /// - Returns: The lines.
  func lines(of total: Int, inputCount: Int) -> [String] {
    var lines = notices.map(\.line)
    if !failures.isEmpty {
      let counts = failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.value) \($0.key)" }
      lines.append("failures by code: \(counts.joined(separator: ", "))")
    }
    var counts = ["\(count(of: .done)) done", "\(count(of: .failed)) failed"]
    if count(of: .doneBefore) > 0 { counts.append("\(count(of: .doneBefore)) done before") }
    if count(of: .skipped) > 0 { counts.append("\(count(of: .skipped)) skipped") }
    if finished < total { counts.append("\(total - finished) not started") }
    let outputs = inputCount < total ? "\(total) outputs of " : ""
    lines.append(
      "\(outputs)\(inputCount) \(inputCount == 1 ? "input" : "inputs"): "
        + "\(counts.joined(separator: ", ")); "
        + "\((seconds * 10).rounded() / 10) s")
    return lines
  }
}

/// Notices of one code about several inputs, as one notice whose text holds for all of them.
struct MergedNotice: Sendable {
  /// The notice about the first input in the order of the command line.
  private(set) var first: Notice
  /// The first input.
  private(set) var job: BatchJob
  private var inputs: Set<String>
  private var index: Int
  private var parameters: DiagnosticParameters
  /// Names of parameters that are the largest of different values.
  private var maxima: Set<String> = []

  init(_ notice: Notice, of job: BatchJob, at index: Int) {
    (first, self.job, self.index) = (notice, job, index)
    (parameters, inputs) = (notice.parameters, [job.input.path])
  }

  /// Adds a notice about a further input, or about one that has such a notice already.
  mutating func add(_ notice: Notice, of job: BatchJob, at index: Int) {
    inputs.insert(job.input.path)
    if index < self.index { (first, self.job, self.index) = (notice, job, index) }
    for (name, value) in notice.parameters.values {
      guard let known = parameters[name], known != value else {
        parameters.values[name] = value
        continue
      }
      let largest = known.largest(value)
      if largest != nil { maxima.insert(name) }
      parameters.values[name] = largest ?? .list(known.joined(with: value))
    }
  }

  /// The text with the largest of numbers that differ, and all names that differ.
  var message: String {
    DiagnosticTemplate(first.code.english).rendered(with: parameters, maxima: maxima)
  }

  /// The message with its file, code and remedy.
  var line: String {
    let others = inputs.count > 1 ? " and \(inputs.count - 1) more" : ""
    let invocation = Invocation.current.writing(try? job.output.get())
    let remedy = Remedies.remedy(for: first, of: invocation).map { "; try: \($0)" } ?? ""
    let code = first.code.name.map { " (\($0))" } ?? ""
    return "\(first.severity.rawValue): \(message) [\(job.input.path)\(others)]\(code)\(remedy)"
  }
}

extension DiagnosticValue {
  /// The larger of two numbers; `nil` for other values.
  fileprivate func largest(_ other: DiagnosticValue) -> DiagnosticValue? {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): .integer(max(one, two))
    case (.number(let one), .number(let two)): .number(max(one, two))
    default: nil
    }
  }

  /// The different entries of two values.
  fileprivate func joined(with other: DiagnosticValue) -> [DiagnosticValue] {
    entries + other.entries.filter { !entries.contains($0) }
  }

  private var entries: [DiagnosticValue] {
    if case .list(let entries) = self { entries } else { [self] }
  }
}

/// The result of one of several inputs.
struct BatchResult: Sendable {
  enum Status: String, Sendable {
    case done
    case failed
    /// The output existed and was not older.
    case skipped
    /// A journal records the input as done.
    case doneBefore
  }

  let status: Status
  var report = InputReport.Contents()
  var failure: Failure?
  var exitCode: Int32 = 0
  /// Number of times that the input was processed.
  var attempts = 0
  var milliseconds = 0
  /// Largest memory that was debited at one time, in bytes.
  var peakMemory = 0

  /// Whether the same input may succeed later.
  var isTransient: Bool { status == .failed && exitCode == Failure.temporaryExitCode }

  /// Whether the input failed after its output was written.
  var leavesOutput: Bool { failure?.error.code.id == ErrorCode.batchInputChanged.id }

  /// Codes of the failure and of all notices, each once.
  var codes: [String] {
    var seen: Set<String> = []
    let codes = [failure?.error.code.id].compactMap(\.self) + report.notices.map(\.code.id)
    return codes.filter { seen.insert($0).inserted }
  }

  init(_ status: Status) { self.status = status }

  /// The result of an input that failed.
  init(_ error: any Error, of verb: any ParsableCommand.Type) {
    status = .failed
    switch error {
    case let error as Failure: failure = error
    case let error as ImageError: failure = Failure(error)
    // The verb has reported already.
    case let code as ExitCode: exitCode = code.rawValue
    default: failure = Failure(arguments: verb.completeMessage(for: error))
    }
    if let failure { exitCode = failure.exitCode }
  }
}
