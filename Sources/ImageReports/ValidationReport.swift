// SPDX-License-Identifier: Apache-2.0
package import Conformance
package import HDRCore
package import ImageFiles

/// Result of `validate`: verdicts about one file.
package struct ValidationReport: ReportObject {
  package static let schemaName = "validatedFile"

  package struct RuleReport: ReportObject {
    package static let schemaName = "rule"
    package let id: String
    package let standard: String
    package let level: String
    /// Class of the worst finding; without findings, of a violation of the rule.
    package let violation: String
    package let title: String
    package let source: String
    /// Effect of a violation on readers.
    package let effect: String?
    package let verdict: String
    /// The reason if it cannot be checked.
    package let reason: String?
    package let findings: [FindingReport]
    package let omittedFindings: Int

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case id, standard, level
      case violation = "class"
      case title, effect, verdict, reason, findings, omittedFindings
      case source = "reference"
    }
  }

  package struct FindingReport: ReportObject {
    package static let schemaName = "finding"
    package let message: String
    package let violation: String
    package let location: LocationReport?
    package let declared: String?
    package let measured: String?
    /// A command that fixes it.
    package let remedy: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case message
      case violation = "class"
      case location, declared, measured, remedy
    }
  }

  /// A change that fixed a violation.
  package struct FixReport: ReportObject, Equatable {
    package static let schemaName = "fixedChange"
    package let action: String
    package let name: String
    package let before: String?
    package let after: String?
    package let reason: String?
    package let rule: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case action, name, before, after, reason, rule
    }

    fileprivate init(_ change: FixedChange) {
      action = change.action.rawValue
      name = change.name
      before = change.values?.old
      after = change.values?.new
      reason = change.reason
      rule = change.rule
    }
  }

  package let file: String
  package let format: String
  package let standards: [String]
  /// The worst verdict: `broken`, `deviates`, `advice` or `pass`; `notApplicable` without rules.
  package let verdict: String
  package let counts: [String: Int]
  /// Rules that the fixed file satisfies and the original violates.
  package let fixed: [String]?
  package let fixes: [FixReport]?
  /// With `--fix`, notices about the output.
  package let notices: [NoticeReport]?
  package let rules: [RuleReport]
  /// The reason why a file among several is not checked.
  package let obstacle: CauseReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case format, standards, verdict, counts, fixed, fixes, notices, rules, obstacle
    case file = "input"
  }

  /// - Parameters:
  ///   - file: The checked file.
  ///   - format: Its format.
  ///   - standards: The standards it was checked against.
  ///   - judgments: One for each rule.
  ///   - result: The file before and after it was fixed, if that was requested.
  ///   - notices: Notices about the fixed file.
  ///   - command: The command that makes a change, for a user of the command.
  package init(
    file: String, format: FileFormat, standards: Set<Standard>, judgments: [Judgment],
    fixed result: FixedFile? = nil, notices: [NoticeReport] = [],
    command: (Fix) -> String? = { _ in nil }
  ) {
    self.file = file
    self.format = format.rawValue
    self.standards = Standard.allCases.filter(standards.contains).map(\.rawValue)
    let verdicts = judgments.map(\.verdict)
    verdict =
      Violation.allCases.first(where: verdicts.compactMap(\.violation).contains)?.rawValue
      ?? Verdict.pass.rawValue
    counts = Dictionary(
      uniqueKeysWithValues: Verdict.allCases.map { verdict in
        (verdict.rawValue, verdicts.count { $0 == verdict })
      })
    let violated = Set(judgments.filter { $0.violation != nil }.map(\.rule.id))
    fixed = result?.before.filter { $0.violation != nil }.map(\.rule.id).filter {
      !violated.contains($0)
    }
    fixes = result?.changes.map(FixReport.init)
    self.notices = result == nil ? nil : notices
    rules = judgments.map { RuleReport($0, command: command) }
    obstacle = nil
  }

  /// Creates the report of a file that is not checked.
  package init(file: String, format: FileFormat, unchecked error: ImageError) {
    self.file = file
    self.format = format.rawValue
    standards = []
    verdict = Verdict.notApplicable.rawValue
    counts = Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, 0) })
    obstacle = CauseReport(error)
    (fixed, fixes, notices, rules) = (nil, nil, nil, [])
  }
}

extension ValidationReport.RuleReport {
  fileprivate init(_ judgment: Judgment, command: (Fix) -> String?) {
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
    findings = judgment.findings.map { .init($0, judgment.violation(of: $0), command: command) }
    omittedFindings = judgment.omittedCount
  }
}

extension ValidationReport.FindingReport {
  fileprivate init(_ finding: Finding, _ violation: Violation, command: (Fix) -> String?) {
    message = finding.message
    self.violation = violation.rawValue
    location = LocationReport(finding.location)
    declared = finding.declared
    measured = finding.measured
    remedy = finding.fix.flatMap(command)
  }
}
