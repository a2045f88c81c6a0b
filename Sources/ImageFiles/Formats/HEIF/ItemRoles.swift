// SPDX-License-Identifier: Apache-2.0

/// Roles of the items in a file, derived once from their references.
package struct ItemRoles {
  private let primary: UInt32?
  /// Inputs of derived images, by item ID.
  private let inputs: [UInt32: [UInt32]]
  private let toneMapped: Set<UInt32>
  private let gainMaps: Set<UInt32>
  private let thumbnails: Set<UInt32>
  private let withAlpha: Set<UInt32>
  /// Images that are not inputs of other images except tone maps, in file order.
  package let images: [HEIFItem]

  package init(of file: HEIFFile, gainMaps: GainMapInventory) {
    primary = file.primaryItemID
    let derivations = file.references.filter { $0.type == "dimg" }
    inputs = Dictionary(derivations.map { ($0.from, $0.to) }, uniquingKeysWith: +)
    let toneMapped = Set(file.items.lazy.filter { $0.type == "tmap" }.map(\.id))
    self.toneMapped = toneMapped
    self.gainMaps = Set(
      gainMaps.maps.compactMap { if case .item(let id) = $0.location { id } else { nil } })
    thumbnails = Set(file.references.lazy.filter { $0.type == "thmb" }.map(\.from))
    let alphas = Set(
      file.items.lazy.filter { $0.property(AuxiliaryTypeBox.self)?.isAlpha ?? false }.map(\.id))
    withAlpha = Set(
      file.references.lazy.filter { $0.type == "auxl" && alphas.contains($0.from) }.flatMap(\.to))
    let ingredients = Set(derivations.lazy.filter { !toneMapped.contains($0.from) }.flatMap(\.to))
    images = file.items.filter {
      !ingredients.contains($0.id) && !$0.isMetadata
        && $0.property(ImageSpatialExtentsBox.self) != nil
    }
  }

  package func hasAlpha(_ id: UInt32) -> Bool { withAlpha.contains(id) }

  /// An item and all direct and indirect inputs that it is derived from.
  package func ingredients(of id: UInt32) -> Set<UInt32> {
    var found: Set<UInt32> = [id]
    var waiting = [id]
    while let next = waiting.popLast() {
      for input in inputs[next] ?? [] where found.insert(input).inserted { waiting.append(input) }
    }
    return found
  }

  package func role(of item: HEIFItem) -> FileImage.Role {
    if item.id == primary { return .primary }
    if toneMapped.contains(item.id) { return .alternate }
    if gainMaps.contains(item.id) { return .gainMap }
    if thumbnails.contains(item.id) { return .thumbnail }
    guard let type = item.property(AuxiliaryTypeBox.self) else { return .other }
    return type.isAlpha ? .alpha : FileImage.Role(auxiliaryType: type.auxiliaryType)
  }
}

extension FileImage.Role {
  /// Creates the role for the type URN of an auxiliary image.
  package init(auxiliaryType: String) {
    let depth = ["urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"]
    if GainMapAuxiliary(auxiliaryType: auxiliaryType) != nil {
      self = .gainMap
    } else if depth.contains(auxiliaryType) || auxiliaryType.hasSuffix(":depth") {
      self = .depth
    } else if auxiliaryType.hasSuffix("matte") {
      self = .matte
    } else {
      self = .auxiliary
    }
  }
}

extension HEIFFile {
  /// Depth maps and mattes of an image, which are gray and independent of its encoding.
  package func auxiliaries(of id: UInt32) -> [UInt32] {
    references(to: id, type: "auxl").filter { auxiliary in
      guard let type = item(auxiliary)?.property(AuxiliaryTypeBox.self), !type.isAlpha else {
        return false
      }
      return [.depth, .matte].contains(FileImage.Role(auxiliaryType: type.auxiliaryType))
    }
  }
}
