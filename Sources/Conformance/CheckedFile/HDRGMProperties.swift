// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Gain map properties in the XMP of an image (namespace hdrgm).
///
/// Source: Ultra HDR Image Format v1.0, "HDR gain map metadata".
struct HDRGMProperties: Sendable {
  let version: String?
  let isBaseHDR: String?
  /// Whether the properties describe a gain map, instead of announcing one.
  let isMap: Bool
  private let packet: XMPPacket

  /// - Returns: `nil` for a packet without properties of the namespace.
  init?(_ packet: XMPPacket) {
    guard packet.properties.contains(where: { $0.name.namespace == GainMapXMP.namespace }) else {
      return nil
    }
    self.packet = packet
    version = packet[GainMapXMP.versionName]?.text
    isBaseHDR = packet[XMPName(GainMapXMP.namespace, "BaseRenditionIsHDR")]?.text
    isMap = GainMapXMP.describesMap(packet)
  }

  /// The gain map metadata of ISO 21496-1.
  ///
  /// - Throws: `.malformed` for invalid numbers, `.unsupported` for another version.
  func metadata() throws(ImageError) -> GainMapMetadata {
    var notices: [Notice] = []
    return try GainMapXMP.description(of: packet, notices: &notices).metadata
  }
}
