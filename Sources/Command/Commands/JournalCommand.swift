// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// `hdrconvert journal JOURNAL...`.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Merge journals of many inputs: totals, failures, and what is to be done again.",
    discussion: """
      Journals are written by --resume. Those of several machines are merged: an input is done if it \
      is done in one of them.

      --failed prints the inputs that failed or were interrupted, for --files-from. --expect fails \
      with status 1 unless every input of a list is done exactly once.

      examples:
        hdrconvert journal out.journal
        hdrconvert journal shard-*.journal --expect inputs.txt
        hdrconvert journal out.journal --failed > again.txt
        hdrconvert --files-from again.txt --out-dir out --to avif
      """)

  @Argument(help: .text("Journals.", "journal"))
  var journals: [String]

  @Flag(help: "Print the inputs that failed or were interrupted, one a line.")
  var failed = false

  @Flag(name: .customShort("0"), help: "End the names of --failed with NUL.")
  var endsWithNUL = false

  @Option(help: .text("List of inputs that must be done exactly once.", "list"))
  var expect: String?

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  func validate() throws {
    guard !failed || !json else { throw ValidationError("give --failed or --json") }
  }

  func run() throws {
    let limits = Execution.current.limits
    let entries = try journals.map { path in
      try during(.reading, path) { () throws(ImageError) in
        try JournalReader(openInput(path, limits: limits).allBytes()).entries
      }
    }
    let expected = try expect.map { path in
      let bytes = try during(.reading, path) { () throws(ImageError) in
        try openInput(path, limits: limits).allBytes()
      }
      return InputList.lines(bytes)
    }
    let summary = JournalSummary(entries)
    let report = JournalReport(summary, expected: expected)
    if failed {
      let names = summary.unfinished.map { Array($0.file.utf8) + [endsWithNUL ? 0 : 0x0A] }
      Console.write(Array(names.joined()))
    } else if json {
      try JSONReport(inputs: journals, results: [report]).print()
    } else {
      Console.print(report.lines)
    }
    if !report.isAsExpected { throw ExitCode(1) }
  }
}

/// Result of `journal`: the state of all inputs.
struct JournalReport: ReportObject {
  static let schemaName = "journal"

  /// Number of failures with one code.
  struct CodeCount: ReportObject {
    static let schemaName = "codeCount"
    let code: String
    let count: Int

    enum CodingKeys: String, CodingKey, CaseIterable { case code, count }
  }

  let total: Int
  let done: Int
  let failed: Int
  /// Inputs that were being processed when a run ended.
  let interrupted: Int
  let skipped: Int
  let failureCounts: [CodeCount]
  let processingSeconds: Double
  let peakMemoryBytes: Int
  /// Number of expected inputs; `nil` without `--expect`.
  let expected: Int?
  /// Expected inputs that are not done.
  let missing: [String]?
  /// Inputs that were done more than once.
  let repeated: [String]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case total, done, failed, interrupted, skipped, failureCounts, processingSeconds
    case peakMemoryBytes, expected, missing, repeated
  }

  /// - Parameters:
  ///   - summary: The merged journals.
  ///   - list: Inputs that must be done exactly once; `nil` for no expectation.
  init(_ summary: JournalSummary, expected list: [String]?) {
    total = summary.inputs.count
    done = summary.count(of: .done)
    failed = summary.count(of: .failed)
    interrupted = summary.count(of: .started)
    skipped = summary.count(of: .skipped)
    failureCounts = summary.failures.map { CodeCount(code: $0.code, count: $0.count) }
    processingSeconds = summary.seconds
    peakMemoryBytes = summary.peakMemory
    expected = list?.count
    missing = list.map(summary.missing)
    repeated = summary.repeated
  }

  /// Whether every expected input is done exactly once; true without `--expect`.
  var isAsExpected: Bool { missing.map { $0.isEmpty && repeated.isEmpty } ?? true }

  /// The report as text.
  var lines: [String] {
    var counts = ["\(done) done", "\(failed) failed"]
    if interrupted > 0 { counts.append("\(interrupted) interrupted") }
    if skipped > 0 { counts.append("\(skipped) skipped") }
    var lines = [
      "\(total) \(total == 1 ? "input" : "inputs"): \(counts.joined(separator: ", "))"
    ]
    if !failureCounts.isEmpty {
      let codes = failureCounts.map { "\($0.count) \($0.code)" }
      lines.append("failures by code: \(codes.joined(separator: ", "))")
    }
    let mebibytes = peakMemoryBytes >> 20
    lines.append(
      "processing times, added up: \((processingSeconds * 10).rounded() / 10) s; largest memory of an input: "
        + "\(mebibytes) MiB")
    if !repeated.isEmpty { lines.append("done more than once: \(Self.counted(repeated))") }
    if let expected, let missing {
      lines.append("expected: \(expected - missing.count) of \(expected) done")
      if !missing.isEmpty { lines.append("not done: \(Self.counted(missing))") }
    }
    return lines
  }

  /// Up to five names, and the number of further ones.
  private static func counted(_ names: [String]) -> String {
    let rest = names.count > 5 ? " and \(names.count - 5) more" : ""
    return names.prefix(5).joined(separator: ", ") + rest
  }
}

/// The state of all inputs that one or several journals record.
struct JournalSummary {
  /// The state of one input.
  struct Input {
    /// The last entry of the journal that is furthest: done, then failed, then started.
    var last: JournalEntry
    /// Largest number of times that the same bytes were done with the same options and version.
    ///
    /// An output that is missing and made again by its journal counts once.
    var doneCount = 0
  }

  /// A result of an input, for an input that is done again.
  private struct Made: Hashable {
    let journal: Int
    let outputs: [String?]
  }

  /// Inputs by name, in the order in which they first appear.
  private(set) var inputs: [(name: String, state: Input)] = []

  /// Merges journals, whatever their order.
  init(_ journals: [[JournalEntry]]) {
    var numbers = InputIndex()
    var made: [[String]: Set<Made>] = [:]
    var furthest: [Int: JournalEntry] = [:]
    for (journal, entries) in journals.enumerated() {
      var last: [Int: JournalEntry] = [:]
      for entry in entries {
        let index = numbers.add(path: BatchInput(listed: entry.file).path, name: entry.input)
        last[index] = entry
        if index == inputs.count { inputs.append((entry.input, Input(last: entry))) }
        guard entry.status == .done else { continue }
        let key = ["\(index)", entry.inputSHA256 ?? "", entry.optionsKey, entry.version]
        let outputs = entry.outputs.flatMap { [$0.path, $0.sha256] }
        made[key, default: []].insert(Made(journal: journal, outputs: outputs))
        inputs[index].state.doneCount = max(inputs[index].state.doneCount, made[key]?.count ?? 0)
      }
      for (index, entry) in last {
        if let other = furthest[index], Self.rank(other.status) >= Self.rank(entry.status) {
          continue
        }
        furthest[index] = entry
      }
    }
    for (index, entry) in furthest { inputs[index].state.last = entry }
  }

  private static func rank(_ status: JournalEntry.Status) -> Int {
    switch status {
    case .started: 0
    case .failed: 1
    case .skipped: 2
    case .done: 3
    }
  }

  func count(of status: JournalEntry.Status) -> Int {
    inputs.count { $0.state.last.status == status }
  }

  /// Inputs that are to be processed again: failed, or started by a run that ended.
  var unfinished: [JournalEntry] {
    inputs.map(\.state.last).filter { $0.status == .failed || $0.status == .started }
  }

  /// Failed inputs by the code of the failure, the most frequent first.
  var failures: [(code: String, count: Int)] {
    let codes = inputs.map(\.state.last).filter { $0.status == .failed }.map { entry in
      entry.diagnostics.first ?? "status \(entry.exitCode ?? 1)"
    }
    return codes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (code: $0.key, count: $0.value) }
  }

  /// Time of all inputs in their last run, in seconds.
  var seconds: Double { inputs.reduce(0) { $0 + Double($1.state.last.milliseconds ?? 0) } / 1000 }

  /// The largest memory of one input, in bytes.
  var peakMemory: Int { inputs.compactMap(\.state.last.peakMemoryBytes).max() ?? 0 }

  /// Names of inputs that were done more than once.
  var repeated: [String] { inputs.filter { $0.state.doneCount > 1 }.map(\.name) }

  /// The lines of a list of inputs that are not done.
  func missing(of expected: [String]) -> [String] {
    var names: Set<PathKey> = []
    var paths: Set<PathKey> = []
    for (name, state) in inputs where [.done, .skipped].contains(state.last.status) {
      names.insert(PathKey(name: name))
      // An SDR image is done with its raw file.
      for file in [state.last.file, state.last.sdrInput].compactMap(\.self) {
        let input = BatchInput(listed: file)
        names.insert(PathKey(name: input.name))
        paths.insert(PathKey(input.path))
      }
    }
    return expected.filter { line in
      let input = BatchInput(listed: line)
      return !names.contains(PathKey(name: input.name)) && !paths.contains(PathKey(input.path))
    }
  }
}
