internal import HDRConversion
public import HDRCore
internal import ImageFiles

/// What a rule says about a file.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  case fail
  case warn
  case pass
  /// Another build, or another file, would tell.
  case notCheckable
  /// The file has nothing that the rule is about.
  case notApplicable
}

/// One place where a file breaks a rule.
public struct Finding: Hashable, Sendable {
  /// One clause.
  public var message: String
  /// Where it was found.
  public var location: ImageError.Location
  /// What the file says.
  public var declared: String?
  /// What it is.
  public var measured: String?
  /// The edit that mends it, if there is one.
  public var repair: Repair?
  /// Whether it is no failure, though the rule is one whose violation is.
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

/// A rule's verdict on one file, and the reasons.
public struct Judgment: Sendable {
  /// The rule.
  public let rule: Rule
  /// The result.
  public let verdict: Verdict
  /// For `fail` and `warn`; no more than `maximumFindings`.
  public let findings: [Finding]
  /// Findings beyond those.
  public let omittedCount: Int
  /// Why it cannot be checked.
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
  /// Judges the file by every rule of some standards.
  ///
  /// - Parameter standards: What to hold it against; `nil` for all that concern it.
  /// - Returns: A judgment for each rule, in the order of `Rule.all`.
  public func judged(by standards: Set<Standard>? = nil) -> [Judgment] {
    let standards = standards ?? applicableStandards
    return Rule.all.filter { standards.contains($0.standard) }.map { Judgment($0, on: self) }
  }
}
