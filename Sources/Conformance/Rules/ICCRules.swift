internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// ICC profiles, wherever they are embedded.
enum ICCRules {
  private static let text = "ICC.1:2022"

  static let all: [Rule] = [
    rule("readable", .must, "\(text), 7.2", "Header and tag table can be read", readable),
    rule("size", .must, "\(text), 7.2.2", "The header has the profile's size", size),
    rule("tag-layout", .must, "\(text), 7.3", "Tags lie within the profile, each once", tagLayout),
    rule(
      "required-tags", .must, "\(text), 8",
      "The tags that every profile and its model need are there",
      requiredTags),
    rule(
      "media-white", .must, "\(text), 8.2 and 9.2.34", "The white of a display of version 4 is D50",
      mediaWhite),
    rule(
      "cicp-form", .must, "\(text), 10.3", "'cicp' has 12 bytes, and matrix 0 for RGB", cicpForm),
    rule(
      "cicp-version", .must, "\(text), 9.2.17", "'cicp' comes in version 4.4 or later", cicpVersion),
    rule(
      "cicp-class", .must, "\(text), 9.2.17", "'cicp' is in a profile of an input or a display",
      cicpClass),
    rule(
      "cicp-colorants", .ours, "\(text), 9.2.17",
      "'cicp' has the primaries that the colorants say", violation: .fail, cicpColorants),
  ]

  private static func rule(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String,
    violation: Verdict? = nil, _ check: @escaping @Sendable (EmbeddedProfile) -> [String]?
  ) -> Rule {
    Rule("icc/\(id)", .icc, level, source, title, violation: violation) { checked in
      let results = checked.profiles.map { ($0, check($0)) }.filter { $0.1 != nil }
      guard !results.isEmpty else { return nil }
      return results.flatMap { fact, messages in
        (messages ?? []).map { Finding($0, at: fact.location, repair: nil) }
      }
    }
  }

  private static func readable(_ fact: EmbeddedProfile) -> [String]? {
    if case .failure(let error) = fact.profile { return [error.message] }
    return []
  }

  private static func size(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable else { return nil }
    return profile.header.size == fact.bytes.count
      ? [] : ["\(fact.bytes.count) bytes; the header says \(profile.header.size)"]
  }

  private static func tagLayout(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable else { return nil }
    // Notices without a tag are of the header, those of 'cicp' of its content.
    return profile.notices.filter { $0.location.path.count > 1 && $0.location.path[1] != "cicp" }
      .map { "'\($0.location.path[1])': \($0.message)" }
  }

  private static func requiredTags(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable else { return nil }
    typealias Signature = ICCProfile.Signature
    func missing(_ signatures: [Signature]) -> [Signature] {
      signatures.filter { profile.tag($0) == nil }
    }
    var absent = missing([.profileDescription, .copyright, .mediaWhite])
    let tables = missing([.perceptualTable])
    if !tables.isEmpty {
      if profile.header.colorSpace == .gray {
        absent += missing([.grayCurve])
      } else if profile.header.colorSpace == .rgb {
        absent += missing([
          .redColorant, .greenColorant, .blueColorant, .redCurve, .greenCurve, .blueCurve,
        ])
      } else {
        absent += tables
      }
    }
    return absent.map { "no '\($0)'" }
  }

  private static func mediaWhite(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable, profile.header.deviceClass == .displayDevice,
      profile.header.majorVersion >= 4, let white = profile.xyz(.mediaWhite)
    else { return nil }
    let difference = white - SIMD3(0.9642, 1, 0.8249)
    return max(difference.max(), -difference.min()) <= 2e-3
      ? [] : ["\(white.x.formattedShort), \(white.y.formattedShort), \(white.z.formattedShort)"]
  }

  private static func cicpForm(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable, profile.tag(.cicp) != nil else { return nil }
    return profile.notices.filter { $0.location.path.dropFirst().first == "cicp" }.map(\.message)
  }

  private static func cicpVersion(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable, profile.tag(.cicp) != nil else { return nil }
    let version = (profile.header.majorVersion, profile.header.minorVersion)
    return version >= (4, 4) ? [] : ["version \(version.0).\(version.1)"]
  }

  private static func cicpClass(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable, profile.tag(.cicp) != nil else { return nil }
    let device = profile.header.deviceClass
    return device == .displayDevice || device == ICCProfile.Signature(rawValue: 0x7363_6E72)
      ? [] : ["class '\(device)'"]
  }

  private static func cicpColorants(_ fact: EmbeddedProfile) -> [String]? {
    guard let profile = fact.readable, let cicp = profile.cicp,
      let stated = ColorPrimaries(cicp.primaries), case .matrix(let model) = profile.model,
      let colorants = model.primaries
    else { return nil }
    return stated.isClose(to: colorants, tolerance: 0.002)
      ? [] : ["color primaries \(cicp.primaries.rawValue) are not those of the colorants"]
  }
}
