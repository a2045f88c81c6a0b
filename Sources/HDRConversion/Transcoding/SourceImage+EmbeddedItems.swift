// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

extension ImageFile {
  /// Names of the items other than image and gain map: mattes, depth, previews, videos.
  var embeddedItems: [String] { embeddedItems(excluding: []) }

  /// Names of the items without some auxiliary images.
  fileprivate func embeddedItems(excluding known: Set<UInt32>) -> [String] {
    var names =
      namedAuxiliaries
      .filter {
        !$0.type.hasSuffix(":aux:hdrgainmap") && !known.contains($0.item)
          && !["gainmap", "primary", "alpha"].contains($0.name)
      }.map(\.displayName)
    let others = otherImageCount
    if others > 0 { names.append(others == 1 ? "further image" : "\(others) further images") }
    if case .heif(let file) = container, file.references.contains(where: { $0.type == "thmb" }) {
      names.append("thumbnail")
    }
    return names + attachments
  }

  /// Number of images without a known role.
  private var otherImageCount: Int {
    guard let inventory = try? gainMaps() else { return 0 }
    switch container {
    case .heif(let file):
      let roles = ItemRoles(of: file, gainMaps: inventory)
      return roles.images.count { !$0.isHidden && roles.role(of: $0) == .other }
    case .jpeg(let file):
      let known = inventory.maps.compactMap { map -> UInt32? in
        if case .image(let index) = map.location { UInt32(clamping: index) } else { nil }
      }
      let named = Set(known + namedAuxiliaries.map(\.item))
      return file.images.indices.dropFirst().count { !named.contains(UInt32(clamping: $0)) }
    default: return 0
    }
  }

  /// Returns the notice about items that are not copied.
  static func notCopied(_ names: [String]) -> [Notice] {
    guard !names.isEmpty else { return [] }
    let code: NoticeCode =
      names == ["thumbnail"] ? .metadataThumbnailNotCopied : .metadataEmbeddedNotCopied
    return [Notice(code, ["items": names.grouped])]
  }
}

extension [String] {
  /// Different elements in their order, equal ones counted: `["2 mattes", "depth"]`.
  package var grouped: [String] {
    var counts: [String: Int] = [:]
    for name in self { counts[name, default: 0] += 1 }
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }.map { name in
      let count = counts[name] ?? 0
      return count == 1 ? name : "\(count) \(name)s"
    }
  }
}

extension SourceImage {
  /// A notice with the items of the file that a conversion does not copy, if any.
  ///
  /// Auxiliary images of HEIF and AVIF are copied or have notices of their own.
  package var notCopied: [Notice] {
    guard let file else { return [] }
    var known: Set<UInt32> = []
    if case .heif(let heif) = file.container, let primary = heif.primaryItemID {
      known = Set(heif.auxiliaries(of: primary))
    }
    return ImageFile.notCopied(file.embeddedItems(excluding: known))
  }
}
