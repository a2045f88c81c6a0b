public import HDRCore

extension ExifBlock {
  /// Exif for a file whose picture is turned like this.
  ///
  /// - Parameters:
  ///   - exif: The block to write, if there is one.
  ///   - orientation: What it shall say.
  /// - Returns: The block with this orientation; a minimal one if a file without Exif must say that
  ///   its picture is not upright; `nil` if there is nothing to say.
  /// - Throws: `.malformed` if the block cannot be edited.
  public static func consistent(
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
