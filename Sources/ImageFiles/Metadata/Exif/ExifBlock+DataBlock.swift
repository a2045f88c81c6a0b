// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ExifBlock {
  /// Reads the data block in which HEIF and JPEG XL store Exif.
  ///
  /// - Parameters:
  ///   - bytes: The data block, which begins with the offset of the TIFF header.
  ///   - location: Of the data block, for the error.
  /// - Returns: Exif from the TIFF header on.
  /// - Throws: `.malformed` if the header offset exceeds the data block.
  ///
  /// Source: ISO/IEC 23008-12, A.2.1 (ExifDataBlock); ISO/IEC 18181-2, 9.4.
  package static func content(
    ofDataBlock bytes: [UInt8], at location: ImageError.Location
  ) throws(ImageError) -> [UInt8] {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let offset: UInt32 = try reader.readBigEndian()
      try reader.skip(Int(offset))
      return reader.readRest()
    } catch {
      throw ImageError(
        .malformed, "no TIFF header in {size byte}", ["size": bytes.count], at: location)
    }
  }

  /// Returns the data block for Exif that begins with its TIFF header.
  package static func dataBlock(_ tiff: [UInt8]) -> [UInt8] { [0, 0, 0, 0] + tiff }
}
