internal import HDRConversion
public import HDRCore
internal import ImageFiles

/// Result of a rule.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  case fail
  case warn
  case pass
  /// The rule cannot be checked in this build or for this file.
  case notCheckable
  /// The rule does not apply to the file.
  case notApplicable
}

/// A violation of a rule.
public struct Finding: Hashable, Sendable {
  /// Text of the violation, for people.
  public var message: String
  /// Location of the violation.
  public var location: ImageError.Location
  /// Declared value.
  public var declared: String?
  /// Measured value.
  public var measured: String?
  /// The edit that repairs the violation, if there is one.
  public var repair: Repair?
  /// Whether the violation is only a warning, although others of the rule are failures.
  var isMinor: Bool

  init(
    _ message: String, at location: ImageError.Location = .init(), declared: String? = nil,
    measured: String? = nil, repair: Repair? = nil, isMinor: Bool = false
  ) {
    self.message = message
    self.location = location
    self.declared = declared
    self.measured = measured
    self.repair = repair
    self.isMinor = isMinor
  }
}

/// The result of a rule for a file, with its findings.
public struct Judgment: Sendable {
  /// The rule.
  public let rule: Rule
  /// The result.
  public let verdict: Verdict
  /// For `fail` and `warn`; no more than `maximumFindings`.
  public let findings: [Finding]
  /// Number of further findings.
  public let omittedCount: Int
  /// Reason if the rule cannot be checked.
  public let reason: String?

  static let maximumFindings = 8

  init(_ rule: Rule, on checked: CheckedFile) {
    self.rule = rule
    let found: [Finding]?
    do throws(ImageError) {
      found = try rule.check(checked)
    } catch {
      verdict = .notCheckable
      (findings, omittedCount, reason) = ([], 0, error.description)
      return
    }
    reason = nil
    findings = Array((found ?? []).prefix(Self.maximumFindings))
    omittedCount = (found?.count ?? 0) - findings.count
    if let found {
      verdict = found.isEmpty ? .pass : found.allSatisfy(\.isMinor) ? .warn : rule.violation
    } else {
      verdict = .notApplicable
    }
  }
}

extension CheckedFile {
  /// Checks the file against every rule of some standards.
  ///
  /// - Parameter standards: The standards; `nil` for all that apply to the file.
  /// - Returns: A judgment for each rule, in the order of `Rule.all`.
  public func judged(by standards: Set<Standard>? = nil) -> [Judgment] {
    let standards = standards ?? applicableStandards
    return Rule.all.filter { standards.contains($0.standard) }.map { Judgment($0, on: self) }
  }
}
