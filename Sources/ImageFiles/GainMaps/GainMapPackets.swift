internal import GainMap
internal import HDRCore
internal import ImageContainers

/// The XMP packets that belong to one gain map, and what they spell.
struct GainMapPackets {
  private let packets: [XMPPacket]
  private let location: ImageError.Location

  init(_ packets: [XMPPacket], location: ImageError.Location) {
    self.packets = packets
    self.location = location
  }

  /// Adobe's description and Apple's, those that are there.
  ///
  /// - Parameters:
  ///   - appleIsExpected: Whether the file says otherwise that the map is Apple's.
  ///   - makerNote: Of the base.
  ///   - curve: That of Apple's map.
  ///   - notices: Receives what is odd.
  /// - Returns: At most one of each; unreadable ones too.
  func carriers(
    appleIsExpected: Bool, makerNote: AppleMakerNote?, curve: GainMapMetadata.AppleCurve,
    notices: inout [Notice]
  ) -> [FoundGainMap.Carrier] {
    var carriers: [FoundGainMap.Carrier] = []
    var found: [Notice] = []
    if let packet = packets.first(where: GainMapXMP.describesMap) {
      carriers.append(
        FoundGainMap.Carrier(.xmp, at: location) { () throws(ImageError) in
          try GainMapXMP.description(of: packet, notices: &found)
        })
    }
    let apple = packets.lazy.compactMap { AppleGainMapXMP($0) }.first
    if appleIsExpected || apple != nil {
      carriers.append(
        FoundGainMap.Carrier(.apple, at: location) { () throws(ImageError) in
          try FoundGainMap.Description(apple, makerNote, curve: curve, notices: &found)
        })
    }
    notices += found.map { $0.inside(location) }
    return carriers
  }
}

extension Notice {
  /// The same notice, seen from an enclosing place.
  func inside(_ place: ImageError.Location) -> Notice {
    var notice = self
    notice.location.path = place.path + location.path
    notice.location.offset = location.offset ?? place.offset
    return notice
  }
}
