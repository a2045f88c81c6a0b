package import HDRCore
package import ImageContainers

extension AppleGainMapXMP {
  /// Says in the packet of a map that it is Apple's, and of which headroom.
  ///
  /// Elements instead of attributes, as Apple spells them.
  ///
  /// - Parameters:
  ///   - headroom: Of the full gain.
  ///   - packet: The packet of the map.
  ///   - isJPEG: Whether the packet also has to say what the picture is, as in JPEG.
  /// - Throws: `.malformed` if the packet holds no RDF.
  public static func write(
    _ headroom: Headroom, into packet: inout XMPPacket, isJPEG: Bool
  ) throws(ImageError) {
    let prefixes = [namespace: "HDRGainMap", pixelDataNamespace: "apdi"]
    // Each goes before those that are there already.
    let ratio = (headroom.ratio * 1e6).rounded() / 1e6
    try packet.set(.text(ratio.plainDecimal), for: headroomName, prefixes: prefixes)
    try packet.set(.text("\(versionWithHeadroom)"), for: versionName, prefixes: prefixes)
    guard isJPEG else { return }
    for (name, text) in [
      ("ImageLayout", eightBitGray), ("NativeFormat", eightBitGray),
      ("AuxiliaryImageType", GainMapAuxiliary.appleType),
    ] {
      try packet.set(.text(text), for: XMPName(pixelDataNamespace, name), prefixes: prefixes)
    }
  }

  /// Removes what a packet says about Apple's gain map.
  ///
  /// - Throws: `.malformed` if what is left cannot be read.
  public static func remove(from packet: inout XMPPacket) throws(ImageError) {
    try packet.remove(versionName)
    try packet.remove(headroomName)
    guard packet[auxiliaryTypeName]?.text == GainMapAuxiliary.appleType else { return }
    for name in ["ImageLayout", "NativeFormat", "AuxiliaryImageType"] {
      try packet.remove(XMPName(pixelDataNamespace, name))
    }
  }

  /// The pixel format `L008`.
  private static let eightBitGray = "1278226488"
}
