internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// One requirement: what it asks for, who asks, and how to find out.
public struct Rule: Sendable {
  /// Who asks, and how much.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// A standard demands it.
    case must
    /// A standard recommends it.
    case should
    /// The toolkit asks for it: the file would contradict itself, or well-known readers stumble.
    case ours
  }

  /// Like `22028-5/H5-TF-1` or `avif/av1c-once`; stable.
  public let id: String
  /// The standard that contains the rule.
  public let standard: Standard
  /// Whether it is a requirement or a recommendation.
  public let level: Level
  /// The clause, or another source.
  public let source: String
  /// What holds for a file that passes.
  public let title: String
  /// The verdict on a file that does not.
  public let violation: Verdict
  let check: Check

  /// Finds what breaks the rule: nothing if the file keeps it, `nil` if it does not concern the file.
  ///
  /// Throws why it cannot be told.
  typealias Check = @Sendable (CheckedFile) throws(ImageError) -> [Finding]?

  init(
    _ id: String, _ standard: Standard, _ level: Level, _ source: String, _ title: String,
    violation: Verdict? = nil, check: @escaping Check
  ) {
    self.id = id
    self.standard = standard
    self.level = level
    self.source = source
    self.title = title
    self.violation = violation ?? (level == .must ? .fail : .warn)
    self.check = check
  }

  /// Every rule, family after family.
  public static let all: [Rule] =
    SignalingRules.all + LightRules.all + PayloadRules.all + ToneMapRules.all
    + HEIFStructureRules.all + HEIFPropertyRules.all + DerivedImageRules.all + HEVCRules.all
    + AVIFRules.all + PNGRules.all + JPEGRules.all + UltraHDRRules.all + ICCRules.all
}
