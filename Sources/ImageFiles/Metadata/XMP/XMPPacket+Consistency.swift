// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension XMPPacket {
  /// Returns XMP for a container that cannot store diffuse white otherwise.
  ///
  /// - Parameters:
  ///   - packet: The packet to edit; `nil` if missing.
  ///   - luminance: Luminance of diffuse white in cd/m²; `nil` to remove it.
  /// - Returns: The packet with this diffuse white; `nil` if XMP is not needed.
  /// - Throws: `.malformed` if the packet cannot be edited.
  package static func consistent(
    _ packet: [UInt8]?, withDiffuseWhite luminance: Double?
  ) throws(ImageError) -> [UInt8]? {
    guard let packet else { return luminance.map(self.packet(diffuseWhite:)) }
    var xmp = try XMPPacket(parsing: packet)
    try xmp.setDiffuseWhite(luminance)
    return xmp.bytes
  }
}
