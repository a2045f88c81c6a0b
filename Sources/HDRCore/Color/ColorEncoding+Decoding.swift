extension ColorEncoding {
  /// Fails unless the matrix of these samples is known, and defined for their transfer function.
  ///
  /// Images of RGB and gray have no matrix.
  ///
  /// - Parameter format: Layout of the samples.
  /// - Throws: `.unsupported`, with the name of the matrix.
  public func requireDecodable(_ format: ImageLayout) throws(ImageError) {
    guard case .ycbcr = format.components else { return }
    if let reason = undecodableReason(format) {
      throw ImageError(
        .unsupported, "\(matrix.numberedName) \(reason)",
        at: .init(path: ["color"]))
    }
  }

  private func undecodableReason(_ format: ImageLayout) -> String? {
    switch matrix {
    case .identity: return "with samples that are not RGB"
    case .yCgCo: return nil
    case .yCgCoRe, .yCgCoRo:
      guard case .integer(let bits) = format.samples, let extra = YCgCo.extraBits(of: matrix) else {
        return "with samples that are not integers"
      }
      let least = isFullRange ? 1 : 8
      return bits - extra < least ? "with \(bits) bits" : nil
    case .ictcp:
      return transfer == .pq || transfer == .hlg ? nil : "with a transfer other than PQ and HLG"
    case .bt2020Constant, .chromaDerivedConstant:
      return ConstantLuminance(self) == nil ? "with primaries that have no luminance" : nil
    default:
      if YCbCr(matrix: matrix, primaries: primaries) != nil { return nil }
      return matrix == .chromaDerivedNonConstant
        ? "with primaries that have no luminance" : "cannot be decoded"
    }
  }
}
