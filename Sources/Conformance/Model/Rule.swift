// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion

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

/// A standard that files are checked against.
public enum Standard: String, Hashable, Sendable, CaseIterable {
  /// HDR still images.
  case iso22028 = "22028-5"
  /// Gain maps.
  case iso21496 = "21496-1"
  /// Items in an ISO base media file, with the rules of MIAF.
  case heif
  case avif
  case png
  /// JPEG segments, and Ultra HDR.
  case jpeg
  /// JPEG XL boxes and levels.
  case jpegXL = "jpegxl"
  /// JPEG XR containers.
  case jpegXR = "jpegxr"
  case icc
  /// Raw images.
  case dng

  /// Name for people.
  public var title: String {
    switch self {
    case .iso22028: "ISO 22028-5, HDR still images"
    case .iso21496: "ISO 21496-1, gain maps"
    case .heif: "HEIF (ISO/IEC 23008-12) and MIAF (ISO/IEC 23000-22)"
    case .avif: "AVIF"
    case .png: "PNG, Third Edition"
    case .jpeg: "JPEG and Ultra HDR"
    case .jpegXL: "JPEG XL (ISO/IEC 18181)"
    case .jpegXR: "JPEG XR (ITU-T T.832)"
    case .icc: "ICC profiles"
    case .dng: "DNG 1.7.1"
    }
  }
}
