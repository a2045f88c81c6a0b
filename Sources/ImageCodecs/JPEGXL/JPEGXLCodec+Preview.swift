// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import HDRCore
internal import ImageFiles

extension JPEGXLCodec {
  static func profile(of file: ImageFile) throws(ImageError) -> [UInt8]? {
    guard case .jpegXL(let jpegXL) = file.container else { return nil }
    return try JPEGXLProfile(of: jpegXL, try jpegXL.imageHeader())?.bytes
  }

  static func preview(of file: ImageFile) throws(ImageError) -> OutputImage? {
    guard case .jpegXL(let jpegXL) = file.container else { return nil }
    let header = try jpegXL.imageHeader()
    guard let layout = header.previewLayout else { return nil }
    guard !header.isCMYK else { throw .cmyk }
    try file.options.limits.checkMemory(of: layout)
    let declared = try file.primaryImage()
    let profile = try JPEGXLProfile(of: jpegXL, header)
    let coded = Image(coded: layout) { () throws(ImageError) in
      try JPEGXLReader(
        try jpegXL.wholeCodestream(), as: header, .preview, layout: layout,
        color: profile?.requestedColor)
    }
    let resolved = ResolvedColor(
      decoding: profile?.color ?? declared.color, in: .jxl, format: layout,
      diffuseWhite: declared.light.diffuseWhite, assumed: file.options.assumed)
    let image = Image(
      coded: coded, resolved: resolved, chromaLocation: declared.chromaLocation,
      light: declared.light, orientation: declared.orientation)
    return OutputImage(
      image, signalsCICP: profile == nil || image.color.transfer.cicp != nil,
      icc: profile?.bytes)
  }
}
#endif
