#if JPEGXL
internal import CLibJXL
internal import GainMap
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// JPEG XL images: boxes and headers by `JPEGXLFile`, samples by libjxl.
enum JPEGXLCodec: ImageDecoder {
  static let format = FileFormat.jxl

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] { [JPEGXLDecoder.library] }

  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples
    else { throw file.format.missingCodec }
    guard !header.isCMYK else { throw .cmyk }
    let converted = try? JPEGXLProfile(of: jpegXL, header)
    return Image(coded: image.layout) { () throws(ImageError) in
      try JPEGXLReader(
        try jpegXL.wholeCodestream(), as: header, layout: image.layout,
        color: converted?.requestedColor)
    }
  }

  static func color(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) -> ColorDescription {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples,
      header.color.hasProfile
    else { return image.color }
    do throws(ImageError) {
      guard let profile = try JPEGXLProfile(of: jpegXL, header) else { return image.color }
      var color = profile.color
      color.referenceWhite = image.color.referenceWhite
      return color
    } catch {
      notices.append(
        Notice(.jpegxlProfileUnreadable, ["cause": error], at: .init(path: ["codestream"])))
      return image.color
    }
  }
}

extension JPEGXLFile {
  /// The bytes of the codestream, without boxes.
  func wholeCodestream() throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(codestream.reduce(0) { $0 + $1.count })
    for part in codestream { bytes += try part.bytes() }
    return bytes
  }
}
#endif
