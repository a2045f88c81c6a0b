// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
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
  fileprivate func edit(
    fixing judgments: [Judgment]
  ) throws(ImageError) -> MetadataEdit {
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
