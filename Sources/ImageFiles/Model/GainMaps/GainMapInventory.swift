// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore

/// All gain maps of a file, with notices.
///
/// Created by `ImageFile.gainMaps()`. No samples are decoded. An invalid gain map results in a
/// notice, not an error, since the baseline image is usable without it.
///
/// ```swift
/// let inventory = try ImageFile(parsing: ByteSource(path: "IMG_0001.HEIC")).gainMaps()
/// for number in inventory.applicable?.description?.numbers ?? [] {
///   print(number.name, number.text, number.origin)
/// }
/// ```
public struct GainMapInventory: Sendable {
  /// The gain maps, applicable ones first, in order of precedence.
  public let maps: [FoundGainMap]
  /// Notices about invalid, contradictory, outdated and irregular metadata.
  public let notices: [Notice]

  /// The gain map that is applied to the baseline image; `nil` if none can be applied.
  public var applicable: FoundGainMap? { maps.first { $0.isApplicable } }

  /// Returns the gain map that is applied to the baseline image.
  ///
  /// - Throws: `.unsuitable`, with the cause if there is one, if none can be applied.
  public func requireApplicable() throws(ImageError) -> FoundGainMap {
    if let applicable { return applicable }
    guard let cause = maps.first.flatMap(Self.obstacle) ?? notices.first?.asCause else {
      throw ImageError(.noGainMap)
    }
    throw ImageError(maps.isEmpty ? .gainMapNoneReadable : .gainMapNotApplicable, ["cause": cause])
  }

  /// The reason why a gain map cannot be applied.
  private static func obstacle(to map: FoundGainMap) -> ImageError? {
    if let objection = map.objection { return objection }
    return map.carriers.lazy.compactMap { carrier in
      carrier.failure.map {
        ImageError(
          .malformed, "{flavor} metadata of the gain map are not readable: {cause}",
          ["flavor": carrier.flavor.title, "cause": $0],
          at: carrier.location)
      }
    }.first
  }

  /// Sorts gain maps by precedence, and compares the metadata carriers of each.
  ///
  /// - Parameters:
  ///   - found: Gain maps in file order.
  ///   - notices: Notices from reading them.
  init(_ found: [FoundGainMap], notices: [Notice]) {
    maps = Self.ranked(found)
    self.notices = notices + maps.flatMap(Self.notices) + Self.surplus(maps)
  }

  private static func ranked(_ found: [FoundGainMap]) -> [FoundGainMap] {
    func rank(_ map: FoundGainMap) -> Int {
      guard map.isApplicable, let flavor = map.flavor else { return .max }
      return GainMapFlavor.allCases.firstIndex(of: flavor) ?? .max
    }
    return found.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    .map(\.element)
  }

  private static func notices(about map: FoundGainMap) -> [Notice] {
    var notices: [Notice] = []
    for carrier in map.carriers {
      guard let error = carrier.failure else { continue }
      let notice = Notice(
        .gainMapDescriptionUnreadable,
        ["flavor": carrier.flavor.title, "cause": error], at: error.location)
      notices.append(notice.inside(carrier.location))
    }
    guard let metadata = map.metadata else { return notices }
    notices += conflicts(in: map.carriers)
    if let objection = map.objection {
      notices.append(
        Notice(
          .irregular, "gain map not applied: {cause}", ["cause": objection],
          at: map.location.errorLocation))
    }
    if !metadata.usesBaseColorSpace, map.alternate.cicp == nil, map.alternate.icc == nil,
      map.alternate.compressedICC == nil
    {
      notices.append(
        Notice(
          .assumed,
          "assumed: primaries of the baseline image for the gain, which is in those of the "
            + "alternate image (not specified)",
          at: map.location.errorLocation))
    }
    return notices
  }

  /// Notices about carriers of one gain map that differ by more than one percent in linear values.
  private static func conflicts(in carriers: [FoundGainMap.Carrier]) -> [Notice] {
    let descriptions = carriers.compactMap(\.description)
    guard let first = descriptions.first else { return [] }
    return descriptions.dropFirst().compactMap { other in
      let differences = first.metadata.disagreements(with: other.metadata)
      guard !differences.isEmpty else { return nil }
      return Notice(
        .gainMapDescriptionsDiffer,
        [
          "first": first.flavor.title, "second": other.flavor.title,
          "differences": differences,
        ])
    }
  }

  /// Notices about gain maps that are dropped since no metadata of them can be read; empty if those of one
  /// can.
  var undescribedMapNotices: [Notice] {
    guard maps.allSatisfy({ $0.description == nil }) else { return [] }
    return maps.filter { $0.objection == nil }.compactMap { map in
      guard let cause = Self.obstacle(to: map), !map.carriers.contains(where: \.exceedsLimit) else {
        return nil
      }
      return Notice(
        .dropped, "dropped: gain map, which cannot be applied: {cause}; this is the baseline image",
        ["cause": cause], at: map.location.errorLocation)
    }
  }

  private static func surplus(_ maps: [FoundGainMap]) -> [Notice] {
    let applicable = maps.filter(\.isApplicable)
    guard applicable.count > 1 else { return [] }
    return [
      Notice(
        .irregular, "{count gain map} for one image; the first is used",
        ["count": applicable.count], at: applicable[0].location.errorLocation)
    ]
  }
}

extension FoundGainMap.Carrier {
  /// Whether the metadata are not read because of a limit, which is not a fault of the file.
  var exceedsLimit: Bool { failure?.category == .limitExceeded }
}

extension FoundGainMap.Location {
  /// Name in reports, notices and errors.
  package var name: String {
    switch self {
    case .image(let index): JPEGFile.nameOfImage(index)
    case .item(let id): "item \(id)"
    case .box: "jhgm"
    case .chunk: "gdAT"
    case .file: "a file of its own"
    }
  }

  var errorLocation: ImageError.Location {
    switch self {
    case .image, .item, .chunk: .init(path: [name])
    case .box(let offset): .init(path: [name], offset: offset)
    case .file: .init()
    }
  }
}

/// The XMP packets of one gain map, and the gain map metadata in them.
struct GainMapPackets {
  private let packets: [XMPPacket]
  private let location: ImageError.Location

  init(_ packets: [XMPPacket], location: ImageError.Location) {
    self.packets = packets
    self.location = location
  }

  /// Reads the Adobe and Apple gain map metadata.
  ///
  /// - Parameters:
  ///   - appleIsExpected: Whether other metadata identify an Apple gain map.
  ///   - makerNote: Apple maker note of the baseline image.
  ///   - curve: Transfer curve of Apple gain map samples.
  ///   - notices: Receives notices about irregular metadata.
  /// - Returns: At most one carrier for each, including unreadable ones.
  /// - Throws: Errors that end the whole job.
  func carriers(
    appleIsExpected: Bool, makerNote: AppleMakerNote?, curve: GainMapMetadata.AppleCurve,
    notices: inout [Notice]
  ) throws(ImageError) -> [FoundGainMap.Carrier] {
    var carriers: [FoundGainMap.Carrier] = []
    var found: [Notice] = []
    if let packet = packets.first(where: GainMapXMP.describesMap) {
      carriers.append(
        try FoundGainMap.Carrier(.xmp, at: location) { () throws(ImageError) in
          try GainMapXMP.description(of: packet, notices: &found)
        })
    }
    let apple = packets.lazy.compactMap { AppleGainMapXMP($0) }.first
    if appleIsExpected || apple != nil {
      carriers.append(
        try FoundGainMap.Carrier(.apple, at: location) { () throws(ImageError) in
          try FoundGainMap.Description(apple, makerNote, curve: curve, notices: &found)
        })
    }
    notices += found.map { $0.inside(location) }
    return carriers
  }
}

extension Notice {
  /// A copy of the notice with its location inside another one.
  func inside(_ place: ImageError.Location) -> Notice {
    var notice = self
    notice.location.path = place.path + location.path
    notice.location.offset = location.offset ?? place.offset
    return notice
  }
}
