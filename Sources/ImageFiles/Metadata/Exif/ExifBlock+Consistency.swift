// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ExifBlock {
  /// Returns Exif that is consistent with the orientation and color of the image.
  ///
  /// - Parameters:
  ///   - exif: The block to edit; `nil` if missing.
  ///   - orientation: Orientation to store.
  ///   - isSRGB: Whether the color is sRGB; `nil` to leave ColorSpace unchanged.
  /// - Returns: The block with this orientation; a minimal block if there was none and the image is
  ///   not upright; `nil` if Exif is not needed.
  /// - Throws: `.malformed` if the block cannot be edited.
  package static func consistent(
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

  /// Sets ColorSpace to uncalibrated if the entry exists.
  ///
  /// Source: Exif 3.0, 4.6.6.2.1 (ColorSpace): 1 is sRGB, 0xFFFF uncalibrated.
  ///
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package mutating func markUncalibrated() throws(ImageError) {
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
