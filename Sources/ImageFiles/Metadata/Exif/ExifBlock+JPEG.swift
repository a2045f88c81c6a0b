// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ExifBlock {
  /// Returns Exif with the entries that are mandatory in JPEG.
  ///
  /// Existing entries are kept.
  ///
  /// Source: Exif 2.3 (CIPA DC-008), 4.6.8, support levels for compressed primary pictures.
  ///
  /// - Parameters:
  ///   - exif: The block to complete.
  ///   - width: Width of the coded image, in pixels.
  ///   - height: Height of the coded image, in pixels.
  ///   - isGray: Whether the image has luma only.
  ///   - isSRGB: Whether the color is sRGB.
  /// - Returns: The completed block; unchanged if no entry is missing.
  /// - Throws: `.malformed` if the block cannot be edited.
  package static func completed(
    _ exif: [UInt8], width: Int, height: Int, isGray: Bool, isSRGB: Bool
  ) throws(ImageError) -> [UInt8] {
    var block = try ExifBlock(parsing: exif)
    let resolution = block.encoded(72 as UInt32) + block.encoded(1 as UInt32)
    let main = [
      NewEntry(tag: .xResolution, type: .rational, values: resolution),
      NewEntry(tag: .yResolution, type: .rational, values: resolution),
      // Inches.
      NewEntry(tag: .resolutionUnit, type: .short, values: block.encoded(2 as UInt16)),
      // Centered, as in JFIF.
      NewEntry(tag: .chromaPositioning, type: .short, values: block.encoded(1 as UInt16)),
    ].filter { block.main[$0.tag] == nil }
    if !main.isEmpty { try block.addToMain(main) }
    let colorSpace: UInt16 = isSRGB ? 1 : 0xFFFF
    let exposure = [
      NewEntry(tag: .exifVersion, type: .undefined, values: Array("0230".utf8)),
      NewEntry(
        tag: .componentsConfiguration, type: .undefined,
        values: isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]),
      NewEntry(tag: .flashpixVersion, type: .undefined, values: Array("0100".utf8)),
      NewEntry(tag: .colorSpace, type: .short, values: block.encoded(colorSpace)),
      NewEntry(
        tag: .pixelXDimension, type: .long, values: block.encoded(UInt32(clamping: width))),
      NewEntry(
        tag: .pixelYDimension, type: .long, values: block.encoded(UInt32(clamping: height))),
    ].filter { block.exposure?[$0.tag] == nil }
    if !exposure.isEmpty { try block.addToExposure(exposure) }
    return block.bytes
  }
}
