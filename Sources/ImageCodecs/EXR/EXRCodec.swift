// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// OpenEXR images.
enum EXRCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.exr

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: exr_library())] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .exr(let header) = file.container, case .exr(let coded) = image.samples else {
      throw file.format.missingCodec
    }
    let (source, layout) = (file.source, image.layout)
    try coded.check(
      limits: file.options.limits, chunksAtOnce: 2 * Execution.current.threads,
      headerEnd: header.end, fileSize: source.count)
    return Image(coded: layout) { () throws(ImageError) in
      try EXRReader(source, as: coded, layout: layout)
    }
  }
}
#endif
