// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles

/// A file after fixes of its metadata and structure.
public struct FixedFile: Sendable {
  /// The bytes of the fixed file; `nil` if nothing was fixed.
  public let bytes: SplicedBytes?
  /// The fixed file, parsed; the original one if nothing was fixed.
  public let checked: CheckedFile
  /// Judgments on the original file.
  public let before: [Judgment]
  /// Judgments on the fixed file.
  public let judgments: [Judgment]
  /// The changes; empty if nothing was fixed.
  public let changes: [FixedChange]

  /// Limit of repetitions: a fix of color, for example, changes measured light levels.
  private static let maximumRounds = 3

  /// Fixes violations of some standards.
  ///
  /// Encoded images do not change. A file whose format cannot be edited stays as it is;
  /// violations that the edits cannot fix remain.
  ///
  /// - Parameters:
  ///   - checked: The file.
  ///   - standards: The standards, such as `applicableStandards`.
  /// - Throws: Errors of editing or decoding the file.
  public init(fixing checked: CheckedFile, by standards: Set<Standard>) throws(ImageError) {
    let before = try checked.judgments(by: standards)
    var (current, judgments) = (checked, before)
    var bytes: SplicedBytes?
    var last = MetadataEdit()
    for _ in 0..<Self.maximumRounds where checked.file.isEditable {
      let edit = try current.edit(fixing: judgments)
      // The same edit again would not change the file.
      guard !edit.isEmpty, edit != last else { break }
      last = edit
      let edited = try current.file.editedWithDecodableGainMap(edit)
      guard !edited.isUnchanged else { break }
      current = try CheckedFile(edited.file)
      judgments = try current.judgments(by: standards)
      bytes = edited.bytes
    }
    let isChanged = judgments.findingCounts != before.findingCounts
    self.before = before
    self.bytes = isChanged ? bytes : nil
    self.checked = isChanged ? current : checked
    self.judgments = isChanged ? judgments : before
    changes =
      isChanged ? FixedChange.changes(from: (checked, before), to: (current, judgments)) : []
  }
}

extension [Judgment] {
  /// The number of findings of each rule.
  fileprivate var findingCounts: [Int] { map { $0.findings.count + $0.omittedCount } }
}

extension CheckedFile {
  /// The edit with the fixes of all findings.
  fileprivate func edit(fixing judgments: [Judgment]) throws(ImageError) -> MetadataEdit {
    var edit = MetadataEdit()
    for judgment in judgments where judgment.violation != nil {
      for fix in judgment.findings.compactMap(\.fix) {
        switch fix {
        case .measureLightLevel:
          edit.contentLightLevel = .set(try measuredLight().contentLightLevel)
        case .measureColorVolume:
          edit.contentColorVolume = .set(try measuredLight().contentColorVolume)
        case .setDiffuseWhite(let luminance): edit.diffuseWhite = .set(luminance)
        case .setCICP(let cicp): edit.codePoints = .set(cicp)
        case .dropMasteringDisplay: edit.masteringDisplay = .drop
        case .dropAmbientEnvironment: edit.ambientEnvironment = .drop
        case .dropReferenceEnvironment: edit.referenceEnvironment = .drop
        case .dropProfile: edit.profile = .drop
        // The edit drops a gain map that cannot be decoded.
        case .correctStructure, .dropGainMap: edit.correctsStructure = true
        }
      }
    }
    return edit
  }
}

/// A change of metadata or structure that fixes a finding.
public enum Fix: Hashable, Sendable {
  /// Measure the light level again.
  case measureLightLevel
  /// Measure the color volume again.
  case measureColorVolume
  /// Set the luminance of diffuse white, in cd/m².
  case setDiffuseWhite(Double)
  case setCICP(CICP)
  case dropMasteringDisplay
  case dropAmbientEnvironment
  case dropReferenceEnvironment
  case dropProfile
  case dropGainMap
  /// Correct everything that follows from the rest of the file: checksums, order, duplicates,
  /// brands, sizes, depths, configurations, offsets and profile IDs.
  case correctStructure
}

extension Double {
  /// Text with three significant digits.
  var threeDigits: String { DiagnosticTemplate("{number}").rendered(with: ["number": self]) }

  /// Text with at most four fractional digits, without trailing zeros.
  package var formattedShort: String {
    let rounded = (self * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? "\(Int(clamping: rounded))" : "\(rounded)"
  }
}

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
