// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import CShims
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// PNG images: chunks by `PNGFile`, samples by `PNGRowInflater` or libpng and, for encoding,
/// `Deflater`.
enum PNGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.png

  /// The libraries that decode and encode samples, with their versions.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: png_library())] + Deflater.libraries
  }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .png(let png) = file.container, case .png(let layout) = image.samples else {
      throw file.format.missingCodec
    }
    if png.header.isInterlaced {
      try checkMemory(layout, limit: file.options.limits.memory)
    }
    let warnings = file.decodingNotices
    return Image(coded: layout.format) { () throws(ImageError) in
      try PNGReader(png, as: layout, notices: warnings)
    }
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .png(let png) = file.container else { throw file.format.missingCodec }
    let warnings = file.decodingNotices
    var (file, image) = (file, png)
    switch place {
    case .file: break
    case .chunk:
      guard let map = try png.gainMapImage(limits: file.options.limits) else {
        throw ImageError(.gainMapNotInFile, ["place": place.name])
      }
      (file, image) = (ImageFile(.png(map), options: file.options), map)
    case .image, .item, .box: throw ImageError(.gainMapNotInFile, ["place": place.name])
    }
    var notices: [Notice] = []
    let declared = try file.primaryImage()
    try file.options.limits.checkMemory(of: declared.layout)
    var planes = try decode(declared, in: file, notices: &notices).planes()
    for warning in file.decodingNotices.all { warnings.add(warning) }
    // Android ignores the alpha of a gain map, unless it is all that the bitmap has.
    if image.chunk(.gainMapMetadata) != nil || place == .chunk {
      let (main, alpha) = planes.separatingAlpha()
      planes = try image.isJustAlpha ? alpha ?? main : main
    }
    return Image(data: planes, isFullRange: declared.color.cicp?.isFullRange ?? true)
  }

  /// Throws if an image that is decoded into one buffer exceeds the memory limit.
  private static func checkMemory(_ layout: PNGLayout, limit: Int) throws(ImageError) {
    let (size, overflow) = layout.rowSize.multipliedReportingOverflow(by: layout.format.height)
    guard !overflow, size <= limit else {
      throw ImageError(
        .pngInterlacedLimitExceeded, ["size": size],
        at: .init(path: ["IHDR"], offset: PNGFile.signature.count))
    }
  }
}
#endif
