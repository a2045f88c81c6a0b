// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ItemProperty {
  /// The property without a location; `nil` if it is removed.
  func withoutLocation(
    in type: FourCC, _ findings: inout PrivacyFindings
  ) throws(ImageError) -> ItemProperty? {
    let name = "property '\(self.type)'"
    guard try LocationEvidence.isPresent(in: contentBytes) else {
      let isRead = try hasSurplus ? false : !isUnread(in: type)
      if !isRead { findings.keep([name]) }
      return self
    }
    if privateContent(in: type) != nil {
      findings.drop(name)
      return nil
    }
    let needed = try withoutSurplus
    if try !LocationEvidence.isPresent(in: needed.contentBytes) {
      findings.drop("bytes after the fields of \(name)")
      return needed
    }
    guard !isOptionalForReaders else {
      findings.drop(name)
      return nil
    }
    findings.keep([name])
    return self
  }

  /// Whether the content is of an unknown type other than texts and times.
  func isUnread(in item: FourCC) -> Bool {
    isRefused(in: item) || privateContent(in: item) != nil && !Self.descriptions.contains(type)
  }

  /// Whether the image cannot be shown with the property: it is essential or a size or a configuration,
  /// and neither known nor a description.
  func isRefused(in item: FourCC) -> Bool {
    switch box {
    case .unknown(let type, _, _):
      isEssential && !Self.descriptions.contains(type) && !isNeeded(in: item)
        && !["iscl", "rref"].contains(type)
    case .unreadable(let type, _, _): isEssential || ["ispe", "hvcC", "av1C"].contains(type)
    default: false
    }
  }

  /// Whether the property is the configuration of the codec of an item.
  func isConfiguration(of item: FourCC) -> Bool {
    if case .unreadable = box { return false }
    return Self.configurations[item]?.contains(type) == true
  }

  private func isNeeded(in item: FourCC) -> Bool {
    Self.neededByAll.contains(type) || Self.needed[item]?.contains(type) == true
      || isConfiguration(of: item)
  }

  /// Texts and times.
  private static let descriptions: Set<FourCC> = ["udes", "altt", "crtt", "mdft"]

  /// Whether bytes follow the fields, or a profile has tags that are neither colors nor texts.
  fileprivate var hasSurplus: Bool {
    get throws(ImageError) {
      if case .colorInformation(.unrestrictedICC(let profile)) = box {
        return ICCProfile.trimmed(profile, keepsTexts: true) != profile
      }
      let minimal = try withoutSurplus
      return minimal.box != box || minimal.contentBytes.count < contentBytes.count
    }
  }

  /// The property without bytes after its fields, such tags, and units that decoders skip.
  var withoutSurplus: ItemProperty {
    get throws(ImageError) {
      let needed: Box? =
        switch box {
        case .unreadable: nil
        case .hevcConfiguration(let record): .hevcConfiguration(try record.withoutUserData())
        case .av1Configuration(let record): .av1Configuration(try record.withoutUserData())
        case .colorInformation(.unrestrictedICC(let profile)):
          ICCProfile.trimmed(profile).map { .colorInformation(.unrestrictedICC($0)) }
        case .colorInformation(.restrictedICC(let profile)):
          ICCProfile.trimmed(profile).map { .colorInformation(.restrictedICC($0)) }
        case .unknown(let type, let userType, let content):
          Self.fieldSize(of: type, content).map {
            .unknown(type, userType: userType, content: Array(content.prefix($0)))
          }
        // The subtypes of other types than those of MPEG are not specified.
        case .auxiliaryType(let auxiliary) where !auxiliary.auxiliaryType.hasPrefix("urn:mpeg:"):
          .auxiliaryType(AuxiliaryTypeBox(auxiliary.auxiliaryType))
        default: box
        }
      guard let needed, needed != box || isIrregular else { return self }
      return ItemProperty(needed, isEssential: isEssential)
    }
  }

  /// Content of a property that readers do not need; `nil` for others.
  ///
  /// Descriptions, times, identifiers, and others that are unknown or cannot be parsed and are not
  /// essential. Sizes, and configurations of codecs that this library does not parse, are needed.
  ///
  /// - Parameter item: The type of the item.
  /// - Returns: The content; `nil` for a property that readers need.
  func privateContent(in item: FourCC) -> [UInt8]? {
    switch box {
    case .unknown(let type, let userType, let content):
      guard Self.descriptions.contains(type) || !isEssential && !isNeeded(in: item) else {
        return nil
      }
      return (userType ?? []) + content
    case .colorInformation(.other(_, let content)): return content
    case .colorInformation(.unrestrictedICC(let profile)),
      .colorInformation(.restrictedICC(let profile)):
      return ICCProfile.trimmed(profile) == nil ? profile : nil
    case .unreadable(let type, let content, _)
    where !isEssential && !["ispe", "hvcC", "av1C"].contains(type):
      return content
    default: return nil
    }
  }

  /// Whether readers that need the property show the image without it as well.
  fileprivate var isOptionalForReaders: Bool { !isEssential && Self.neededByAll.contains(type) }

  /// Positions of the image and of its camera.
  private static let neededByAll: Set<FourCC> = ["rloc", "cmin", "cmex"]

  /// Configurations of codecs by the types of items, which decoders refuse without one.
  ///
  /// Source: ISO/IEC 14496-15, 23001-17 and 23008-12.
  static let configurations: [FourCC: Set<FourCC>] = [
    "hvc1": ["hvcC"], "hev1": ["hvcC"], "hvt1": ["hvcC"], "lhv1": ["lhvC"], "lhe1": ["lhvC"],
    "avc1": ["avcC"], "svc1": ["avcC"], "mvc1": ["avcC"],
    "vvc1": ["vvcC", "vvnC"], "vvn1": ["vvcC", "vvnC"], "evc1": ["evcC"],
    "j2k1": ["j2kH"], "j2ki": ["j2kH"], "mski": ["mskC"], "unci": ["uncC"], "tili": ["tilC"],
  ]

  /// Other properties by the types of items that need them.
  ///
  /// Source: ISO/IEC 14496-15, 23001-17 and 23008-12.
  private static let needed: [FourCC: Set<FourCC>] = [
    "lhv1": ["oinf", "tols"], "lhe1": ["oinf", "tols"], "jpeg": ["jpgC"],
    "unci": ["cmpd", "cmpC", "icef", "cpat", "splz", "cloc", "disi", "fcat", "snuc", "bpat"],
  ]

  /// Size of the fields of a property that is not parsed; `nil` for other types and for content that
  /// is too short.
  ///
  /// Source: ISO/IEC 23008-12, 6.5, B.2.3 and annex L.
  private static func fieldSize(of type: FourCC, _ content: [UInt8]) -> Int? {
    // Version and flags.
    guard content.count >= 4 else { return nil }
    let flags = content[3]
    switch type {
    case "rloc", "iscl": return 12
    case "rref": return content.count > 4 ? 5 + 4 * Int(content[4]) : nil
    case "tols": return 6
    case "mskC": return 5
    case "cmin": return flags & 1 == 0 ? 16 : 24
    case "cmex":
      // A position and an identifier of 32 bits each, and three components of the orientation.
      let width = content[0] == 0 && flags & 0x10 == 0 ? 2 : 4
      return 4 + 4 * (flags & 0x27).nonzeroBitCount + (flags & 8 == 0 ? 0 : 3 * width)
    default: return nil
    }
  }
}
