// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension CR3File {
  /// The Exif metadata of the file as one block; `nil` if the file does not contain any.
  ///
  /// - Throws: `.malformed` or `.truncated` for unreadable directories.
  package func wholeExif() throws(ImageError) -> [UInt8]? {
    guard let exif else { return nil }
    let main = try TIFFFile(parsing: ByteSource(exif))
    let directory = try NewTIFFDirectory.description(
      main: main,
      exposure: exposure.flatMap { try? TIFFFile(parsing: ByteSource($0)) },
      location: location.flatMap { try? TIFFFile(parsing: ByteSource($0)) })
    guard !directory.isEmpty else { return nil }
    let header = main.byteOrder.header(firstDirectoryAt: 8)
    return header + directory.serialized(at: header.count, order: main.byteOrder)
  }
}
