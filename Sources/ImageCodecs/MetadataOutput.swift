internal import HDRCore
internal import ImageContainers

extension ExifBlock {
  /// Exif for a file whose picture is turned like this.
  ///
  /// - Parameters:
  ///   - exif: The block to write, if there is one.
  ///   - orientation: What it shall say.
  /// - Returns: The block with this orientation; a minimal one if a file without Exif must say that
  ///   its picture is not upright; `nil` if there is nothing to say.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func consistent(
    _ exif: [UInt8]?, with orientation: Orientation
  ) throws(ImageError) -> [UInt8]? {
    guard let exif else {
      return orientation == .upright ? nil : minimal(orientation: orientation)
    }
    var block = try ExifBlock(parsing: exif)
    try block.setOrientation(orientation)
    return block.bytes
  }
}

extension XMPPacket {
  /// XMP for a file of a container that has no other place for diffuse white.
  ///
  /// - Parameters:
  ///   - packet: The packet to write, if there is one.
  ///   - luminance: Diffuse white in cd/m²; `nil` to say nothing about it.
  /// - Returns: The packet with this diffuse white; `nil` if there is nothing to say.
  /// - Throws: `.malformed` if the packet cannot be edited.
  static func consistent(
    _ packet: [UInt8]?, withDiffuseWhite luminance: Double?
  ) throws(ImageError) -> [UInt8]? {
    guard let packet else { return luminance.map(self.packet(diffuseWhite:)) }
    var xmp = try XMPPacket(parsing: packet)
    try xmp.setDiffuseWhite(luminance)
    return xmp.bytes
  }
}

extension EncoderOptions {
  /// zlib's level for this speed, 9...1.
  var deflateLevel: Int {
    [9, 9, 8, 8, 7, 6, 6, 5, 4, 2, 1][min(max(speed, 0), 10)]
  }
}
