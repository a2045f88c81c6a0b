// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Radiance images (.hdr, .pic), decoded without an external library.
enum RadianceCodec: ImageDecoder {
  static let format = FileFormat.radiance
  /// Empty, since no external library is used.
  static let libraries: [String] = []
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .radiance(let header) = image.samples else { throw file.format.missingCodec }
    let (source, layout) = (file.source, image.layout)
    return Image(coded: layout) { () throws(ImageError) in
      RadianceReader(source, header: header, format: layout)
    }
  }
}
