// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of the structure of HEIF files: brands, the `meta` box, items and references.
enum HEIFStructureRules {
  static let all: [Rule] = [
    .heif(
      "heif/brand-mif1", .must, "ISO/IEC 23008-12, 10.2.1.1",
      "The brands include 'mif1', 'mif2', 'mif3' or 'msf1'", brandMIF1),
    .heif(
      "heif/brand-listed", .ours, "ISO/IEC 14496-12, 'ftyp'",
      "The major brand is among the compatible ones", brandListed),
    .heif(
      "heif/brand-hevc", .must, "ISO/IEC 23008-12, annex B",
      "HEVC images beyond the Main profiles have brand 'heix', others 'heic'", brandHEVC),
    .heif(
      "heif/handler-first", .must, "ISO/IEC 23000-22, 7.2.1.1", "'hdlr' is the first box of 'meta'",
      effect: "libavif rejects the file", except: "in HEIC", handlerFirst),
    .heif(
      "heif/primary-item", .must, "ISO/IEC 23000-22, 7.3.2",
      "'pitm' refers to an image item", effect: "readers find no image", primaryItem),
    .heif(
      "heif/primary-visible", .must, "ISO/IEC 23008-12, hidden items",
      "The primary image is not hidden", effect: "libheif finds no primary image", primaryVisible),
    .heif(
      "heif/box-size", .must, "ISO/IEC 14496-12, 4.2", "The file does not end within a box",
      effect: "readers reject the file or show a part of the image", boxSize),
    .heif(
      "heif/item-data", .must, "ISO/IEC 14496-12, 8.11.3",
      "The data of every item are within the file",
      effect: "readers reject the file or show a part of the image", itemData),
    .heif(
      "heif/references", .must, "ISO/IEC 14496-12, 8.11.12", "References refer to existing items",
      effect: "libheif rejects the file", references),
    .heif(
      "heif/groups", .ours, "ISO/IEC 14496-12, 'grpl'", "Groups have members, without duplicates",
      groups),
    .heif(
      "heif/metadata-described", .should, "ISO/IEC 23008-12, annex A",
      "Exif and XMP refer to the image they describe", effect: "libavif and libheif ignore them",
      metadataDescribed),
    .heif(
      "heif/exif", .must, "ISO/IEC 23008-12, A.2.1", "Exif items have a TIFF header",
      effect: "readers ignore Exif", exif),
    .heif(
      "heif/xmp", .must, "ISO/IEC 23008-12, annex A; ISO 16684-1", "XMP items are RDF in XML",
      effect: "readers ignore XMP", xmp),
    .heif(
      "heif/auxiliary-type", .must, "ISO/IEC 23008-12, 'auxC'", "Auxiliary images have a type",
      effect: "libheif rejects the file", auxiliaryType),
    .heif("miaf/brand", .ours, "ISO/IEC 23000-22, 7.2.1.2", "The brands include 'miaf'", brandMIAF),
    .heif(
      "miaf/alpha-size", .must, "ISO/IEC 23000-22, 7.3.5.2", "Alpha has the size of its image",
      effect: "libavif rejects the file", alphaSize),
  ]

  private static let brandLocation = ImageError.Location(path: ["ftyp"], offset: 0)

  private static func brandMIF1(_ heif: CheckedHEIF) -> [Finding]? {
    let alternatives: [FourCC] = ["mif1", "mif2", "mif3", "msf1"]
    return alternatives.contains(where: heif.file.fileType.contains)
      ? [] : [Finding("no brand 'mif1'", at: brandLocation, fix: .correctStructure)]
  }

  private static func brandMIAF(_ heif: CheckedHEIF) -> [Finding]? {
    heif.file.fileType.contains("miaf") ? [] : [Finding("no brand 'miaf'", at: brandLocation)]
  }

  private static func brandListed(_ heif: CheckedHEIF) -> [Finding]? {
    let brands = heif.file.fileType
    return brands.compatibleBrands.contains(brands.majorBrand)
      ? []
      : [
        Finding("'\(brands.majorBrand)' is not listed", at: brandLocation, fix: .correctStructure)
      ]
  }

  private static func brandHEVC(_ heif: CheckedHEIF) -> [Finding]? {
    guard let profile = heif.primaryHEVC?.profileTierLevel else { return nil }
    guard let needed = heif.missingHEVCBrand else { return [] }
    return [
      Finding(
        "no brand '\(needed)' for profile \(profile.profileIDC)", at: brandLocation,
        declared: heif.file.fileType.compatibleBrands.map(\.description).joined(separator: " "),
        fix: .correctStructure)
    ]
  }

  private static func handlerFirst(_ heif: CheckedHEIF) -> [Finding]? {
    guard let first = heif.file.layout.metaBoxLocations.first, first.type != "hdlr" else {
      return []
    }
    return [
      Finding(
        "'\(first.type)' is the first box", at: heif.location(ofMeta: first.type),
        fix: .correctStructure, isHarmless: !heif.isAVIF)
    ]
  }

  private static func primaryItem(_ heif: CheckedHEIF) -> [Finding]? {
    let place = heif.location(ofMeta: "pitm")
    guard let id = heif.file.primaryItemID else {
      return [Finding("no 'pitm'", at: heif.location(ofMeta: "hdlr"))]
    }
    guard let item = heif.file.item(id) else {
      return [Finding("item \(id) does not exist", at: place)]
    }
    let isImage =
      CheckedHEIF.codedTypes.contains(item.type) || CheckedHEIF.derivedTypes.contains(item.type)
      || item.type == "tmap"
    return isImage ? [] : [Finding("item \(id) is '\(item.type)'", at: place)]
  }

  private static func primaryVisible(_ heif: CheckedHEIF) -> [Finding]? {
    guard let primary = heif.primary else { return nil }
    return primary.isHidden
      ? [Finding("item \(primary.id) is hidden", at: heif.location(ofMeta: "iinf"))] : []
  }

  private static func boxSize(_ heif: CheckedHEIF) -> [Finding]? {
    heif.file.cutBox.map {
      [
        Finding(
          "the file ends \($0.missing) bytes before '\($0.type)' does",
          at: .init(path: [$0.type.description], offset: $0.offset))
      ]
    } ?? []
  }

  private static func itemData(_ heif: CheckedHEIF) -> [Finding]? {
    heif.file.items.flatMap { item -> [Finding] in
      switch item.data {
      // An identity derivation has no data.
      case .absent where item.type == "iden": return []
      case .absent:
        return [Finding("item \(item.id) has no data", at: heif.location(ofMeta: "iloc"))]
      case .file(let parts), .itemDataBox(let parts):
        return parts.filter { $0.offset + $0.count > heif.byteCount }.map { part in
          Finding(
            "item \(item.id) ends at \(part.offset + part.count) of \(heif.byteCount) bytes",
            at: .init(path: ["meta", "iloc"], offset: part.offset))
        }
      case .items, .external: return []
      }
    }
  }

  private static func references(_ heif: CheckedHEIF) -> [Finding]? {
    let place = heif.location(ofMeta: "iref")
    return heif.file.references.flatMap { reference in
      ([reference.from] + reference.to).filter { heif.file.item($0) == nil }.map {
        Finding("'\(reference.type)' refers to item \($0), which does not exist", at: place)
      }
    }
  }

  private static func groups(_ heif: CheckedHEIF) -> [Finding]? {
    guard !heif.file.groups.isEmpty else { return nil }
    let place = heif.location(ofMeta: "grpl")
    return heif.file.groups.compactMap { group in
      if group.entities.isEmpty { return Finding("group \(group.id) is empty", at: place) }
      let isUnique = Set(group.entities).count == group.entities.count
      return isUnique ? nil : Finding("group \(group.id) has a duplicate member", at: place)
    }
  }

  private static func isXMP(_ item: HEIFItem) -> Bool {
    item.type == "mime" && item.contentType == HEIFFile.xmpContentType
  }

  private static func metadataDescribed(_ heif: CheckedHEIF) -> [Finding]? {
    let metadata = heif.file.items.filter { $0.type == "Exif" || isXMP($0) }
    guard !metadata.isEmpty else { return nil }
    return metadata.filter { heif.file.references(from: $0.id, type: "cdsc").isEmpty }.map {
      Finding("does not refer to an image", at: heif.location($0))
    }
  }

  private static func exif(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try parsingErrors(of: heif.items("Exif"), in: heif) { id throws(ImageError) in
      _ = try ExifBlock(parsing: heif.file.exif(ofItem: id))
    }
  }

  private static func xmp(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try parsingErrors(of: heif.file.items.filter(isXMP), in: heif) { id throws(ImageError) in
      _ = try XMPPacket(parsing: heif.file.data(of: id))
    }
  }

  /// Returns the errors of parsing the data of items as findings; data that several items share are
  /// parsed once.
  private static func parsingErrors(
    of items: [HEIFItem], in heif: CheckedHEIF, _ parse: (UInt32) throws(ImageError) -> Void
  ) throws(ImageError) -> [Finding]? {
    guard !items.isEmpty else { return nil }
    var known = PayloadResults<[Finding]>()
    var all: [Finding] = []
    for item in items {
      let place = heif.location(item)
      let found = try known.result(of: item.id, in: heif.file) { () throws(ImageError) in
        try findings(at: place) { () throws(ImageError) in try parse(item.id) }
      }
      all += found.map { Finding($0.message, at: place) }
    }
    return all
  }

  private static func auxiliaryType(_ heif: CheckedHEIF) -> [Finding]? {
    let sources = Set(heif.file.references.lazy.filter { $0.type == "auxl" }.map(\.from))
    guard !sources.isEmpty else { return nil }
    return sources.sorted().compactMap(heif.file.item).filter { item in
      CheckedHEIF.codedTypes.union(CheckedHEIF.derivedTypes).contains(item.type)
        && item.property(AuxiliaryTypeBox.self) == nil
    }.map { Finding("no 'auxC'", at: heif.location($0)) }
  }

  private static func alphaSize(_ heif: CheckedHEIF) -> [Finding]? {
    let pairs = heif.file.items.lazy.filter { $0.property(AuxiliaryTypeBox.self)?.isAlpha ?? false }
      .flatMap { alpha in
        heif.file.references(from: alpha.id, type: "auxl").compactMap(heif.file.item).map {
          (alpha, $0)
        }
      }
    var isConcerned = false
    var findings: [Finding] = []
    for (alpha, master) in pairs {
      guard let size = croppedSize(alpha), let needed = croppedSize(master) else { continue }
      isConcerned = true
      if size != needed {
        findings.append(
          Finding(
            "\(size[0])x\(size[1]) for an image of \(needed[0])x\(needed[1])",
            at: heif.location(alpha, "ispe")))
      }
    }
    return isConcerned ? findings : nil
  }

  /// Width and height after cropping, before rotation.
  private static func croppedSize(_ item: HEIFItem) -> [Int]? {
    guard let extents = item.property(ImageSpatialExtentsBox.self),
      let geometry = try? ItemGeometry(
        width: Int(extents.width), height: Int(extents.height), properties: item.properties)
    else { return nil }
    return [geometry.width, geometry.height]
  }
}

/// Returns the error of `body` as a finding; empty without an error.
///
/// - Throws: Errors of the budget, which are not findings about the file.
func findings(
  at place: ImageError.Location, _ body: () throws(ImageError) -> Void
) throws(ImageError) -> [Finding] {
  do throws(ImageError) {
    try body()
    return []
  } catch {
    if error.endsJob { throw error }
    return [Finding(error.message, at: place)]
  }
}

/// Returns the errors of `body` for parts of a file as findings; `nil` without such parts.
///
/// - Throws: Errors of the budget.
func findings<Part>(
  of parts: [Part], at place: (Part) -> ImageError.Location,
  _ body: (Part) throws(ImageError) -> Void
) throws(ImageError) -> [Finding]? {
  guard !parts.isEmpty else { return nil }
  var all: [Finding] = []
  for part in parts {
    all += try findings(at: place(part)) { () throws(ImageError) in try body(part) }
  }
  return all
}

extension Rule {
  /// A rule of HEIF and AVIF files.
  static func heif(
    _ id: String, _ level: Level, _ source: String, _ title: String,
    of standard: Standard = .heif, effect: String? = nil, except exception: String? = nil,
    _ check: @escaping @Sendable (CheckedHEIF) throws(ImageError) -> [Finding]?
  ) -> Rule {
    Rule(id, standard, level, source, title, effect: effect, except: exception) {
      (checked) throws(ImageError) -> [Finding]? in
      guard let heif = checked.heif else { return nil }
      return try check(heif)
    }
  }
}
