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
      exposure: try exposure.flatMap { bytes throws(ImageError) in
        try ifReadable(try TIFFFile(parsing: ByteSource(bytes)))
      },
      location: try location.flatMap { bytes throws(ImageError) in
        try ifReadable(try TIFFFile(parsing: ByteSource(bytes)))
      })
    guard !directory.isEmpty else { return nil }
    let header = main.byteOrder.header(firstDirectoryAt: 8)
    return header + directory.serialized(at: header.count, order: main.byteOrder)
  }
}
