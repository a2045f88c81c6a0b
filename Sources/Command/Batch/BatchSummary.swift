// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
internal import HDRCore

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
