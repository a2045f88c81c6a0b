// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Rules of AV1 items: properties and bitstream agree.
enum AVIFRules {
  private static let text = "AV1 Image File Format"

  static let all: [Rule] = [
    .heif(
      "avif/brand", .must, "\(text), 6", "The brands include 'avif'", of: .avif,
      effect: "libavif rejects the file", brand),
    .heif(
      "avif/profile-brands", .must, "\(text), 8",
      "Profile and level are within the limits of brands 'MA1B' and 'MA1A'", of: .avif,
      profileBrands),
    .heif(
      "avif/av1c-once", .must, "\(text), 2.2.1", "AV1 images have one 'av1C'", of: .avif,
      effect: "libavif rejects images without", except: "equal duplicates", once),
    .heif(
      "avif/av1c-essential", .should, "\(text), 2.2.1", "'av1C' is essential", of: .avif, essential),
    .heif(
      "avif/av1c-sequence", .must, "AV1 in ISOBMFF, 2.3.4",
      "'av1C' agrees with the sequence header", of: .avif,
      effect: "libavif uses depth and chroma of 'av1C'", except: "profile, level and tier",
      sequence),
    .heif(
      "avif/av1c-units", .should, "\(text), 2.2.1", "'av1C' does not contain a sequence header",
      of: .avif, configurationUnits),
    .heif(
      "avif/one-sequence-header", .must, "\(text), 2.1", "An item has one sequence header",
      of: .avif, oneSequenceHeader),
    .heif(
      "avif/still-picture", .should, "\(text), 2.1",
      "The bitstream signals a still picture",
      of: .avif, stillPicture),
    .heif(
      "avif/needless-units", .should, "AV1 in ISOBMFF, 2.4",
      "The bitstream has no temporal delimiters, padding or tile lists", of: .avif, needlessUnits),
    .heif(
      "avif/metadata-units", .must, "\(text), 2.2.1",
      "Light metadata in the bitstream agree with 'clli' and 'mdcv'", of: .avif,
      effect: "readers differ in which they use", metadataUnits),
  ]

  private static func forEachStream(
    _ heif: CheckedHEIF,
    _ check: (HEIFItem, CodedBitstream.AV1Units) throws(ImageError) -> Finding?
  ) throws(ImageError) -> [Finding]? {
    let items = heif.items("av01")
    guard !items.isEmpty else { return nil }
    var findings: [Finding] = []
    for item in items {
      guard let stream = try heif.bitstream(of: item.id).av1 else { continue }
      if let finding = try check(item, stream) { findings.append(finding) }
    }
    return findings
  }

  private static func brand(_ heif: CheckedHEIF) -> [Finding]? {
    heif.file.fileType.contains("avif")
      ? []
      : [Finding("no brand 'avif'", at: .init(path: ["ftyp"], offset: 0), fix: .correctStructure)]
  }

  private static func profileBrands(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    // seq_level_idx counts from level 2.0, four minor levels to each major one.
    let limits: [(brand: FourCC, profile: UInt8, level: UInt8)] = [
      ("MA1B", 0, 13), ("MA1A", 1, 16),
    ]
    let claimed = limits.filter { heif.file.fileType.contains($0.brand) }
    guard !claimed.isEmpty else { return nil }
    return try forEachStream(heif) { item, stream in
      let (profile, level) = (stream.header.profile, stream.header.level)
      let broken = claimed.first { profile > $0.profile || level > $0.level && level < 31 }
      return broken.map {
        Finding(
          "exceeds the limits of brand '\($0.brand)'", at: heif.location(item),
          measured: "profile \(profile), level index \(level)", fix: .correctStructure)
      }
    }
  }

  private static func once(_ heif: CheckedHEIF) -> [Finding]? {
    let items = heif.items("av01")
    return items.isEmpty
      ? nil
      : items.compactMap { item in
        let boxes = item.all(AV1ConfigurationBox.self).map(\.content)
        guard boxes.count != 1 else { return nil }
        return Finding(
          "\(boxes.count) 'av1C'", at: heif.location(item), fix: .correctStructure,
          isHarmless: Set(boxes).count == 1)
      }
  }

  private static func essential(_ heif: CheckedHEIF) -> [Finding]? {
    let items = heif.items("av01").filter { $0.property(AV1ConfigurationBox.self) != nil }
    return items.isEmpty
      ? nil
      : items.compactMap { item in
        item.all(AV1ConfigurationBox.self).allSatisfy(\.isEssential)
          ? nil : Finding("not essential", at: heif.location(item, "av1C"), fix: .correctStructure)
      }
  }

  private static func sequence(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachStream(heif) { item, stream in
      guard let box = item.property(AV1ConfigurationBox.self) else { return nil }
      let fields = box.inconsistentFields(with: stream.header)
      return fields.isEmpty
        ? nil
        : Finding(
          "different \(fields.joined(separator: ", "))", at: heif.location(item, "av1C"),
          fix: .correctStructure, isHarmless: fields.allSatisfy { $0.hasPrefix("seq_") })
    }
  }

  private static func configurationUnits(_ heif: CheckedHEIF) -> [Finding]? {
    let items = heif.items("av01").filter { $0.property(AV1ConfigurationBox.self) != nil }
    return items.isEmpty
      ? nil
      : items.compactMap { item in
        guard let box = item.property(AV1ConfigurationBox.self), !box.configurationOBUs.isEmpty,
          let units = try? AV1OBU.split(box.configurationOBUs),
          units.contains(where: { $0.type == .sequenceHeader })
        else { return nil }
        return Finding(
          "contains a sequence header", at: heif.location(item, "av1C"), fix: .correctStructure)
      }
  }

  private static func oneSequenceHeader(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachStream(heif) { item, stream in
      let count = stream.types.count { $0 == .sequenceHeader }
      return count == 1 ? nil : Finding("\(count) sequence headers", at: heif.location(item))
    }
  }

  private static func stillPicture(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachStream(heif) { item, stream in
      stream.header.isStillPicture ? nil : Finding("still_picture is 0", at: heif.location(item))
    }
  }

  private static func needlessUnits(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    try forEachStream(heif) { item, stream in
      let needless: [AV1OBU.UnitType] = [.temporalDelimiter, .padding, .tileList]
      return stream.types.first(where: needless.contains).map {
        Finding("OBU of type \($0.rawValue)", at: heif.location(item))
      }
    }
  }

  private static func metadataUnits(_ heif: CheckedHEIF) throws(ImageError) -> [Finding]? {
    var isConcerned = false
    let findings = try forEachStream(heif) { item, stream in
      var notices: [Notice] = []
      let hdr = item.lightMetadata(notices: &notices)
      for metadata in stream.metadata {
        switch metadata {
        case .contentLightLevel(let level):
          guard let declared = hdr.contentLightLevel else { continue }
          isConcerned = true
          guard level != declared else { continue }
          return Finding(
            "the bitstream has a different light level", at: heif.location(item, "clli"),
            declared:
              "\(declared.maximum.formattedShort), \(declared.maximumAverage.formattedShort)",
            measured: "\(level.maximum.formattedShort), \(level.maximumAverage.formattedShort)")
        case .masteringDisplay(let display):
          guard let declared = hdr.masteringDisplay else { continue }
          isConcerned = true
          guard !declared.isClose(to: display) else { continue }
          return Finding(
            "the bitstream has a different mastering display", at: heif.location(item, "mdcv"))
        case .registered, .other: continue
        }
      }
      return nil
    }
    return isConcerned ? findings : nil
  }
}

extension LightMetadata.MasteringDisplay {
  /// Whether two values are equal within the precision of box and OBU.
  fileprivate func isClose(to other: LightMetadata.MasteringDisplay) -> Bool {
    primaries.isClose(to: other.primaries, tolerance: 1e-4)
      && abs(maximumLuminance - other.maximumLuminance) <= 0.01
      && abs(minimumLuminance - other.minimumLuminance) <= 1e-3
  }
}
