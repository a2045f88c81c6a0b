// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of gain maps in HEIF and AVIF: `tmap`, its inputs and its group.
enum ToneMapRules {
  private static let derivation = "ISO/IEC 23008-12:2025, amendment 1 (tmap)"
  private static let ignored = "libavif ignores the gain map"
  private static let rejected = "libavif rejects the file"

  static let all: [Rule] = [
    tmap("tmap-brand", .must, derivation, "The brands include 'tmap'", effect: ignored, brand),
    tmap(
      "tmap-inputs", .must, derivation,
      "'tmap' has two inputs: the baseline image, then the gain map", effect: rejected, inputs),
    .heif(
      "21496-1/tmap-alternatives", .must, derivation,
      "An 'altr' group has 'tmap' before the baseline image", of: .iso21496, effect: ignored,
      alternatives),
    tmap("tmap-visible", .ours, derivation, "'tmap' is not hidden", visible),
    tmap(
      "tmap-base-primary", .must, derivation, "The baseline image is the primary image",
      effect: ignored, basePrimary),
    tmap("tmap-map-hidden", .should, derivation, "The gain map is hidden", mapHidden),
    tmap(
      "tmap-extents", .must, derivation,
      "'tmap' has one 'ispe', that of the baseline image, in HEIC as coded or as displayed",
      effect: rejected, extents),
    tmap(
      "tmap-color", .must, "ISO 21496-1, annex C",
      "'tmap' has the color of the alternate image", color),
    tmap("tmap-depths", .should, "ISO/IEC 23000-22, 'pixi'", "'tmap' has 'pixi'", depths),
    tmap(
      "tmap-map-color", .ours, "ISO 21496-1, annex C",
      "The gain map has code points with unspecified primaries and transfer", mapColor),
    tmap(
      "tmap-transformations", .must, derivation,
      "Baseline image and gain map have the same transformations",
      effect: "libavif rejects the file; others apply the gain at other pixels", transformations),
    tmap(
      "tmap-untransformed", .ours, "libavif; phones write them in HEIC",
      "'tmap' has no transformations", effect: rejected, except: "in HEIC", untransformed),
  ]

  /// A tone map with its inputs.
  struct ToneMap {
    let item: HEIFItem
    let inputs: [UInt32]
    let base: HEIFItem?
    let map: HEIFItem?
  }

  private static func tmap(
    _ id: String, _ level: Rule.Level, _ source: String, _ title: String, effect: String? = nil,
    except exception: String? = nil,
    _ check: @escaping @Sendable (ToneMap, CheckedHEIF) -> Finding?
  ) -> Rule {
    .heif(
      "21496-1/\(id)", level, source, title, of: .iso21496, effect: effect, except: exception
    ) { heif in
      guard !heif.toneMaps.isEmpty else { return nil }
      return heif.toneMaps.compactMap { item in
        let inputs = heif.file.references(from: item.id, type: "dimg")
        let toneMap = ToneMap(
          item: item, inputs: inputs, base: inputs.first.flatMap(heif.file.item),
          map: inputs.dropFirst().first.flatMap(heif.file.item))
        return check(toneMap, heif)
      }
    }
  }

  private static func brand(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    heif.file.fileType.contains("tmap")
      ? nil
      : Finding("no brand 'tmap'", at: .init(path: ["ftyp"], offset: 0), fix: .correctStructure)
  }

  private static func inputs(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    let isRight =
      toneMap.inputs.count == 2 && toneMap.inputs[0] != toneMap.inputs[1]
      && toneMap.base != nil && toneMap.map != nil
    return isRight
      ? nil
      : Finding("derives from \(toneMap.inputs)", at: heif.location(ofMeta: "iref"))
  }

  private static func alternatives(_ heif: CheckedHEIF) -> [Finding]? {
    let toneMaps = heif.toneMaps
    guard !toneMaps.isEmpty else { return nil }
    let groups = heif.file.groups.filter { $0.type == "altr" }
    // A file controls the number of groups and tone maps: positions of each member, by group.
    var positions: [UInt32: [Int: Int]] = [:]
    for (number, group) in groups.enumerated() {
      for (position, id) in group.entities.enumerated() where positions[id]?[number] == nil {
        positions[id, default: [:]][number] = position
      }
    }
    let isShort = groups.count <= 5 && groups.allSatisfy { $0.entities.count <= 5 }
    let declared =
      isShort
      ? groups.map { "\($0.entities)" }.joined(separator: ", ") : "\(groups.count) groups"
    return toneMaps.compactMap { item in
      guard let base = heif.file.references(from: item.id, type: "dimg").first else { return nil }
      let own = positions[item.id] ?? [:]
      let isPreferred = own.contains { number, position in
        positions[base]?[number].map { position < $0 } ?? false
      }
      return isPreferred
        ? nil
        : Finding(
          "no 'altr' group has item \(item.id) before item \(base)",
          at: heif.location(ofMeta: "grpl"), declared: declared)
    }
  }

  private static func visible(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    toneMap.item.isHidden ? Finding("is hidden", at: heif.location(toneMap.item)) : nil
  }

  private static func basePrimary(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    guard let base = toneMap.base, base.id != heif.file.primaryItemID else { return nil }
    return Finding("the baseline image is item \(base.id)", at: heif.location(ofMeta: "pitm"))
  }

  private static func mapHidden(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    guard let map = toneMap.map, !map.isHidden else { return nil }
    return Finding("item \(map.id) is not hidden", at: heif.location(map))
  }

  private static func extents(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    let sizes = toneMap.item.all(ImageSpatialExtentsBox.self).map(\.content)
    guard sizes.count == 1, let size = sizes.first else {
      return Finding(
        "\(sizes.count) 'ispe'", at: heif.location(toneMap.item), fix: .correctStructure)
    }
    guard let base = toneMap.base?.property(ImageSpatialExtentsBox.self), base != size else {
      return nil
    }
    // Inputs of a derivation are displayed images, as phones take them; libavif takes coded images.
    let isDisplayed =
      toneMap.base?.orientation.swapsSides == true
      && (size.width, size.height) == (base.height, base.width)
    guard heif.isAVIF || !isDisplayed else { return nil }
    return Finding(
      "not the size of the baseline image", at: heif.location(toneMap.item, "ispe"),
      declared: "\(size.width)x\(size.height)", measured: "\(base.width)x\(base.height)",
      fix: .correctStructure)
  }

  private static func color(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    toneMap.item.property(ColorInformationBox.self) == nil
      ? Finding("no 'colr'", at: heif.location(toneMap.item)) : nil
  }

  private static func depths(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    toneMap.item.property(PixelInformationBox.self) == nil
      ? Finding("no 'pixi'", at: heif.location(toneMap.item)) : nil
  }

  private static func mapColor(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    guard let map = toneMap.map else { return nil }
    guard let cicp = map.cicp else { return Finding("no code points", at: heif.location(map)) }
    guard cicp.primaries != .unspecified || cicp.transfer != .unspecified else { return nil }
    return Finding(
      "the gain map has a color", at: heif.location(map, "colr"),
      declared: cicp.description)
  }

  private static func transformations(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    guard let base = toneMap.base, let map = toneMap.map else { return nil }
    // Apertures are in pixels, of which a gain map may have fewer.
    func rotations(_ item: HEIFItem) -> [ItemProperty.Box] {
      item.transformations.filter { $0.type != "clap" }.map(\.box)
    }
    guard rotations(base) != rotations(map) else { return nil }
    return Finding("item \(map.id) is rotated differently", at: heif.location(map))
  }

  private static func untransformed(_ toneMap: ToneMap, _ heif: CheckedHEIF) -> Finding? {
    guard let first = toneMap.item.transformations.first else { return nil }
    return Finding(
      "'\(first.type)'", at: heif.location(toneMap.item, first.type), isHarmless: !heif.isAVIF)
  }
}
