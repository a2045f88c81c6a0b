#if PNG
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// PNG images: chunks by `PNGFile`, samples by libpng.
enum PNGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.png

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] {
    // SAFETY: the string is a constant of the library.
    [unsafe String(cString: png_library())]
  }

  static func samples(
    of image: DeclaredImage, in file: ImageFile
  ) throws(ImageError) -> CodedSamples {
    guard case .png(let png) = file.container, case .png(let layout) = image.samples else {
      throw file.format.missingCodec
    }
    if png.header.isInterlaced {
      try checkMemory(layout, limit: file.options.limits.memory)
    }
    var samples = CodedSamples(layout.format) { () throws(ImageError) in
      try PNGReader(png, as: layout)
    }
    let isFullRange = image.color.cicp?.isFullRange ?? true
    samples.gainMap = { _ throws(ImageError) in
      let planes = try PNGReader(png, as: layout).read(rows: 0..<layout.format.height)
      return Image(data: planes, isFullRange: isFullRange)
    }
    return samples
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
