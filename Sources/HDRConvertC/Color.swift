// SPDX-License-Identifier: Apache-2.0
internal import CHDRConvert
internal import HDRCore

extension ColorEncoding {
  /// Makes the color encoding of code points.
  ///
  /// - Parameters:
  ///   - color: The code points.
  ///   - packing: Packing of the samples, which a matrix must suit.
  ///   - referenceWhite: Luminance of linear 1.0 if `color` does not specify it, in cd/m².
  /// - Throws: `.invalidArgument` for code points that images do not use, and a reference white that
  ///   samples cannot be scaled to.
  init(
    _ color: hdr_color, for packing: PixelLayout.Packing, referenceWhite: Double
  ) throws(ImageError) {
    let hasMatrix = ![.identity, .unspecified].contains(CICP.Matrix(rawValue: color.matrix))
    guard packing == .p010 || !hasMatrix else {
      throw ImageError(
        .invalidArgument, "matrix {matrix} is for Y'CbCr; RGB has 0", ["matrix": color.matrix])
    }
    guard let primaries = ColorPrimaries(CICP.Primaries(rawValue: color.primaries)) else {
      throw ImageError(.codePointUnknown, ["field": "primaries", "value": color.primaries])
    }
    guard let transfer = TransferFunction(CICP.Transfer(rawValue: color.transfer)) else {
      throw ImageError(.codePointUnknown, ["field": "transfer", "value": color.transfer])
    }
    let white = color.reference_white == 0 ? referenceWhite : color.reference_white
    guard ColorEncoding.referenceWhites.contains(white) else {
      throw ImageError(
        .invalidArgument, "a reference white of {white cd/m²} is out of range", ["white": white])
    }
    self.init(
      primaries: primaries, transfer: transfer, matrix: CICP.Matrix(rawValue: color.matrix),
      isFullRange: color.is_full_range, referenceWhite: white)
  }
}

extension hdr_color {
  /// The color of RGB samples of an encoding; 2 for code points that do not exist.
  init(_ encoding: ColorEncoding) {
    self.init(
      primaries: (encoding.primaries.cicp ?? .unspecified).rawValue,
      transfer: (encoding.transfer.cicp ?? .unspecified).rawValue,
      matrix: CICP.Matrix.identity.rawValue, is_full_range: true,
      reference_white: encoding.referenceWhite)
  }
}
