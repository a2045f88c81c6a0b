// SPDX-License-Identifier: Apache-2.0
internal import Conformance
internal import HDRCore
internal import ImageReports

extension ValidationReport {
  /// Whether the file is broken or, if `isStrict`, deviates.
  func hasFailed(isStrict: Bool) -> Bool {
    count(of: .broken) > 0 || isStrict && count(of: .deviates) > 0
  }

  /// The last line about several files: `12 files: 1 broken, 3 deviating, 8 valid`.
  static func total(of verdicts: [String], failed: Int) -> String {
    let unchecked = verdicts.count { $0 == Verdict.notApplicable.rawValue } + failed
    let total = verdicts.count + failed
    func count(_ violation: Violation) -> Int { verdicts.count { $0 == violation.rawValue } }
    let valid = total - unchecked - count(.broken) - count(.deviates)
    let parts = [
      (count(.broken), "broken"), (count(.deviates), "deviating"), (valid, "valid"),
      (unchecked, "not checked"),
    ]
    return "\(total) files: "
      + parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private func count(of violation: Violation) -> Int { counts[violation.rawValue] ?? 0 }

  /// Violations; with `isVerbose`, also rules that pass or cannot be checked.
  func lines(isVerbose: Bool) -> [String] {
    if let obstacle { return ["\(file): not checked: \(obstacle.message)"] }
    let violated = mergedRules
    var lines = ["\(file): \(standards.joined(separator: ", ")): \(summary(violated))"]
    lines += (fixes ?? []).map { "  \($0.text)" }
    if fixes == [] {
      let isGood = Violation.allCases.allSatisfy { count(of: $0) == 0 }
      lines.append(isGood ? "  nothing to fix" : "  nothing could be fixed")
    }
    lines += violated.flatMap { $0.rule.lines(of: $0.findings, named: $0.ids) }
    guard isVerbose else { return lines }
    for rule in rules where rule.verdict == Verdict.notCheckable.rawValue {
      lines.append("  ?         \(rule.id)  \(rule.title): \(rule.reason ?? "")")
    }
    for rule in rules where rule.verdict == Verdict.pass.rawValue {
      lines.append("  pass      \(rule.id)  \(rule.title)")
    }
    return lines
  }

  private typealias MergedRule = (rule: RuleReport, findings: [FindingReport], ids: [String])

  /// Violated rules, the worst first; findings that rules share are listed for the first of them.
  private var mergedRules: [MergedRule] {
    var merged: [MergedRule] = []
    let violated = Violation.allCases.flatMap { violation in
      rules.filter { $0.violationFound == violation }
    }
    for rule in violated {
      let findings = rule.findings.filter { finding in
        !merged.contains { $0.findings.contains { $0.isSame(as: finding) } }
      }
      guard findings.isEmpty, rule.omittedFindings == 0, let first = rule.findings.first,
        let index = merged.firstIndex(where: { $0.findings.contains { $0.isSame(as: first) } })
      else {
        merged.append((rule, findings, [rule.id]))
        continue
      }
      merged[index].ids.append(rule.id)
    }
    return merged
  }

  /// Like `31 passed, 1 broken, 2 deviations, 1 advice`, without classes that do not occur.
  private func summary(_ violated: [MergedRule]) -> String {
    func count(of violation: Violation) -> Int {
      violated.count { $0.rule.violationFound == violation }
    }
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

extension ValidationReport.FixReport {
  /// Like `fixed: diffuse white 0 cd/m² -> 203 cd/m² (22028-5/H5-DW-2)`.
  fileprivate var text: String {
    let values = before.flatMap { before in after.map { " \(before) -> \($0)" } } ?? ""
    return "\(action): \(name)\(values) (\(reason ?? rule))"
  }
}

extension ValidationReport.RuleReport {
  /// The class of the worst finding; `nil` if the rule is not violated.
  fileprivate var violationFound: Violation? { Violation(rawValue: verdict) }

  private static let mostFindings = 5

  /// The rule, its first findings, and the commands that fix them.
  ///
  /// - Parameters:
  ///   - findings: Those that no other rule lists.
  ///   - ids: The rules that share the findings.
  /// - Returns: Lines for people.
  fileprivate func lines(
    of findings: [ValidationReport.FindingReport], named ids: [String]
  ) -> [String] {
    let isBroken = violationFound == .broken
    let name = (isBroken ? "BROKEN" : violation).padded(to: 8)
    let reason = isBroken ? effect.map { ": \($0)" } ?? "" : ""
    let names = ids.joined(separator: ", ")
    let level =
      level == Rule.Level.ours.rawValue ? "this project's rule; \(source)" : "\(level), \(source)"
    var lines = ["  \(name)  \(names)  \(title) (\(level))\(reason)"]
    var remedies: [String] = []
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
      if let remedy = finding.remedy, !remedies.contains(remedy) { remedies.append(remedy) }
    }
    let more = omittedFindings + max(findings.count - Self.mostFindings, 0)
    if more > 0 { lines.append("        and \(more) more") }
    return lines + remedies.map { "        try: \($0)" }
  }
}

extension ValidationReport.FindingReport {
  /// Whether people read the same about the same place.
  fileprivate func isSame(as other: Self) -> Bool {
    message == other.message && location?.path == other.location?.path
      && location?.byteOffset == other.location?.byteOffset
  }
}

extension Fix {
  /// The command that makes the change.
  func command(for file: String) -> String {
    let words =
      arguments.map { ["tag", file.asArgument] + $0 } ?? ["validate", "--fix", file.asArgument]
    return (["hdrconvert"] + words + ["-o", file.named("fixed").asArgument]).joined(separator: " ")
  }

  /// The options of `hdrconvert tag` that make the change; `nil` if only `validate --fix` does.
  private var arguments: [String]? {
    switch self {
    case .correctStructure, .dropGainMap: nil
    case .measureLightLevel: ["--set", "clli=auto"]
    case .measureColorVolume: ["--set", "cclv=auto"]
    case .setDiffuseWhite(let luminance): ["--set", "ndwt=\(luminance.formattedShort)"]
    case .setCICP(let cicp): ["--set", "cicp=\(cicp.description)"]
    case .dropMasteringDisplay: ["--strip", "mdcv"]
    case .dropAmbientEnvironment: ["--strip", "amve"]
    case .dropReferenceEnvironment: ["--strip", "reve"]
    case .dropProfile: ["--strip", "icc"]
    }
  }
}
