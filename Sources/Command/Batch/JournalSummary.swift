// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion

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
