package import HDRCore
package import ImageContainers

/// What Apple's XMP says about a gain map: its kind, and its headroom where the kind has one.
///
/// Source: files of iOS 14 to 18; the headroom is a ratio, not stops.
package struct AppleGainMapXMP: Hashable, Sendable {
  static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"
  static let pixelDataNamespace = "http://ns.apple.com/pixeldatainfo/1.0/"
  static let versionName = XMPName(namespace, "HDRGainMapVersion")
  static let headroomName = XMPName(namespace, "HDRGainMapHeadroom")
  static let auxiliaryTypeName = XMPName(pixelDataNamespace, "AuxiliaryImageType")

  /// 65536, with the headroom in the maker note, or 131072, with the headroom here.
  public var version: Int?
  /// As a ratio.
  public var headroom: Double?
  /// In JPEG: what an auxiliary picture in HEIF says in its `auxC` property.
  public var auxiliaryType: String?

  /// The version that comes with a headroom.
  public static let versionWithHeadroom = 131_072

  /// Reads the packet of a gain map; `nil` if it says nothing about one.
  public init?(_ packet: XMPPacket) {
    version = packet[Self.versionName]?.text.flatMap { Int($0) }
    headroom = packet[Self.headroomName]?.text.flatMap(Double.init)
    auxiliaryType = packet[Self.auxiliaryTypeName]?.text
    guard version != nil || headroom != nil || auxiliaryType == GainMapAuxiliary.appleType
    else { return nil }
  }
}

extension AppleGainMap {
  /// Puts together what XMP and maker note say about a map; XMP wins.
  ///
  /// - Parameters:
  ///   - xmp: The packet of the map, if there is one.
  ///   - makerNote: Of the file, if there is one.
  ///   - curve: How samples relate to gain, which no file says.
  ///   - notices: Receives contradictions.
  /// - Returns: The description.
  /// - Throws: `.malformed` if nothing says a headroom that makes sense.
  package static func reading(
    _ xmp: AppleGainMapXMP?, _ makerNote: AppleMakerNote?, curve: Curve,
    notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.Description {
    var numbers: [FoundGainMap.Description.Number] = []
    if let version = xmp?.version {
      numbers.append(
        .init("version", "\(version)", .xmp, from: "HDRGainMap:HDRGainMapVersion"))
    }
    var stated: Headroom?
    if let ratio = xmp?.headroom {
      if ratio >= 1, Headroom(ratio: ratio).stops <= GainMapMetadata.largestStops {
        let headroom = Headroom(ratio: ratio)
        stated = headroom
        numbers.append(
          .init("headroom", headroom.explanation, .xmp, from: "HDRGainMap:HDRGainMapHeadroom"))
      } else {
        notices.append(
          Notice(.gainMapAppleHeadroomInvalid, ["value": "\(ratio)"], at: .init(path: ["XMP"])))
      }
    }
    numbers += makerNote?.numbers ?? []
    let noted = makerNote?.headroom
    if let stated, let noted,
      abs(stated.stops - noted.stops) > GainMapMetadata.onePercentInStops
    {
      notices.append(
        Notice(.gainMapAppleHeadroomsDiffer, ["xmp": stated.ratio, "makerNote": noted.ratio]))
    }
    guard let headroom = stated ?? noted else {
      throw ImageError(.gainMapAppleHeadroomMissing)
    }
    let map = try AppleGainMap(headroom: headroom, curve: curve)
    numbers.append(.init("curve", curve.rawValue, .assumed, from: "assumed; files do not say it"))
    return FoundGainMap.Description(flavor: .apple, meaning: .apple(map), numbers: numbers)
  }
}
