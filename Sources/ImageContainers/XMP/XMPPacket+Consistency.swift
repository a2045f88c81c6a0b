public import HDRCore

extension XMPPacket {
  /// XMP for a file of a container that has no other place for diffuse white.
  ///
  /// - Parameters:
  ///   - packet: The packet to write, if there is one.
  ///   - luminance: Diffuse white in cd/m²; `nil` to say nothing about it.
  /// - Returns: The packet with this diffuse white; `nil` if there is nothing to say.
  /// - Throws: `.malformed` if the packet cannot be edited.
  public static func consistent(
    _ packet: [UInt8]?, withDiffuseWhite luminance: Double?
  ) throws(ImageError) -> [UInt8]? {
    guard let packet else { return luminance.map(self.packet(diffuseWhite:)) }
    var xmp = try XMPPacket(parsing: packet)
    try xmp.setDiffuseWhite(luminance)
    return xmp.bytes
  }
}
