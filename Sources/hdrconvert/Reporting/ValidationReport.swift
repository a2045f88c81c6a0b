internal import Conformance
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Result of `validate`: verdicts about one file.
struct ValidationReport: ReportObject {
  static let schemaName = "validatedFile"

  struct RuleReport: ReportObject {
    static let schemaName = "rule"
    let id: String
    let standard: String
    let level: String
    let title: String
    let source: String
    let verdict: String
    /// The reason if it cannot be checked.
    let reason: String?
    let findings: [FindingReport]
    let omittedFindings: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case id, standard, level, title, verdict, reason, findings, omittedFindings
      case source = "reference"
    }
  }

  struct FindingReport: ReportObject {
    static let schemaName = "finding"
    let message: String
    let location: LocationReport?
    let declared: String?
    let measured: String?
    /// A command that repairs it.
    let repair: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case message, location, declared, measured, repair
    }
  }

  let file: String
  let format: String
  let standards: [String]
  /// The worst verdict: `fail`, `warn` or `pass`.
  let verdict: String
  let counts: [String: Int]
  /// Rules that failed or warned before the file was repaired.
  let mended: [String]?
  let rules: [RuleReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case format, standards, verdict, counts, mended, rules
    case file = "input"
  }

  var hasFailed: Bool { verdict == Verdict.fail.rawValue }

  /// - Parameters:
  ///   - file: The checked file.
  ///   - format: Its format.
  ///   - standards: The standards it was checked against.
  ///   - judgments: One for each rule.
  ///   - before: Judgments on the file before its repair, if it was repaired.
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
    let broken = Set(judgments.filter(\.isComplaint).map(\.rule.id))
    mended = before?.filter(\.isComplaint).map(\.rule.id).filter { !broken.contains($0) }
    rules = judgments.map { RuleReport($0, file: file) }
  }

  /// Failures and warnings; with `isVerbose`, also rules that pass or cannot be checked.
  func lines(isVerbose: Bool) -> [String] {
    func count(_ verdict: Verdict) -> Int { counts[verdict.rawValue] ?? 0 }
    let warnings = count(.warn) == 1 ? "1 warning" : "\(count(.warn)) warnings"
    var summary = "\(count(.pass)) passed, \(count(.fail)) failed, \(warnings)"
    if count(.notCheckable) > 0 { summary += ", \(count(.notCheckable)) not checkable" }
    var lines = ["\(file): \(standards.joined(separator: ", ")): \(summary)"]
    lines += (mended ?? []).map { "  fixed \($0)" }
    if mended == [] { lines.append("  nothing was fixed") }
    for verdict in [Verdict.fail, .warn] {
      for rule in rules where rule.verdict == verdict.rawValue { lines += rule.lines }
    }
    guard isVerbose else { return lines }
    for rule in rules where rule.verdict == Verdict.notCheckable.rawValue {
      lines.append("  ?     \(rule.id)  \(rule.title): \(rule.reason ?? "")")
    }
    for rule in rules where rule.verdict == Verdict.pass.rawValue {
      lines.append("  pass  \(rule.id)  \(rule.title)")
    }
    return lines
  }
}

extension Judgment {
  fileprivate var isComplaint: Bool { verdict == .fail || verdict == .warn }
}

extension ValidationReport.RuleReport {
  init(_ judgment: Judgment, file: String) {
    let rule = judgment.rule
    id = rule.id
    standard = rule.standard.rawValue
    level = rule.level.rawValue
    title = rule.title
    source = rule.source
    verdict = judgment.verdict.rawValue
    reason = judgment.reason
    findings = judgment.findings.map { .init($0, file: file) }
    omittedFindings = judgment.omittedCount
  }

  /// The rule and its findings.
  fileprivate var lines: [String] {
    var lines = [
      "  \(verdict == Verdict.fail.rawValue ? "FAIL" : "warn")  \(id)  \(title) (\(level): \(source))"
    ]
    for finding in findings {
      let numbers = [
        finding.declared.map { "declared \($0)" }, finding.measured.map { "measured \($0)" },
      ].compactMap { $0 }.filter { !$0.isEmpty }
      let place = [finding.location?.path, finding.location?.byteOffset.map { "@\($0)" }]
        .compactMap { $0 }
      lines.append(
        "        \(finding.message)"
          + (numbers.isEmpty ? "" : ": " + numbers.joined(separator: ", "))
          + (place.isEmpty ? "" : " [\(place.joined(separator: " "))]"))
      if let repair = finding.repair { lines.append("        try: \(repair)") }
    }
    if omittedFindings > 0 { lines.append("        and \(omittedFindings) more") }
    return lines
  }
}

extension ValidationReport.FindingReport {
  fileprivate init(_ finding: Finding, file: String) {
    message = finding.message
    location = LocationReport(finding.location)
    declared = finding.declared
    measured = finding.measured
    repair = finding.repair.map { repair in
      let words =
        repair.arguments.map { ["tag", file.asArgument] + $0 }
        ?? ["validate", "--fix", "--force", file.asArgument]
      return (["hdrconvert"] + words).joined(separator: " ")
    }
  }
}
