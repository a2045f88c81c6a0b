// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore

/// The state of all inputs that one or several journals record.
struct JournalSummary {
  /// The state of one input.
  struct Input {
    /// The last entry of the journal that is furthest: done, then failed, then started.
    var last: JournalEntry
    /// Largest number of times that the same bytes were done with the same options and version.
    var doneCount = 0
  }

  /// Inputs by name, in the order in which they first appear.
  private(set) var inputs: [(name: String, state: Input)] = []

  /// Merges journals, whatever their order.
  init(_ journals: [[JournalEntry]]) {
    var indices: [String: Int] = [:]
    var counts: [[String]: Int] = [:]
    for journal in journals {
      var last: [String: JournalEntry] = [:]
      for entry in journal { last[entry.input] = entry }
      for entry in journal {
        if let final = last.removeValue(forKey: entry.input) {
          merge(final, &indices)
        }
        guard entry.status == .done, let index = indices[entry.input] else { continue }
        let key = [entry.input, entry.inputSHA256 ?? "", entry.optionsKey, entry.version]
        counts[key, default: 0] += 1
        inputs[index].state.doneCount = max(inputs[index].state.doneCount, counts[key] ?? 0)
      }
    }
  }

  /// Adds the last entry of an input in one journal.
  private mutating func merge(_ entry: JournalEntry, _ indices: inout [String: Int]) {
    guard let index = indices[entry.input] else {
      indices[entry.input] = inputs.count
      inputs.append((entry.input, Input(last: entry)))
      return
    }
    if Self.rank(entry.status) > Self.rank(inputs[index].state.last.status) {
      inputs[index].state.last = entry
    }
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
  var seconds: Double {
    Double(inputs.reduce(0) { $0 + ($1.state.last.milliseconds ?? 0) }) / 1000
  }

  /// The largest memory of one input, in bytes.
  var peakMemory: Int { inputs.compactMap(\.state.last.peakMemoryBytes).max() ?? 0 }

  /// Names of inputs that were done more than once.
  var repeated: [String] { inputs.filter { $0.state.doneCount > 1 }.map(\.name) }

  /// The lines of a list of inputs that are not done.
  func missing(of expected: [String]) -> [String] {
    var done: Set<String> = []
    for (name, state) in inputs where [.done, .skipped].contains(state.last.status) {
      done.insert(name)
      done.insert(BatchInput(listed: state.last.file).path)
    }
    return expected.filter { line in
      let input = BatchInput(listed: line)
      return !done.contains(input.name) && !done.contains(input.path)
    }
  }
}
