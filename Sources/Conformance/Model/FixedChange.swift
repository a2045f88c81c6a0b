// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A change of a file that fixed a violation.
public struct FixedChange: Hashable, Sendable {
  /// Result of the change for the metadata or structure.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case fixed
    case dropped
  }

  /// Previous and new value of metadata.
  public struct Values: Hashable, Sendable {
    /// The value in the original file, for people.
    public let old: String
    /// The value in the fixed file, for people.
    public let new: String
  }

  /// Whether it was fixed or dropped.
  public let action: Action
  /// The changed or dropped metadata, or the violation of the structure.
  public let name: String
  /// Previous and new value, of metadata that have both; `nil` for other changes.
  public let values: Values?
  /// Reason for dropping metadata, for people; `nil` for other changes.
  public let reason: String?
  /// ID of the rule that was violated.
  public let rule: String

  private init(
    _ action: Action, _ name: String, values: Values? = nil,
    reason: String? = nil, rule: String
  ) {
    (self.action, self.name, self.values) = (action, name, values)
    (self.reason, self.rule) = (reason, rule)
  }

  /// The changes that explain why findings are gone; metadata that changed for several rules are
  /// listed once.
  static func changes(
    from old: (file: CheckedFile, judgments: [Judgment]),
    to new: (file: CheckedFile, judgments: [Judgment])
  ) -> [FixedChange] {
    var seen: Set<String> = []
    return zip(old.judgments, new.judgments).flatMap { before, after in
      var remaining: [Identity: Int] = [:]
      for finding in after.findings { remaining[Identity(finding), default: 0] += 1 }
      let gone = before.findings.filter { finding in
        let count = remaining[Identity(finding), default: 0]
        remaining[Identity(finding)] = count - 1
        return count <= 0
      }
      return gone.compactMap { finding in
        let change = change(finding, rule: before.rule.id, old.file, new.file)
        return seen.insert(change.name).inserted ? change : nil
      }
    }
  }

  /// Properties of a finding that a fix of another one does not change, unlike offsets and values.
  private struct Identity: Hashable {
    let path: [String]
    let fix: Fix?

    init(_ finding: Finding) { (path, fix) = (finding.location.path, finding.fix) }
  }

  private static func change(
    _ finding: Finding, rule: String, _ old: CheckedFile, _ new: CheckedFile
  ) -> FixedChange {
    func fixed(_ name: String, _ value: (CheckedFile) -> String?) -> FixedChange {
      FixedChange(
        .fixed, name,
        values: Values(old: value(old) ?? "unspecified", new: value(new) ?? "unspecified"),
        rule: rule)
    }
    func dropped(_ name: String) -> FixedChange {
      FixedChange(.dropped, name, reason: finding.message, rule: rule)
    }
    return switch finding.fix {
    case .measureLightLevel:
      fixed("light level") { $0.light.level.map { LightRules.text($0.value) } }
    case .measureColorVolume: FixedChange(.fixed, "color volume (measured)", rule: rule)
    case .setDiffuseWhite:
      fixed("diffuse white") { $0.light.diffuseWhite.map { "\($0.value.threeDigits) cd/m²" } }
    case .setCICP: fixed("code points") { $0.color.codePoints.first?.value.title }
    case .dropMasteringDisplay: dropped("mastering display")
    case .dropAmbientEnvironment: dropped("ambient viewing environment")
    case .dropReferenceEnvironment: dropped("reference viewing environment")
    case .dropProfile: dropped("ICC profile")
    case .dropGainMap: dropped("gain map")
    case .correctStructure, nil:
      FixedChange(
        .fixed, finding.message + (finding.location.path.last.map { " [\($0)]" } ?? ""), rule: rule)
    }
  }
}
