// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore

extension AppleGainMapXMP {
  /// Writes Apple's metadata into the packet of a gain map.
  ///
  /// Properties are elements and not attributes, as Apple writes them.
  ///
  /// - Parameters:
  ///   - headroom: Headroom of the image with full gain.
  ///   - packet: The packet of the gain map.
  ///   - isJPEG: Whether to write the type of the auxiliary image, which JPEG specifies in XMP.
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func write(
    _ headroom: Headroom, into packet: inout XMPPacket, isJPEG: Bool
  ) throws(ImageError) {
    try write(headroom, into: &packet)
    guard isJPEG else { return }
    for (name, text) in [
      ("ImageLayout", eightBitGray), ("NativeFormat", eightBitGray),
      ("AuxiliaryImageType", GainMapAuxiliary.appleType),
    ] {
      try packet.set(.text(text), for: XMPName(pixelDataNamespace, name), prefixes: prefixes)
    }
  }

  /// Writes the headroom alone, into the packet of a gain map that has the other properties.
  ///
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func write(
    _ headroom: Headroom, into packet: inout XMPPacket
  ) throws(ImageError) {
    // Each is inserted before the existing ones.
    let ratio = (headroom.ratio * 1e6).rounded() / 1e6
    try packet.set(.text(ratio.plainDecimal), for: headroomName, prefixes: prefixes)
    try packet.set(.text("\(versionWithHeadroom)"), for: versionName, prefixes: prefixes)
  }

  private static let prefixes = [namespace: "HDRGainMap", pixelDataNamespace: "apdi"]

  /// Removes Apple's gain map metadata from a packet.
  ///
  /// - Throws: `.malformed` if the rest cannot be parsed.
  package static func remove(from packet: inout XMPPacket) throws(ImageError) {
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
