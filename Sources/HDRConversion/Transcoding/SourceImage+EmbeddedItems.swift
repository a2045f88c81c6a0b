// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

extension ImageFile {
  /// Names of the items other than image and gain map: mattes, depth, previews, videos.
  ///
  /// - Throws: Errors that end the whole job.
  var embeddedItems: [String] { get throws(ImageError) { try embeddedItems(excluding: []) } }

  /// Names of the items without some auxiliary images.
  fileprivate func embeddedItems(excluding known: Set<UInt32>) throws(ImageError) -> [String] {
    var names =
      try namedAuxiliaries
      .filter {
        !$0.type.hasSuffix(":aux:hdrgainmap") && !known.contains($0.item)
          && !["gainmap", "primary", "alpha"].contains($0.name)
      }.map(\.displayName)
    let others = try otherImageCount()
    if others > 0 { names.append(others == 1 ? "further image" : "\(others) further images") }
    if case .heif(let file) = container, file.references.contains(where: { $0.type == "thmb" }) {
      names.append("thumbnail")
    }
    return try names + attachments
  }

  /// Number of images without a known role.
  private func otherImageCount() throws(ImageError) -> Int {
    guard let inventory = try ifReadable(try gainMaps()) else { return 0 }
    switch container {
    case .heif(let file):
      let roles = ItemRoles(of: file, gainMaps: inventory)
      return roles.images.count { !$0.isHidden && roles.role(of: $0) == .other }
    case .jpeg(let file):
      let known = inventory.maps.compactMap { map -> UInt32? in
        if case .image(let index) = map.location { UInt32(clamping: index) } else { nil }
      }
      let named = Set(try known + namedAuxiliaries.map(\.item))
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
  ///
  /// - Throws: Errors that end the whole job.
  package var notCopied: [Notice] {
    get throws(ImageError) {
      guard let file else { return [] }
      var known: Set<UInt32> = []
      if case .heif(let heif) = file.container, let primary = heif.primaryItemID {
        known = Set(heif.auxiliaries(of: primary))
      }
      return ImageFile.notCopied(try file.embeddedItems(excluding: known))
    }
  }
}
