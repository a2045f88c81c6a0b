// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles

/// Result of a rule.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// A known reader fails, or shows something other than the file declares.
  case broken
  /// The file deviates from the text of a standard; no known reader is affected.
  case deviates
  /// The file does not follow a recommendation; no known reader is affected.
  case advice
  case pass
  /// The rule cannot be checked in this build or for this file.
  case notCheckable
  /// The rule does not apply to the file.
  case notApplicable

  /// The class of a violation; `nil` if the rule is not violated.
  public var violation: Violation? { Violation(rawValue: rawValue) }

  init(_ violation: Violation) {
    self =
      switch violation {
      case .broken: .broken
      case .deviates: .deviates
      case .advice: .advice
      }
  }
}

/// Class of a violation.
public enum Violation: String, Hashable, Sendable, CaseIterable {
  /// A known reader fails, or shows something other than the file declares.
  case broken
  /// The file deviates from the text of a standard; no known reader is affected.
  case deviates
  /// The file does not follow a recommendation; no known reader is affected.
  case advice
}

/// A violation of a rule.
public struct Finding: Hashable, Sendable {
  /// Text of the violation, for people.
  public var message: String
  /// Location of the violation.
  public var location: ImageError.Location
  /// Declared value, for people; `nil` if the rule does not compare values.
  public var declared: String?
  /// Measured value, for people; `nil` if the rule does not compare values.
  public var measured: String?
  /// The edit that fixes the violation; `nil` without one.
  public var fix: Fix?
  /// Whether the violation affects no known reader, although others of the rule do.
  var isHarmless: Bool

  init(
    _ message: String, at location: ImageError.Location = .init(), declared: String? = nil,
    measured: String? = nil, fix: Fix? = nil, isHarmless: Bool = false
  ) {
    self.message = message
    self.location = location
    self.declared = declared
    self.measured = measured
    self.fix = fix
    self.isHarmless = isHarmless
  }
}

/// The result of a rule for a file, with its findings.
public struct Judgment: Sendable {
  /// The rule.
  public let rule: Rule
  /// The result.
  public let verdict: Verdict
  /// Findings of a violated rule, at most 8, those that affect readers first; empty for other
  /// verdicts.
  public let findings: [Finding]
  /// Number of further findings.
  public let omittedCount: Int
  /// Reason if the rule cannot be checked, for people; `nil` for other verdicts.
  public let reason: String?

  /// Class of the worst violation; `nil` if the rule is not violated.
  public var violation: Violation? { verdict.violation }

  /// The class of one of the findings, which may be less severe than the verdict.
  public func violation(of finding: Finding) -> Violation {
    finding.isHarmless ? rule.harmlessViolation : rule.violation
  }

  static let maximumFindings = 8

  /// - Throws: Errors of the budget, which are not properties of the file.
  init(_ rule: Rule, on checked: CheckedFile) throws(ImageError) {
    self.rule = rule
    let found: [Finding]?
    do throws(ImageError) {
      found = try rule.check(checked)
    } catch {
      guard !error.endsValidation else { throw error }
      verdict = .notCheckable
      (findings, omittedCount, reason) = ([], 0, error.description)
      return
    }
    reason = nil
    let harmful = (found ?? []).filter { !$0.isHarmless }
    findings = Array((harmful + (found ?? []).filter(\.isHarmless)).prefix(Self.maximumFindings))
    omittedCount = (found?.count ?? 0) - findings.count
    if let found {
      let violation = harmful.isEmpty ? rule.harmlessViolation : rule.violation
      verdict = found.isEmpty ? .pass : Verdict(violation)
    } else {
      verdict = .notApplicable
    }
  }
}

extension ImageError {
  /// Whether no further rule can be checked; another rule may need less memory.
  var endsValidation: Bool { endsJob && code != .memoryBudgetExceeded }
}

extension CheckedFile {
  /// Checks the file against every rule of some standards.
  ///
  /// - Parameter standards: The standards; `nil` for all that apply to the file. SDR images violate
  ///   rules of ISO 22028-5.
  /// - Returns: A judgment for each rule, in the order of `Rule.all`.
  /// - Throws: Errors that end the whole job: of the budget of work and time, and `.cancelled`.
  public func judgments(by standards: Set<Standard>? = nil) throws(ImageError) -> [Judgment] {
    let standards = standards ?? applicableStandards
    return try Rule.all.filter { standards.contains($0.standard) }.map {
      rule throws(ImageError) in
      try Execution.current.checkCancellation()
      return try Judgment(rule, on: self)
    }
  }
}
