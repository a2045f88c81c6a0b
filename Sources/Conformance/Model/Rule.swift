// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// A requirement or recommendation with its check.
public struct Rule: Sendable {
  /// Strength of a requirement.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Requirement of a standard.
    case must
    /// Recommendation of a standard.
    case should
    /// Requirement of the toolkit: a violation is a contradiction, or fails in known readers.
    case ours
  }

  /// Stable identifier, such as `22028-5/H5-TF-1` or `avif/av1c-once`.
  public let id: String
  /// The standard that contains the rule.
  public let standard: Standard
  /// Whether it is a requirement or a recommendation.
  public let level: Level
  /// The clause, or another source.
  public let source: String
  /// The requirement, as a statement.
  public let title: String
  /// Effect of a violation on readers; `nil` if no known reader is affected.
  public let effect: String?
  /// Description of violations that do not affect any known reader, of a rule with an `effect`;
  /// `nil` if all do.
  public let exception: String?
  let check: Check

  /// Class of the worst violation.
  public var violation: Violation { effect == nil ? harmlessViolation : .broken }

  /// Class of a violation that does not affect any known reader.
  public var harmlessViolation: Violation { level == .must ? .deviates : .advice }

  /// Finds violations: empty if there are none, `nil` if the rule does not apply.
  ///
  /// Throws the reason if the rule cannot be checked.
  typealias Check = @Sendable (CheckedFile) throws(ImageError) -> [Finding]?

  init(
    _ id: String, _ standard: Standard, _ level: Level, _ source: String, _ title: String,
    effect: String? = nil, except exception: String? = nil, check: @escaping Check
  ) {
    self.id = id
    self.standard = standard
    self.level = level
    self.source = source
    self.title = title
    self.effect = effect
    self.exception = exception
    self.check = check
  }

  /// Every rule, family after family.
  public static let all: [Rule] =
    SignalingRules.all + LightRules.all + PayloadRules.all + ToneMapRules.all
    + HEIFStructureRules.all + HEIFPropertyRules.all + DerivedImageRules.all + HEVCRules.all
    + AVIFRules.all + PNGRules.all + JPEGRules.all + UltraHDRRules.all + JPEGXLRules.all
    + JPEGXRRules.all + GainMapSampleRules.all + ICCRules.all + DNGRules.all
}
