// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore

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
