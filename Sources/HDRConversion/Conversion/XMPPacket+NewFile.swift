// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension XMPPacket {
  /// Returns the packet with its orientation and size, if it has them, updated.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image; `nil` to keep the size.
  ///   - orientation: Orientation of the image.
  /// - Returns: The packet.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func fitted(
    to layout: ImageLayout?, orientation: Orientation
  ) throws(ImageError) -> XMPPacket {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    if let layout { try packet.updatePixelSize(width: layout.width, height: layout.height) }
    return packet
  }

  /// Returns the packet for a new file of its image: without references to the other images and the
  /// video of the old file, and without light levels, which the encoder of the new file writes.
  ///
  /// - Returns: The packet; `nil` if no properties are left.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func forNewFile() throws(ImageError) -> [UInt8]? {
    var packet = self
    try packet.removeGainMapProperties()
    try packet.removeDirectory()
    try packet.setLightLevel(nil)
    return packet.properties.isEmpty ? nil : packet.bytes
  }
}
