// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of the properties of image items: presence, order and agreement with the bitstream.
enum HEIFPropertyRules {
  static let all: [Rule] = [
    .heif(
      "heif/property-readable", .must, "ISO/IEC 23008-12, 6.5",
      "Properties have the fields that their type prescribes",
      effect: "libavif and libheif reject the file", propertyReadable),
    .heif(
      "heif/extents-once", .must, "ISO/IEC 23008-12, 6.5.3", "Images have one 'ispe'",
      effect: "libavif and libheif reject images without; readers differ in which they use",
      except: "equal duplicates", extentsOnce),
    .heif(
      "heif/extents", .must, "ISO/IEC 23008-12, 6.5.3",
      "'ispe' is the size of the bitstream or the derivation",
      effect: "libavif scales the image, others crop or reject it", except: "thumbnails", extents),
    .heif(
      "avif/selected-layer", .must, "AV1 Image File Format, 2.3.2.2",
      "The layer that 'lsel' selects is in the operating point", of: .avif,
      effect: "libavif rejects the file", selectedLayer),
    .heif(
      "heif/pixel-depths", .must, "ISO/IEC 23008-12, 'pixi'",
      "'pixi' has the channels and depths of the bitstream", effect: "libavif rejects the image",
      except: "in HEIC, or another number of channels", pixelDepths),
    .heif(
      "heif/color-once", .must, "ISO/IEC 23008-12, 6.5.5",
      "An image has at most one 'colr' of code points and one profile",
      effect: "libavif rejects the file; others differ in which they use", colorOnce),
    .heif(
      "heif/color-bitstream", .ours, "ISO/IEC 23000-22, 7.3.6.4",
      "The bitstream does not contradict the code points of 'colr'",
      effect: "video players and hardware decoders use those of the bitstream", bitstream),
    .heif(
      "heif/property-order", .should, "ISO/IEC 23008-12, 6.5.1",
      "Descriptive properties precede transformative ones", propertyOrder),
    .heif(
      "heif/known-essential", .ours, "ISO/IEC 23008-12, essential properties",
      "No image has an unknown essential property", effect: "readers must not show the image",
      knownEssential),
    .heif(
      "miaf/pixel-information", .must, "ISO/IEC 23000-22, 'pixi'",
      "The primary image and its alpha have 'pixi'", effect: "libavif rejects the file by default",
      except: "in HEIC", pixelInformationThere),
    .heif(
      "miaf/color-information", .should, "ISO/IEC 23000-22, 7.3.6.4",
      "The primary image has 'colr'", colorThere),
    .heif(
      "miaf/transformation-order", .must, "ISO/IEC 23000-22, transformations",
      "'clap', 'irot' and 'imir' come in this order, each once",
      effect: "libavif applies them in this order, libheif in that of the file",
      transformationOrder),
    .heif(
      "miaf/transformation-essential", .must, "ISO/IEC 23000-22, 7.3.9",
      "Transformative properties are essential", effect: "libavif rejects the file",
      except: "in HEIC", transformationEssential),
    .heif(
      "miaf/aperture", .must, "ISO/IEC 23000-22, transformations",
      "'clap' is a rectangle of whole pixels within the image",
      effect: "libavif and libheif reject the image", aperture),
  ]

  private static func propertyReadable(_ heif: CheckedHEIF) -> [Finding]? {
    heif.file.items.flatMap { item in
      item.unreadableProperties.map {
        Finding("'\($0.type)': \($0.error.message)", at: heif.location(item, $0.type))
      }
    }
  }

  private static func extentsOnce(_ heif: CheckedHEIF) -> [Finding]? {
    heif.images.compactMap { item in
      let boxes = item.all(ImageSpatialExtentsBox.self).map(\.content)
      guard boxes.count != 1 else { return nil }
      return Finding(
        "\(boxes.count) 'ispe'", at: heif.location(item), fix: .correctStructure,
        isHarmless: Set(boxes).count == 1)
    }
  }

  private static func extents(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var findings: [Finding] = []
    for item in heif.images {
      guard let box = item.property(ImageSpatialExtentsBox.self) else { continue }
      let size: (Int, Int)
      switch item.type {
      case "hvc1", "av01":
        let stream = try heif.bitstream(of: item.id)
        size = (stream.width, stream.height)
      case "grid":
        let grid = try heif.file.grid(of: item.id)
        size = (Int(grid.width), Int(grid.height))
      default: continue
      }
      guard (Int(box.width), Int(box.height)) != size else { continue }
      // The size of a layer is in its frame header only.
      if item.selectsLayer, Int(box.width) <= size.0, Int(box.height) <= size.1 { continue }
      // Canon's thumbnails are encoded with padding that 'ispe' excludes.
      let isThumbnail = !heif.file.references(from: item.id, type: "thmb").isEmpty
      findings.append(
        Finding(
          "not the size of the samples", at: heif.location(item, "ispe"),
          declared: "\(box.width)x\(box.height)", measured: "\(size.0)x\(size.1)",
          fix: isThumbnail ? nil : .correctStructure, isHarmless: isThumbnail))
    }
    return findings
  }

  private static func selectedLayer(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var isConcerned = false
    var findings: [Finding] = []
    for item in heif.images where item.type == "av01" {
      guard let box = item.property(LayerSelectorBox.self) else { continue }
      isConcerned = true
      let points = try heif.file.av1SequenceHeader(of: item.id).operatingPoints
      let chosen = item.property(AV1OperatingPointBox.self).map { Int($0.index) } ?? 0
      // Decoders use the first operating point in place of one that does not exist.
      let layers = points[points.indices.contains(chosen) ? chosen : 0]
      // AV1 has four spatial layers; 0xFFFF selects all.
      guard box.layerID != 0xFFFF, box.layerID > 3 || layers != 0 && layers >> box.layerID & 1 == 0
      else { continue }
      findings.append(
        Finding(
          "layer \(box.layerID) is not in the operating point", at: heif.location(item, "lsel")))
    }
    return isConcerned ? findings : nil
  }

  private static func pixelDepths(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var isConcerned = false
    var findings: [Finding] = []
    for item in heif.images {
      guard let found = try pixelInformation(of: item, in: heif) else { continue }
      isConcerned = true
      findings += found
    }
    return isConcerned ? findings : nil
  }

  /// Compares `pixi` with the first bitstream of the image.
  static func pixelInformation(
    of item: HEIFItem, in heif: CheckedHEIF
  ) throws(ImageError) -> [Finding]? {
    guard let pixi = item.property(PixelInformationBox.self),
      let coded = heif.coded(of: item).first,
      coded.type == "hvc1" || coded.type == "av01"
    else { return nil }
    let stream = try heif.bitstream(of: coded.id)
    let expected =
      [stream.lumaDepth]
      + [Int](repeating: stream.chromaDepth, count: stream.chroma.channelCount - 1)
    let declared = pixi.bitsPerChannel.map { Int($0) }
    guard declared != expected else { return [] }
    // Some cameras declare three equal channels for gray, which readers accept.
    let isHarmless = !heif.isAVIF || Set(declared) == Set(expected)
    return [
      Finding(
        "not the depth of the samples", at: heif.location(item, "pixi"), declared: "\(declared)",
        measured: "\(expected)", fix: .correctStructure, isHarmless: isHarmless)
    ]
  }

  private static func colorOnce(_ heif: CheckedHEIF) -> [Finding]? {
    heif.images.flatMap { repeatedColor(of: $0, in: heif) }
  }

  static func repeatedColor(of item: HEIFItem, in heif: CheckedHEIF) -> [Finding] {
    var seen: Set<String> = []
    var findings: [Finding] = []
    for (number, color) in item.all(ColorInformationBox.self).enumerated() {
      let carrier =
        switch color.content {
        case .nclx: "code points"
        case .unrestrictedICC, .restrictedICC: "a profile"
        case .other(let type, _): "'\(type)'"
        }
      if !seen.insert(carrier).inserted {
        findings.append(
          Finding(
            "duplicate \(carrier)", at: heif.location(item, "colr", number: number),
            fix: .correctStructure))
      }
    }
    return findings
  }

  private static func bitstream(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var isConcerned = false
    var findings: [Finding] = []
    for item in heif.images {
      guard let found = try bitstreamColor(of: item, in: heif) else { continue }
      isConcerned = true
      findings += found
    }
    return isConcerned ? findings : nil
  }

  /// Compares `nclx` with the first bitstream of the image, field by field.
  static func bitstreamColor(
    of item: HEIFItem, in heif: CheckedHEIF
  ) throws(ImageError) -> [Finding]? {
    guard let declared = item.cicp, let coded = heif.coded(of: item).first,
      coded.type == "hvc1" || coded.type == "av01",
      let stream = try heif.bitstream(of: coded.id).cicp
    else { return nil }
    func disagree<Field: RawRepresentable<UInt16>>(_ field: KeyPath<CICP, Field>) -> Bool {
      let (one, other) = (declared[keyPath: field].rawValue, stream[keyPath: field].rawValue)
      return one != other && one != 2 && other != 2
    }
    let differs =
      disagree(\.primaries) || disagree(\.transfer) || disagree(\.matrix)
      || declared.isFullRange != stream.isFullRange
    guard differs else { return [] }
    return [
      Finding(
        "the bitstream has different code points", at: heif.location(item, "colr"),
        declared: declared.title, measured: stream.title)
    ]
  }

  private static func propertyOrder(_ heif: CheckedHEIF) -> [Finding]? {
    heif.images.flatMap { item in
      orderFindings(of: item, in: heif) { !$0.isTransformation }
    }
  }

  /// Selected properties after the first transformative one.
  static func orderFindings(
    of item: HEIFItem, in heif: CheckedHEIF, _ isSelected: (ItemProperty) -> Bool
  ) -> [Finding] {
    guard let first = item.properties.firstIndex(where: \.isTransformation) else { return [] }
    return item.properties[first...].filter(isSelected).map { property in
      Finding(
        "'\(property.type)' after '\(item.properties[first].type)'",
        at: heif.location(item, property.type), fix: .correctStructure)
    }
  }

  private static func knownEssential(_ heif: CheckedHEIF) -> [Finding]? {
    heif.images.flatMap { item in
      item.unknownEssentialProperties.map {
        Finding("'\($0.type)' is essential", at: heif.location(item, $0.type))
      }
    }
  }

  private static func pixelInformationThere(_ heif: CheckedHEIF) -> [Finding]? {
    guard let primary = heif.primary else { return nil }
    let auxiliaries = heif.file.references(to: primary.id, type: "auxl").compactMap(heif.file.item)
    let alpha = auxiliaries.filter { $0.property(AuxiliaryTypeBox.self)?.isAlpha ?? false }
    return ([primary] + alpha).filter { $0.property(PixelInformationBox.self) == nil }.map {
      Finding("no 'pixi'", at: heif.location($0), fix: .correctStructure, isHarmless: !heif.isAVIF)
    }
  }

  private static func colorThere(_ heif: CheckedHEIF) -> [Finding]? {
    guard let primary = heif.primary else { return nil }
    return primary.property(ColorInformationBox.self) == nil
      ? [Finding("no 'colr'", at: heif.location(primary))] : []
  }

  private static func transformationOrder(_ heif: CheckedHEIF) -> [Finding]? {
    let rank: [FourCC: Int] = ["clap": 0, "irot": 1, "imir": 2]
    return ofTransformed(heif) { item in
      let ranks = item.transformations.compactMap { rank[$0.type] }
      guard zip(ranks, ranks.dropFirst()).contains(where: { $0 >= $1 }) else { return [] }
      let names = item.transformations.map(\.type.description).joined(separator: ", ")
      return [Finding(names, at: heif.location(item, item.transformations[0].type))]
    }
  }

  private static func transformationEssential(_ heif: CheckedHEIF) -> [Finding]? {
    ofTransformed(heif) { item in
      item.transformations.filter { !$0.isEssential }.map {
        Finding(
          "'\($0.type)' is not essential", at: heif.location(item, $0.type),
          fix: .correctStructure, isHarmless: !heif.isAVIF)
      }
    }
  }

  private static func aperture(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    let transformed = heif.images.filter { !$0.transformations.isEmpty }
    return try findings(of: transformed, at: { heif.location($0, "clap") }) {
      item throws(ImageError) in
      guard let extents = item.property(ImageSpatialExtentsBox.self) else { return }
      _ = try ItemGeometry(
        width: Int(extents.width), height: Int(extents.height), properties: item.properties)
    }
  }

  /// Findings in images with transformations; `nil` if there are none.
  private static func ofTransformed(
    _ heif: CheckedHEIF, _ check: (HEIFItem) -> [Finding]
  ) -> [Finding]? {
    let transformed = heif.images.filter { !$0.transformations.isEmpty }
    return transformed.isEmpty ? nil : transformed.flatMap(check)
  }
}
