internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// What a picture's XMP says about a gain map, in its own words.
///
/// Source: Ultra HDR Image Format v1.0, "HDR gain map metadata".
struct HDRGMProperties: Sendable {
  let version: String?
  let baseIsHDR: String?
  /// Whether it describes a map, rather than announces one.
  let isMap: Bool
  private let packet: XMPPacket

  /// Nothing if the packet has no property of the namespace.
  init?(_ packet: XMPPacket) {
    guard packet.properties.contains(where: { $0.name.namespace == GainMapXMP.namespace }) else {
      return nil
    }
    self.packet = packet
    version = packet[GainMapXMP.versionName]?.text
    baseIsHDR = packet[XMPName(GainMapXMP.namespace, "BaseRenditionIsHDR")]?.text
    isMap = GainMapXMP.describesMap(packet)
  }

  /// The map as ISO 21496-1 would put it.
  ///
  /// - Throws: `.malformed` for numbers that make no map, `.unsupported` for another version.
  func metadata() throws(ImageError) -> GainMapMetadata {
    var notices: [Notice] = []
    let reading = try GainMapXMP.reading(packet, notices: &notices)
    guard case .parameters(let metadata) = reading.meaning else {
      throw ImageError(.gainMapNotOfISO21496)
    }
    return metadata
  }
}
