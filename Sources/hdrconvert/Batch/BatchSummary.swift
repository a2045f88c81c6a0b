// SPDX-License-Identifier: Apache-2.0
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
    var seen: Set<String> = []
    // What is printed depends on the numbers of each file.
    for notice in result.report.notices where NoticeVisibility.isPrinted(notice) {
      let isFurther = seen.insert(notice.code.id).inserted
      if let known = notices.firstIndex(where: { $0.first.code.id == notice.code.id }) {
        notices[known].add(notice, of: job, at: index, isFurther: isFurther)
      } else {
        notices.append(MergedNotice(notice, of: job, at: index))
      }
    }
  }

  /// The summary for people: notices, then counts of failures by code, then counts of results.
  func lines(of total: Int) -> [String] {
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
    lines.append(
      "\(total) \(total == 1 ? "input" : "inputs"): \(counts.joined(separator: ", ")); "
        + "\((seconds * 10).rounded() / 10) s")
    return lines
  }
}
