// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of HEVC items: configuration and bitstream agree.
enum HEVCRules {
  static let all: [Rule] = [
    .heif(
      "heif/hvcc-once", .must, "ISO/IEC 23008-12, annex B", "HEVC images have one 'hvcC'",
      effect: "readers reject images without", except: "equal duplicates", once),
    .heif(
      "heif/hvcc-essential", .must, "ISO/IEC 23008-12, annex B", "'hvcC' is essential", essential),
    .heif(
      "heif/hvcc-parameter-sets", .must, "ISO/IEC 14496-15, 8.3.3.1",
      "'hvcC' has video, sequence and picture parameter sets",
      effect: "decoders cannot decode the image", parameterSets),
    .heif(
      "heif/hvcc-sequence", .must, "ISO/IEC 14496-15, 8.3.3.1",
      "'hvcC' agrees with the sequence parameter set",
      effect: "libheif uses chroma format and depths of 'hvcC'",
      except: "profile, tier, level and flags", sequence),
    .heif(
      "heif/hevc-units", .must, "ISO/IEC 23008-12, annex B",
      "The data are whole NAL units with at least one slice",
      effect: "decoders cannot decode the image", units),
  ]

  private static func forEachItem(
    _ heif: CheckedHEIF, _ check: (HEIFItem) throws(ImageError) -> Finding?
  ) throws(ImageError) -> [Finding]? {
    let items = heif.items("hvc1")
    guard !items.isEmpty else { return nil }
    var findings: [Finding] = []
    for item in items {
      if let finding = try check(item) { findings.append(finding) }
    }
    return findings
  }

  private static func once(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachItem(heif) { item in
      let boxes = item.all(HEVCConfigurationBox.self).map(\.content)
      guard boxes.count != 1 else { return nil }
      return Finding(
        "\(boxes.count) 'hvcC'", at: heif.location(item),
        fix: boxes.isEmpty ? nil : .correctStructure, isHarmless: Set(boxes).count == 1)
    }
  }

  private static func essential(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachItem(heif) { item in
      item.all(HEVCConfigurationBox.self).allSatisfy(\.isEssential)
        ? nil : Finding("not essential", at: heif.location(item, "hvcC"), fix: .correctStructure)
    }
  }

  private static func parameterSets(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachItem(heif) { (item) throws(ImageError) -> Finding? in
      guard let box = item.property(HEVCConfigurationBox.self) else { return nil }
      let types = Set(box.arrays.filter { !$0.units.isEmpty }.map(\.type.rawValue))
      let missing = [32, 33, 34].filter { !types.contains($0) }
      return missing.isEmpty
        ? nil
        : Finding(
          "no NAL units of type \(missing.map(String.init).joined(separator: ", "))",
          at: heif.location(item, "hvcC"))
    }
  }

  private static func sequence(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachItem(heif) { (item) throws(ImageError) -> Finding? in
      guard let box = item.property(HEVCConfigurationBox.self) else { return nil }
      let fields = try box.inconsistentFields
      return fields.isEmpty
        ? nil
        : Finding(
          "different \(fields.joined(separator: ", "))", at: heif.location(item, "hvcC"),
          fix: .correctStructure,
          isHarmless: fields.allSatisfy { !$0.hasPrefix("bitDepth") && $0 != "chromaFormat" })
    }
  }

  private static func units(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var budget = 2 * heif.byteCount
    return try forEachItem(heif) { (item) throws(ImageError) -> Finding? in
      guard let box = item.property(HEVCConfigurationBox.self) else { return nil }
      budget -= try heif.file.dataParts(of: item.id).reduce(0) { $0 + $1.count }
      guard budget >= 0 else { throw ImageError(.bitstreamItemsOverlap) }
      if let size = try ifReadable(try heif.file.nalLengthSize(of: item.id)),
        size != box.nalLengthSize
      {
        return Finding(
          "lengths of NAL units have another size", at: heif.location(item, "hvcC"),
          declared: "\(box.nalLengthSize)", measured: "\(size)", fix: .correctStructure)
      }
      return try heif.file.withData(of: item.id) { bytes throws(ImageError) in
        do throws(ImageError) {
          let units = try HEVCNALUnit.split(bytes, lengthSize: box.nalLengthSize)
          guard !units.contains(where: { $0.type.isSlice }) else { return nil }
          return Finding("no slice", at: heif.location(item))
        } catch {
          if error.endsJob { throw error }
          return Finding(error.message, at: heif.location(item))
        }
      }
    }
  }
}
