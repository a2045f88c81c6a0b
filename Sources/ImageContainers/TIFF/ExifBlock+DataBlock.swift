// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ExifBlock {
  /// Returns the content of the data block in which HEIF and JPEG XL store Exif, from the TIFF
  /// header on.
  ///
  /// - Parameter location: Of the data block, for the error.
  /// - Throws: `.malformed` if the header offset exceeds the data block.
  ///
  /// Source: ISO/IEC 23008-12, A.2.1 (ExifDataBlock); ISO/IEC 18181-2, 9.4.
  static func content(
    ofDataBlock bytes: [UInt8], at location: ImageError.Location
  ) throws(ImageError) -> [UInt8] {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let offset: UInt32 = try reader.readBigEndian()
      try reader.skip(Int(offset))
      return reader.readRest()
    } catch {
      throw ImageError(.exifHeaderMissing, ["size": bytes.count], at: location)
    }
  }
}
