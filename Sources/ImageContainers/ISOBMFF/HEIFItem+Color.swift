public import HDRCore

extension HEIFItem {
  /// Code points of the first `nclx` color description.
  public var cicp: CICP? {
    for property in properties {
      if case .colorInformation(.nclx(let cicp)) = property.box { return cicp }
    }
    return nil
  }

  /// The first ICC profile; one without a byte says nothing.
  public var icc: [UInt8]? {
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

  /// Whether there is an ICC profile without a byte.
  public var hasEmptyProfile: Bool {
    properties.contains {
      $0.box == .colorInformation(.unrestrictedICC([]))
        || $0.box == .colorInformation(.restrictedICC([]))
    }
  }

  /// Makes the item have these color descriptions and no others: a profile before code points.
  public mutating func setColor(cicp: CICP?, icc: [UInt8]?) {
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
