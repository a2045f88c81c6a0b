public import GainMap
internal import HDRCore
public import ImageContainers

extension GainMapInventory {
  /// Finds the gain maps of a HEIF or AVIF file: the inputs of `tmap` items, and auxiliary pictures.
  ///
  /// A picture that is both is one map with several descriptions.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - appleCurve: How samples of Apple's maps relate to gain, which no file says.
  public init(of file: HEIFFile, appleCurve: AppleGainMap.Curve = .srgb) {
    var finder = HEIFGainMapFinder(file: file, appleCurve: appleCurve)
    let maps = finder.find()
    self.init(maps, notices: finder.notices)
  }
}

private struct HEIFGainMapFinder {
  let file: HEIFFile
  let appleCurve: AppleGainMap.Curve
  private let makerNote: AppleMakerNote?
  private(set) var notices: [Notice] = []

  /// More than any file has, and few enough to be quick about nonsense.
  private static let mostMaps = 16
  /// Real payloads have up to 142 bytes, real packets some thousand.
  private static let longestDescription = 1 << 20

  init(file: HEIFFile, appleCurve: AppleGainMap.Curve) {
    self.file = file
    self.appleCurve = appleCurve
    makerNote = AppleMakerNote(of: file)
  }

  mutating func find() -> [FoundGainMap] {
    guard let primary = file.primaryItemID else { return [] }
    let toneMaps = file.items.filter { $0.type == "tmap" }
    var auxiliaries: [(item: HEIFItem, kind: GainMapAuxiliary)] = file.items.compactMap { item in
      item.property(AuxiliaryTypeBox.self)
        .flatMap { GainMapAuxiliary(auxiliaryType: $0.auxiliaryType) }.map { (item, $0) }
    }
    if toneMaps.count + auxiliaries.count > Self.mostMaps {
      notices.append(
        Notice(
          .irregular,
          "\(toneMaps.count + auxiliaries.count) gain maps; the first \(Self.mostMaps) count"))
    }
    var maps: [FoundGainMap] = []
    for toneMap in toneMaps.prefix(Self.mostMaps) {
      do throws(ImageError) {
        let map = try input(of: toneMap)
        let objection = objection(to: toneMap, primary)
        // A map that is auxiliary too is one map.
        let place = objection == nil ? auxiliaries.firstIndex { $0.item.id == map.id } : nil
        let auxiliary = place.map { auxiliaries.remove(at: $0).kind }
        maps.append(
          FoundGainMap(
            place: .item(map.id), layout: file.gainMapLayout(of: map),
            spellings: [isoSpelling(toneMap)] + packetSpellings(map, auxiliary),
            toneMapItem: toneMap.id, auxiliary: auxiliary, alternate: alternate(toneMap),
            objection: objection))
      } catch {
        notices.append(
          Notice(.irregular, "a tone map is ignored: \(error.reason)", at: location(toneMap)))
      }
    }
    for (item, kind) in auxiliaries.prefix(max(Self.mostMaps - maps.count, 0)) {
      let isOfPrimary = file.references(from: item.id, type: "auxl").contains(primary)
      maps.append(
        FoundGainMap(
          place: .item(item.id), layout: file.gainMapLayout(of: item),
          spellings: auxiliarySpellings(item, kind), auxiliary: kind,
          objection: isOfPrimary ? nil : "it belongs to another picture than the primary one"))
    }
    if maps.isEmpty { noteStaleHint(primary) }
    return maps
  }

  // MARK: Tone maps

  /// The map that a `tmap` item derives from.
  ///
  /// Source: ISO/IEC 23008-12, 6.6.2.4: exactly two inputs, the base before the map.
  private func input(of toneMap: HEIFItem) throws(ImageError) -> HEIFItem {
    let inputs = file.references(from: toneMap.id, type: "dimg")
    guard inputs.count == 2, inputs[0] != inputs[1] else {
      throw ImageError(.malformed, "its inputs are \(inputs), not a base and a map")
    }
    guard let map = file.item(inputs[1]), map.isPicture else {
      throw ImageError(.malformed, "its input \(inputs[1]) is no picture")
    }
    return map
  }

  /// Why a tone map must not be applied to the primary picture, if so.
  ///
  /// Source: ISO/IEC 23008-12, 6.8.1: the first of a group of alternatives is the preferred one.
  private mutating func objection(to toneMap: HEIFItem, _ primary: UInt32) -> String? {
    guard file.references(from: toneMap.id, type: "dimg").first == primary else {
      return "it belongs to another picture than the primary one"
    }
    let group = file.groups.first {
      $0.type == "altr" && $0.entities.contains(toneMap.id) && $0.entities.contains(primary)
    }
    if let entities = group?.entities {
      guard let order = entities.first(where: { $0 == toneMap.id || $0 == primary }),
        order == toneMap.id
      else { return "the file prefers the base (group of alternatives \(entities))" }
    } else {
      notices.append(
        Notice(
          .irregular, "no group of alternatives with the tone map and its base; applied anyway",
          at: location(toneMap)))
    }
    if !file.fileType.compatibleBrands.contains("tmap") {
      notices.append(
        Notice(
          .irregular, "a tone map without the brand 'tmap'; applied anyway", at: location(toneMap)))
    }
    return nil
  }

  private mutating func isoSpelling(_ toneMap: HEIFItem) -> GainMapSpelling {
    var found: [Notice] = []
    let spelling = GainMapSpelling(.iso, at: location(toneMap)) { () throws(ImageError) in
      let bytes = try description(toneMap.id)
      return try ISO21496Payload(parsingToneMapItem: bytes, notices: &found).reading
    }
    notices += found.map { $0.inside(location(toneMap)) }
    return spelling
  }

  /// The data of an item that describes a map, unless they are too long for that.
  private func description(_ id: UInt32) throws(ImageError) -> [UInt8] {
    let size = try file.dataParts(of: id).reduce(0) { $0 + $1.count }
    guard size <= Self.longestDescription else {
      throw ImageError(.limitExceeded, "\(size) bytes for the description of a gain map")
    }
    return try file.data(of: id)
  }

  private mutating func alternate(_ toneMap: HEIFItem) -> AlternateRendition {
    AlternateRendition(
      cicp: toneMap.cicp, icc: toneMap.icc, hdr: toneMap.lightMetadata(notices: &notices))
  }

  // MARK: Auxiliary pictures

  private mutating func auxiliarySpellings(
    _ item: HEIFItem, _ kind: GainMapAuxiliary
  ) -> [GainMapSpelling] {
    let spellings = packetSpellings(item, kind)
    guard spellings.isEmpty else { return spellings }
    return [
      GainMapSpelling(.xmp, at: location(item)) { () throws(ImageError) in
        throw ImageError(.malformed, "no XMP describes it")
      }
    ]
  }

  private mutating func packetSpellings(
    _ map: HEIFItem, _ auxiliary: GainMapAuxiliary?
  ) -> [GainMapSpelling] {
    var packets: [XMPPacket] = []
    for item in file.xmpItems(describing: map.id).prefix(4) where item.hasPlainContent {
      do throws(ImageError) {
        packets.append(try XMPPacket(parsing: try description(item.id)))
      } catch {
        notices.append(
          Notice(
            .irregular, "XMP of a gain map cannot be read: \(error.reason)", at: location(item)))
      }
    }
    let carrier = GainMapPackets(packets, location: location(map))
    return carrier.spellings(
      appleIsExpected: auxiliary == .apple, makerNote: makerNote, curve: appleCurve,
      notices: &notices)
  }

  /// Complains if the base announces a map that is not there.
  private mutating func noteStaleHint(_ primary: UInt32) {
    for item in file.xmpItems(describing: primary).prefix(1) where item.hasPlainContent {
      guard let bytes = try? description(item.id), let packet = try? XMPPacket(parsing: bytes),
        packet[GainMapXMP.versionName] != nil
      else { continue }
      notices.append(
        Notice(
          .irregular, "hdrgm:Version announces a gain map, but there is none", at: location(item)))
    }
  }

  private func location(_ item: HEIFItem) -> ImageError.Location {
    .init(path: ["item \(item.id)"])
  }
}

extension HEIFFile {
  /// The layout of a picture item's samples, as far as the container says it.
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
  /// Whether the data of a `mime` item are the content itself, and not its compression.
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
