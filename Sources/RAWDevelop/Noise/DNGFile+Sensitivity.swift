// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

extension DNGFile {
  /// ISO sensitivity of the exposure; `nil` if unspecified.
  var sensitivity: Double? {
    let exif = if let decoded { decoded.exif } else { try? structure.exif() }
    guard let exif, let file = try? TIFFFile(parsing: ByteSource(exif)) else { return nil }
    return ExifSummary(file, byteCount: exif.count).sensitivity.flatMap { $0 > 0 ? $0 : nil }
  }
}
