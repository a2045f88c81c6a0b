public import HDRCore

extension ExifBlock {
  /// Exif for a file whose picture is turned like this, and has such color.
  ///
  /// - Parameters:
  ///   - exif: The block to write, if there is one.
  ///   - orientation: What it shall say.
  ///   - isSRGB: Whether the picture's color is that of sRGB; `nil` to leave what is said about it.
  /// - Returns: The block with this orientation; a minimal one if a file without Exif must say that
  ///   its picture is not upright; `nil` if there is nothing to say.
  /// - Throws: `.malformed` if the block cannot be edited.
  public static func consistent(
    _ exif: [UInt8]?, with orientation: Orientation, isSRGB: Bool? = nil
  ) throws(ImageError) -> [UInt8]? {
    guard let exif else {
      return orientation == .upright ? nil : minimal(orientation: orientation)
    }
    var block = try ExifBlock(parsing: exif)
    try block.setOrientation(orientation)
    if isSRGB == false { try block.markUncalibrated() }
    return block.bytes
  }

  /// Makes ColorSpace say that the color is another one than sRGB, where it says anything.
  ///
  /// Source: Exif 3.0, 4.6.6.2.1 (ColorSpace): 1 is sRGB, 0xFFFF uncalibrated.
  ///
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func markUncalibrated() throws(ImageError) {
    var edited = bytes
    let field =
      encoded(TIFFTag.colorSpace.rawValue) + encoded(TIFFEntry.ValueType.short.rawValue)
      + encoded(1 as UInt32) + encoded(0xFFFF as UInt16) + [0, 0]
    for directory in [main, exposure] {
      guard let entry = directory?[.colorSpace] else { continue }
      edited.replaceSubrange(entry.offset..<entry.offset + field.count, with: field)
    }
    if edited != bytes { self = try ExifBlock(parsing: edited) }
  }
}
