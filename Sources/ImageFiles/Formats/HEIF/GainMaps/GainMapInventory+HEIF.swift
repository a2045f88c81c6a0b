// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

extension GainMapInventory {
  /// Finds the gain maps of a HEIF or AVIF file: inputs of `tmap` items, and auxiliary images.
  ///
  /// An image that is both is one gain map with several metadata carriers. At most 16 are examined,
  /// with a notice if the file contains more.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - appleCurve: Transfer curve of Apple gain map samples, which no file specifies; sRGB by
  ///     default.
  /// - Throws: Errors that end the whole job.
  package init(
    of file: HEIFFile, appleCurve: GainMapMetadata.AppleCurve = .srgb
  ) throws(ImageError) {
    var finder = try HEIFGainMapFinder(file: file, appleCurve: appleCurve)
    let maps = try finder.find()
    self.init(maps, notices: finder.notices)
  }
}

private struct HEIFGainMapFinder {
  let file: HEIFFile
  let appleCurve: GainMapMetadata.AppleCurve
  private let makerNote: AppleMakerNote?
  private(set) var notices: [Notice] = []

  /// Maximum number of gain maps to examine; above that of real files, and a bound for malicious
  /// ones.
  private static let mostMaps = 16
  /// Maximum size of gain map metadata, in bytes; real payloads have up to 142, XMP packets a few
  /// thousand.
  private static let longestDescription = 1 << 20

  init(file: HEIFFile, appleCurve: GainMapMetadata.AppleCurve) throws(ImageError) {
    self.file = file
    self.appleCurve = appleCurve
    makerNote = try AppleMakerNote(of: file)
  }

  mutating func find() throws(ImageError) -> [FoundGainMap] {
    guard let primary = file.primaryItemID else { return [] }
    let toneMaps = file.items.filter { $0.type == "tmap" }
    var auxiliaries: [(item: HEIFItem, flavor: GainMapAuxiliary)] = file.items.compactMap { item in
      item.property(AuxiliaryTypeBox.self)
        .flatMap { GainMapAuxiliary(auxiliaryType: $0.auxiliaryType) }.map { (item, $0) }
    }
    if toneMaps.count + auxiliaries.count > Self.mostMaps {
      notices.append(
        Notice(
          .irregular, "{count gain map}; the first {limit} are used",
          ["count": toneMaps.count + auxiliaries.count, "limit": Self.mostMaps]))
    }
    var maps: [FoundGainMap] = []
    for toneMap in toneMaps.prefix(Self.mostMaps) {
      do throws(ImageError) {
        let map = try input(of: toneMap)
        let objection = objection(to: toneMap, primary)
        // An input that is also an auxiliary image is one gain map.
        let place = objection == nil ? auxiliaries.firstIndex { $0.item.id == map.id } : nil
        let auxiliary = place.map { auxiliaries.remove(at: $0).flavor }
        maps.append(
          FoundGainMap(
            location: .item(map.id), layout: file.gainMapLayout(of: map),
            carriers: try [isoCarrier(toneMap)] + packetCarriers(map, auxiliary),
            toneMapItem: toneMap.id, auxiliary: auxiliary, alternate: alternate(toneMap),
            objection: objection))
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(.irregular, "ignored: tone map: {cause}", ["cause": error], at: location(toneMap)))
      }
    }
    for (item, flavor) in auxiliaries.prefix(max(Self.mostMaps - maps.count, 0)) {
      let isOfPrimary = file.references(from: item.id, type: "auxl").contains(primary)
      maps.append(
        FoundGainMap(
          location: .item(item.id), layout: file.gainMapLayout(of: item),
          carriers: try auxiliaryCarriers(item, flavor), auxiliary: flavor,
          objection: isOfPrimary ? nil : ImageError(.gainMapOfAnotherImage)))
    }
    if maps.isEmpty { try noteStaleHint(primary) }
    return maps
  }

  // MARK: Tone maps

  /// The gain map that a `tmap` item is derived from.
  ///
  /// Source: ISO/IEC 23008-12, 6.6.2.4: exactly two inputs, the baseline image before the gain map.
  private func input(of toneMap: HEIFItem) throws(ImageError) -> HEIFItem {
    let inputs = file.references(from: toneMap.id, type: "dimg")
    guard inputs.count == 2, inputs[0] != inputs[1] else {
      throw ImageError(
        .malformed,
        "the inputs of the tone map are items {inputs}, not a baseline image and a gain map",
        ["inputs": inputs])
    }
    guard let map = file.item(inputs[1]), map.isImage else {
      throw ImageError(.malformed, "item {item} is not an image", ["item": inputs[1]])
    }
    return map
  }

  /// The reason why a tone map must not be applied to the primary image; `nil` if it may be.
  ///
  /// Source: ISO/IEC 23008-12, 6.8.1: the first of a group of alternatives is the preferred one.
  private mutating func objection(to toneMap: HEIFItem, _ primary: UInt32) -> ImageError? {
    guard file.references(from: toneMap.id, type: "dimg").first == primary else {
      return ImageError(.gainMapOfAnotherImage)
    }
    let group = file.groups.first {
      $0.type == "altr" && $0.entities.contains(toneMap.id) && $0.entities.contains(primary)
    }
    if let entities = group?.entities {
      guard let order = entities.first(where: { $0 == toneMap.id || $0 == primary }),
        order == toneMap.id
      else {
        return ImageError(
          .unsuitable, "the file prefers the baseline image (group of alternatives {group item})",
          ["group": entities])
      }
    } else {
      notices.append(Notice(.gainMapGroupMissing, at: location(toneMap)))
    }
    if !file.fileType.compatibleBrands.contains("tmap") {
      notices.append(Notice(.gainMapBrandMissing, at: location(toneMap)))
    }
    return nil
  }

  private mutating func isoCarrier(_ toneMap: HEIFItem) throws(ImageError) -> FoundGainMap.Carrier {
    var found: [Notice] = []
    let carrier = try FoundGainMap.Carrier(.iso, at: location(toneMap)) { () throws(ImageError) in
      let bytes = try description(toneMap.id)
      return try ISO21496Payload(parsingToneMapItem: bytes, notices: &found).description
    }
    notices += found.map { $0.inside(location(toneMap)) }
    return carrier
  }

  /// The data of an item with gain map metadata.
  ///
  /// - Throws: `.limitExceeded` if they are too large.
  private func description(_ id: UInt32) throws(ImageError) -> [UInt8] {
    let size = try file.dataParts(of: id).reduce(0) { $0 + $1.count }
    guard size <= Self.longestDescription else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "gain map metadata", "size": size, "limit": Self.longestDescription])
    }
    return try file.data(of: id)
  }

  private mutating func alternate(_ toneMap: HEIFItem) -> FoundGainMap.AlternateImage {
    var place = location(toneMap)
    place.path.append("nclx")
    return FoundGainMap.AlternateImage(
      cicp: toneMap.cicp?.withoutReserved(at: place, notices: &notices), icc: toneMap.icc,
      light: toneMap.lightMetadata(notices: &notices))
  }

  // MARK: Auxiliary images

  private mutating func auxiliaryCarriers(
    _ item: HEIFItem, _ flavor: GainMapAuxiliary
  ) throws(ImageError) -> [FoundGainMap.Carrier] {
    let carriers = try packetCarriers(item, flavor)
    guard carriers.isEmpty else { return carriers }
    return [
      try FoundGainMap.Carrier(.xmp, at: location(item)) { () throws(ImageError) in
        throw ImageError(.missingElement, ["element": "XMP of the gain map"])
      }
    ]
  }

  private mutating func packetCarriers(
    _ map: HEIFItem, _ auxiliary: GainMapAuxiliary?
  ) throws(ImageError) -> [FoundGainMap.Carrier] {
    var packets: [XMPPacket] = []
    for item in file.xmpItems(describing: map.id).prefix(4) where item.hasPlainContent {
      do throws(ImageError) {
        packets.append(try XMPPacket(parsing: try description(item.id)))
      } catch {
        guard !error.endsJob else { throw error }
        notices.append(
          Notice(
            .irregular, "not readable: XMP of the gain map: {cause}", ["cause": error],
            at: location(item)))
      }
    }
    let gainMapPackets = GainMapPackets(packets, location: location(map))
    return try gainMapPackets.carriers(
      appleIsExpected: auxiliary == .apple, makerNote: makerNote, curve: appleCurve,
      notices: &notices)
  }

  /// Adds a notice if the baseline image signals a gain map that is missing.
  private mutating func noteStaleHint(_ primary: UInt32) throws(ImageError) {
    for item in file.xmpItems(describing: primary).prefix(1) where item.hasPlainContent {
      guard let packet = try ifReadable(try XMPPacket(parsing: try description(item.id))),
        packet[GainMapXMP.versionName] != nil
      else { continue }
      notices.append(
        Notice(.gainMapAnnouncedMissing, ["announcement": "hdrgm:Version"], at: location(item)))
    }
  }

  private func location(_ item: HEIFItem) -> ImageError.Location {
    .init(path: ["item \(item.id)"])
  }
}

extension HEIFFile {
  /// The sample layout of an image item, as far as the container specifies it.
  func gainMapLayout(of map: HEIFItem) -> FoundGainMap.Layout? {
    guard let size = map.property(ImageSpatialExtentsBox.self) else { return nil }
    let coded =
      map.type == "grid"
      ? references(from: map.id, type: "dimg").first.flatMap { item($0) } ?? map : map
    return FoundGainMap.Layout(
      width: Int(size.width), height: Int(size.height),
      componentCount: coded.codedComponentCount, bits: coded.codedBits)
  }
}

extension HEIFItem {
  /// Whether the data of a `mime` item are not compressed.
  fileprivate var hasPlainContent: Bool { contentEncoding?.isEmpty ?? true }

  fileprivate var codedComponentCount: Int? {
    if let hevc = property(HEVCConfigurationBox.self) { return hevc.chromaFormat == 0 ? 1 : 3 }
    if let av1 = property(AV1ConfigurationBox.self) { return av1.isMonochrome ? 1 : 3 }
    return property(PixelInformationBox.self)?.bitsPerChannel.count
  }

  fileprivate var codedBits: Int? {
    if let hevc = property(HEVCConfigurationBox.self) { return Int(hevc.lumaBitDepth) }
    if let av1 = property(AV1ConfigurationBox.self) { return av1.bitDepth }
    return property(PixelInformationBox.self)?.bitsPerChannel.first.map(Int.init)
  }
}
