// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of embedded ICC profiles.
enum ICCRules {
  private static let text = "ICC.1:2022"

  private static let ignored = "readers ignore the profile"

  static let all: [Rule] = [
    rule(
      "readable", .must, "\(text), 7.2", "Header and tag table are readable", effect: ignored,
      readable),
    rule(
      "size", .must, "\(text), 7.2.2", "The header has the size of the profile",
      effect: "Little CMS and Skia reject a truncated profile", except: "a smaller size", size),
    rule(
      "profile-id", .must, "\(text), 7.2.18",
      "The profile ID is zero or the MD5 digest of the profile", fix: .correctStructure, profileID),
    rule(
      "tag-layout", .must, "\(text), 7.3", "Tags are within the profile, without duplicates",
      effect: "Little CMS and Skia reject the profile", except: "overlapping tags", tagLayout),
    rule(
      "required-tags", .must, "\(text), 8", "The profile has the required tags",
      effect: ignored, except: "texts and the white point", requiredTags),
    rule(
      "media-white", .must, "\(text), 8.2 and 9.2.34",
      "The media white point of version 4 display profiles is D50",
      mediaWhite),
    rule(
      "cicp-form", .must, "\(text), 10.3", "'cicp' has 12 bytes, and matrix 0 for RGB",
      effect: "readers ignore the tag, or read other values", cicpForm),
    rule(
      "cicp-version", .must, "\(text), 9.2.17", "'cicp' requires version 4.4 or later", cicpVersion),
    rule(
      "cicp-class", .must, "\(text), 9.2.17", "'cicp' is in an input or display profile",
      cicpClass),
    rule(
      "cicp-colorants", .ours, "\(text), 9.2.17", "'cicp' has the primaries of the colorants",
      effect: "readers differ in which they use", cicpColorants),
  ]

  /// A message, and whether the violation is harmless.
  private typealias Message = (text: String, isHarmless: Bool)

  private static func rule(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil, fix: Fix? = nil,
    _ check: @escaping @Sendable (EmbeddedProfile) -> [Message]?
  ) -> Rule {
    Rule("icc/\(id)", .icc, level, source, title, effect: effect, except: exception) { checked in
      let results = checked.profiles.map { ($0, check($0)) }.filter { $0.1 != nil }
      guard !results.isEmpty else { return nil }
      return results.flatMap { embedded, messages in
        (messages ?? []).map {
          Finding(
            $0.text, at: embedded.location, fix: checked.profilesAreEditable ? fix : nil,
            isHarmless: $0.isHarmless)
        }
      }
    }
  }

  private static func readable(_ embedded: EmbeddedProfile) -> [Message]? {
    if case .failure(let error) = embedded.profile { return [(error.message, false)] }
    return []
  }

  private static func size(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable else { return nil }
    let count = embedded.bytes.count
    return profile.header.size == count
      ? []
      : [("\(count) bytes; the header has \(profile.header.size)", profile.header.size < count)]
  }

  private static func profileID(_ embedded: EmbeddedProfile) -> [Message]? {
    guard embedded.readable != nil else { return nil }
    return ICCProfile.correctingIdentifier(of: embedded.bytes) == embedded.bytes
      ? [] : [("not the digest of the profile", false)]
  }

  private static func tagLayout(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable else { return nil }
    // Notices without a tag concern the header, those of 'cicp' its content.
    return profile.notices.filter { $0.location.path.count > 1 && $0.location.path[1] != "cicp" }
      .map { ("'\($0.location.path[1])': \($0.message)", $0.code.id == "icc/tags-overlap") }
  }

  private static func requiredTags(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable else { return nil }
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
    let unused: Set<Signature> = [.profileDescription, .copyright, .mediaWhite]
    return absent.map { ("no '\($0)'", unused.contains($0)) }
  }

  private static func mediaWhite(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable, profile.header.deviceClass == .displayDevice,
      profile.header.majorVersion >= 4, let white = profile.xyz(.mediaWhite)
    else { return nil }
    let difference = white - SIMD3(0.9642, 1, 0.8249)
    return max(difference.max(), -difference.min()) <= 2e-3
      ? []
      : [
        ("\(white.x.formattedShort), \(white.y.formattedShort), \(white.z.formattedShort)", false)
      ]
  }

  private static func cicpForm(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable, profile.tag(.cicp) != nil else { return nil }
    return profile.notices.filter { $0.location.path.dropFirst().first == "cicp" }
      .map { ($0.message, false) }
  }

  private static func cicpVersion(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable, profile.tag(.cicp) != nil else { return nil }
    let version = (profile.header.majorVersion, profile.header.minorVersion)
    return version >= (4, 4) ? [] : [("version \(version.0).\(version.1)", false)]
  }

  private static func cicpClass(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable, profile.tag(.cicp) != nil else { return nil }
    let device = profile.header.deviceClass
    return device == .displayDevice || device == ICCProfile.Signature(rawValue: 0x7363_6E72)
      ? [] : [("class '\(device)'", false)]
  }

  private static func cicpColorants(_ embedded: EmbeddedProfile) -> [Message]? {
    guard let profile = embedded.readable, let cicp = profile.cicp,
      let primaries = ColorPrimaries(cicp.primaries), case .matrix(let model) = profile.model,
      let colorants = model.primaries
    else { return nil }
    return primaries.isClose(to: colorants, tolerance: 0.002)
      ? []
      : [("color primaries \(cicp.primaries.rawValue) are not those of the colorants", false)]
  }
}
