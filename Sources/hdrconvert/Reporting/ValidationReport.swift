// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports

/// Result of `validate`: verdicts about one file.
struct ValidationReport: ReportObject {
  static let schemaName = "validatedFile"

  struct RuleReport: ReportObject {
    static let schemaName = "rule"
    let id: String
    let standard: String
    let level: String
    /// Class of the worst finding; without findings, of a violation of the rule.
    let violation: String
    let title: String
    let source: String
    /// Effect of a violation on readers.
    let effect: String?
    let verdict: String
    /// The reason if it cannot be checked.
    let reason: String?
    let findings: [FindingReport]
    let omittedFindings: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case id, standard, level
      case violation = "class"
      case title, effect, verdict, reason, findings, omittedFindings
      case source = "reference"
    }
  }

  struct FindingReport: ReportObject {
    static let schemaName = "finding"
    let message: String
    let violation: String
    let location: LocationReport?
    let declared: String?
    let measured: String?
    /// A command that fixes it.
    let fix: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case message
      case violation = "class"
      case location, declared, measured, fix
    }
  }

  let file: String
  let format: String
  let standards: [String]
  /// The worst verdict: `fail`, `warn` or `pass`.
  let verdict: String
  let counts: [String: Int]
  /// Number of violated rules of each class.
  let classes: [String: Int]
  /// Rules that the fixed file satisfies and the original violates.
  let fixed: [String]?
  let rules: [RuleReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case format, standards, verdict, counts, classes, fixed, rules
    case file = "input"
  }

  /// Whether the file is broken or, if `isStrict`, deviates.
  func hasFailed(isStrict: Bool) -> Bool {
    count(of: .broken) > 0 || isStrict && count(of: .deviates) > 0
  }

  private func count(of violation: Violation) -> Int { classes[violation.rawValue] ?? 0 }

  /// - Parameters:
  ///   - file: The checked file.
  ///   - format: Its format.
  ///   - standards: The standards it was checked against.
  ///   - judgments: One for each rule.
  ///   - before: Judgments on the file before it was fixed, if that was requested.
  init(
    file: String, format: FileFormat, standards: Set<Standard>, judgments: [Judgment],
    before: [Judgment]? = nil
  ) {
    self.file = file
    self.format = format.rawValue
    self.standards = Standard.allCases.filter(standards.contains).map(\.rawValue)
    let verdicts = judgments.map(\.verdict)
    verdict = ([.fail, .warn].first(where: verdicts.contains) ?? .pass).rawValue
    counts = Dictionary(
      uniqueKeysWithValues: Verdict.allCases.map { verdict in
        (verdict.rawValue, verdicts.count { $0 == verdict })
      })
    let violations = judgments.compactMap(\.violation)
    classes = Dictionary(
      uniqueKeysWithValues: Violation.allCases.map { violation in
        (violation.rawValue, violations.count { $0 == violation })
      })
    let violated = Set(judgments.filter { $0.violation != nil }.map(\.rule.id))
    fixed = before?.filter { $0.violation != nil }.map(\.rule.id).filter { !violated.contains($0) }
    rules = judgments.map { RuleReport($0, file: file) }
  }

  /// Violations; with `isVerbose`, also rules that pass or cannot be checked.
  func lines(isVerbose: Bool) -> [String] {
    var lines = ["\(file): \(standards.joined(separator: ", ")): \(summary)"]
    lines += (fixed ?? []).map { "  fixed     \($0)" }
    if fixed == [] {
      let isGood = Violation.allCases.allSatisfy { count(of: $0) == 0 }
      lines.append(isGood ? "  nothing to fix" : "  nothing could be fixed")
    }
    for violation in Violation.allCases {
      for rule in rules where rule.isViolated && rule.violation == violation.rawValue {
        lines += rule.lines
      }
    }
    guard isVerbose else { return lines }
    for rule in rules where rule.verdict == Verdict.notCheckable.rawValue {
      lines.append("  ?         \(rule.id)  \(rule.title): \(rule.reason ?? "")")
    }
    for rule in rules where rule.verdict == Verdict.pass.rawValue {
      lines.append("  pass      \(rule.id)  \(rule.title)")
    }
    return lines
  }

  /// Like `31 passed, 1 broken, 2 deviations, 1 advice`, without classes that do not occur.
  private var summary: String {
    let deviations = count(of: .deviates)
    let unchecked = counts[Verdict.notCheckable.rawValue] ?? 0
    let parts = [
      (count(of: .broken), "broken"), (deviations, deviations == 1 ? "deviation" : "deviations"),
      (count(of: .advice), "advice"), (unchecked, "not checkable"),
    ].filter { $0.0 > 0 }
    return (["\(counts[Verdict.pass.rawValue] ?? 0) passed"] + parts.map { "\($0.0) \($0.1)" })
      .joined(separator: ", ")
  }
}

extension ValidationReport.RuleReport {
  init(_ judgment: Judgment, file: String) {
    let rule = judgment.rule
    id = rule.id
    standard = rule.standard.rawValue
    level = rule.level.rawValue
    violation = (judgment.violation ?? rule.violation).rawValue
    title = rule.title
    source = rule.source
    effect = rule.effect
    verdict = judgment.verdict.rawValue
    reason = judgment.reason
    findings = judgment.findings.map { .init($0, judgment.violation(of: $0), file: file) }
    omittedFindings = judgment.omittedCount
  }

  fileprivate var isViolated: Bool {
    verdict == Verdict.fail.rawValue || verdict == Verdict.warn.rawValue
  }

  private static let mostFindings = 5

  /// The rule and its first findings.
  fileprivate var lines: [String] {
    let isBroken = verdict == Verdict.fail.rawValue
    let name = (isBroken ? "BROKEN" : violation).padded(to: 8)
    let reason = isBroken ? effect.map { ": \($0)" } ?? "" : ""
    var lines = ["  \(name)  \(id)  \(title) (\(level), \(source))\(reason)"]
    for finding in findings.prefix(Self.mostFindings) {
      let numbers = [
        finding.declared.map { "declared \($0)" }, finding.measured.map { "measured \($0)" },
      ].compactMap { $0 }.filter { !$0.isEmpty }
      let place = [finding.location?.path, finding.location?.byteOffset.map { "@\($0)" }]
        .compactMap { $0 }
      lines.append(
        "        \(finding.message)"
          + (numbers.isEmpty ? "" : ": " + numbers.joined(separator: ", "))
          + (place.isEmpty ? "" : " [\(place.joined(separator: " "))]"))
      if let fix = finding.fix { lines.append("        try: \(fix)") }
    }
    let more = omittedFindings + max(findings.count - Self.mostFindings, 0)
    if more > 0 { lines.append("        and \(more) more") }
    return lines
  }
}

extension ValidationReport.FindingReport {
  fileprivate init(_ finding: Finding, _ violation: Violation, file: String) {
    message = finding.message
    self.violation = violation.rawValue
    location = LocationReport(finding.location)
    declared = finding.declared
    measured = finding.measured
    fix = finding.fix.map { fix in
      let words =
        fix.arguments.map { ["tag", file.asArgument] + $0 }
        ?? ["validate", "--fix", "--force", file.asArgument]
      return (["hdrconvert"] + words).joined(separator: " ")
    }
  }
}
