// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import CShims
internal import HDRCore
internal import ImageFiles

/// TIFF images: directories by `TIFFFile`, samples by libtiff and, for encoding, `Deflater`.
enum TIFFCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.tiff

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    let text = unsafe String(cString: tiff_library())
    // "LIBTIFF, Version 4.5.0" and a copyright notice.
    let version = text.split(separator: "\n").first?.split(separator: " ").last ?? ""
    return ["libtiff \(version)"] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .tiff(let tiff) = file.container, case .tiff(let layout) = image.samples else {
      throw file.format.missingCodec
    }
    let directory = tiff.mainDirectory
    guard directory[.dngVersion] == nil else {
      throw ImageError(
        .unsupported, "DNG files must be developed",
        at: .init(path: ["tag 50706"], offset: directory.offset))
    }
    let memory = file.options.limits.memory
    let warnings = file.decodingNotices
    return Image(coded: layout.format) { () throws(ImageError) in
      let source = try layout.checkedSource(of: tiff, notices: warnings)
      return try TIFFReader(source, as: layout, memory: memory, notices: warnings)
    }
  }
}
#endif
