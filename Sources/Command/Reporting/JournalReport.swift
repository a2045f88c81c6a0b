// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageReports

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
