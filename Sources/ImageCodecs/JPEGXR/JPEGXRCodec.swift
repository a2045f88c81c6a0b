// SPDX-License-Identifier: Apache-2.0
#if JPEGXR
internal import HDRCore
internal import ImageFiles

/// JPEG XR images: container by `JPEGXRFile`, codestreams by jxrlib.
enum JPEGXRCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.jpegXR
  /// The library does not tell its version.
  static let libraries = ["jxrlib"]
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpegXR(let samples) = image.samples else { throw file.format.missingCodec }
    let (source, layout) = (file.source, image.layout)
    return Image(coded: layout) { () throws(ImageError) in
      JPEGXRReader(source, samples, layout: layout)
    }
  }
}
#endif
