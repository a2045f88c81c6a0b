// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import HDRConversion
internal import HDRCore

/// Counts of the results of several inputs.
struct BatchSummary: Sendable {
  private var counts: [BatchResult.Status: Int] = [:]
  private var failures: [String: Int] = [:]
  /// For each code of a notice, the first notice and its file, and the number of files.
  private var notices: [(notice: Notice, file: String, count: Int)] = []
  private let start = DispatchTime.now().uptimeNanoseconds

  /// Number of inputs with a result.
  var finished: Int { counts.values.reduce(0, +) }

  /// Seconds since the first input started.
  var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }

  func count(of status: BatchResult.Status) -> Int { counts[status] ?? 0 }

  mutating func add(_ result: BatchResult, of file: String) {
    counts[result.status, default: 0] += 1
    if result.status == .failed {
      failures[result.failure?.error.code.id ?? "status \(result.exitCode)", default: 0] += 1
    }
    var seen: Set<String> = []
    for notice in result.report.notices where seen.insert(notice.code.id).inserted {
      if let index = notices.firstIndex(where: { $0.notice.code.id == notice.code.id }) {
        notices[index].count += 1
      } else {
        notices.append((notice, file, 1))
      }
    }
  }

  /// The summary for people: notices, then counts of failures by code, then counts of results.
  func lines(of total: Int) -> [String] {
    var lines = notices.filter { NoticeVisibility.isPrinted($0.notice) }.map { entry in
      let others = entry.count > 1 ? " and \(entry.count - 1) more" : ""
      let remedy = Remedies.remedy(for: entry.notice, of: .current).map { "; try: \($0)" } ?? ""
      return "\(entry.notice.severity.rawValue): \(entry.notice.message) [\(entry.file)\(others)] "
        + "(\(entry.notice.code.id))\(remedy)"
    }
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
