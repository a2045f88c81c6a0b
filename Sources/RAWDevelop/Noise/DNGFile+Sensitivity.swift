// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension DNGFile {
  /// ISO sensitivity of the exposure; `nil` if unspecified.
  ///
  /// - Throws: Errors that end the whole job.
  var sensitivity: Double? {
    get throws(ImageError) {
      let exif = if let decoded { decoded.exif } else { try ifReadable(try structure.exif()) }
      guard let exif, let file = try ifReadable(try TIFFFile(parsing: ByteSource(exif))) else {
        return nil
      }
      let speed = try ExifSummary(file, byteCount: exif.count).sensitivity ?? 0
      return speed > 0 ? speed : nil
    }
  }
}
