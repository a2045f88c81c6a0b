// SPDX-License-Identifier: Apache-2.0
extension ColorEncoding {
  /// Fails unless samples of this encoding and layout can be converted to R'G'B'.
  ///
  /// The matrix must be supported, and defined for the transfer function, the primaries and the
  /// sample type. The matrix of RGB and gray images is ignored. Size, depth and reference white are
  /// not checked.
  ///
  /// - Parameter format: Layout of the samples.
  /// - Throws: `.unsupported`, with the name of the matrix.
  public func requireDecodable(_ format: ImageLayout) throws(ImageError) {
    guard case .ycbcr = format.components else { return }
    let name = matrix.numberedName
    let place = ImageError.Location(path: ["color"])
    switch matrix {
    case .identity:
      throw ImageError(.unsupported, "{matrix} requires RGB samples", ["matrix": name], at: place)
    case .yCgCo: return
    case .yCgCoRe, .yCgCoRo:
      guard case .integer(let bits) = format.samples, let extra = YCgCo.extraBits(of: matrix) else {
        throw ImageError(
          .unsupported, "{matrix} requires integer samples", ["matrix": name], at: place)
      }
      let least = isFullRange ? 1 : 8
      guard bits - extra >= least else {
        throw ImageError(
          .unsupported, "{matrix} with {bits bit} is not supported",
          ["matrix": name, "bits": bits], at: place)
      }
    case .ictcp:
      guard transfer == .pq || transfer == .hlg else {
        throw ImageError(.unsupported, "{matrix} requires PQ or HLG", ["matrix": name], at: place)
      }
    case .bt2020Constant, .chromaDerivedConstant:
      guard ConstantLuminance(self) != nil else {
        throw ImageError(.colorMatrixWithoutLuminance, ["matrix": name], at: place)
      }
    default:
      guard YCbCr(matrix: matrix, primaries: primaries) == nil else { return }
      throw ImageError(
        matrix == .chromaDerivedNonConstant
          ? .colorMatrixWithoutLuminance : ErrorCode(.unsupported, "{matrix} cannot be decoded"),
        ["matrix": name], at: place)
    }
  }
}
