internal import HDRConversion
public import HDRCore
internal import ImageCodecs
public import ImageContainers
internal import ImageFiles

/// A file after repairs by edits of its metadata.
public struct RepairedFile: Sendable {
  /// The repaired file.
  public let bytes: SplicedBytes
  /// The repaired file, parsed.
  public let checked: CheckedFile

  /// Limit of repetitions: a repair of color, for example, changes measured light levels.
  private static let maximumRounds = 3

  /// Repairs violations of some standards.
  ///
  /// Encoded images do not change.
  ///
  /// - Parameters:
  ///   - checked: The file.
  ///   - standards: The standards.
  /// - Returns: The repaired file; `nil` if there is nothing to repair.
  /// - Throws: Errors of editing or decoding the file.
  public static func repairing(
    _ checked: CheckedFile, by standards: Set<Standard>
  ) throws(ImageError) -> RepairedFile? {
    var repaired: RepairedFile?
    for _ in 0..<maximumRounds {
      let current = repaired?.checked ?? checked
      let edit = try current.edit(repairing: current.judged(by: standards))
      guard !edit.isEmpty else { break }
      let edited = try current.file.edited(edit)
      guard !edited.isUnchanged else { break }
      repaired = RepairedFile(bytes: edited.bytes, checked: try CheckedFile(edited.file))
    }
    return repaired
  }
}

extension CheckedFile {
  /// The edit with all repairs of the findings.
  fileprivate func edit(
    repairing judgments: [Judgment]
  ) throws(ImageError) -> MetadataEdit {
    var edit = MetadataEdit()
    for judgment in judgments where judgment.verdict == .fail || judgment.verdict == .warn {
      for repair in judgment.findings.compactMap(\.repair) {
        switch repair {
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
        case .arrange: edit.arranges = true
        }
      }
    }
    return edit
  }
}
