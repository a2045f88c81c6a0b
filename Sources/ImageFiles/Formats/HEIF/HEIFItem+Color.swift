// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEIFItem {
  /// Code points of the first `nclx` color description; `nil` if missing.
  package var cicp: CICP? {
    for property in properties {
      if case .colorInformation(.nclx(let cicp)) = property.box { return cicp }
    }
    return nil
  }

  /// The first ICC profile that is not empty; `nil` if missing.
  package var icc: [UInt8]? {
    for property in properties {
      switch property.box {
      case .colorInformation(.unrestrictedICC(let profile)),
        .colorInformation(.restrictedICC(let profile)):
        if !profile.isEmpty { return profile }
      default: continue
      }
    }
    return nil
  }

  /// Whether the item has an ICC profile of 0 bytes, which `icc` skips.
  package var hasEmptyProfile: Bool {
    properties.contains {
      $0.box == .colorInformation(.unrestrictedICC([]))
        || $0.box == .colorInformation(.restrictedICC([]))
    }
  }

  /// Replaces all color descriptions, including those of other types; a profile precedes code
  /// points.
  ///
  /// - Parameters:
  ///   - cicp: Code points for `nclx`; `nil` for none.
  ///   - icc: An ICC profile for `prof`; `nil` for none.
  package mutating func setColor(cicp: CICP?, icc: [UInt8]?) {
    var colors: [ItemProperty] = []
    if let icc { colors.append(ItemProperty(.colorInformation(.unrestrictedICC(icc)))) }
    if let cicp { colors.append(ItemProperty(.colorInformation(.nclx(cicp)))) }
    let first = properties.firstIndex { $0.type == ColorInformationBox.boxType }
    properties.removeAll { $0.type == ColorInformationBox.boxType }
    let rank = ItemProperty.Box.colorInformation(.unrestrictedICC([])).rank
    let place = first ?? properties.firstIndex { $0.box.rank > rank } ?? properties.endIndex
    properties.insert(contentsOf: colors, at: place)
  }
}
