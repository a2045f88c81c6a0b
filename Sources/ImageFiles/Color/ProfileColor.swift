package import HDRCore
package import ImageContainers

/// What an ICC profile says about the samples of a picture.
package enum ProfileColor {
  /// By code points, whatever the curves beside them say: those are a fallback.
  case codePoints(CICP)
  case space(ColorPrimaries, TransferFunction)
  /// Something that only a color management system can apply.
  case managed
  /// Why the profile says nothing.
  case unusable(ImageError)

  /// - Parameters:
  ///   - profile: A profile.
  ///   - isGray: Whether the picture has a single component.
  package init(_ profile: ICCProfile, isGray: Bool) {
    if let cicp = profile.cicp {
      self = .codePoints(cicp)
      return
    }
    let space = profile.header.colorSpace
    guard space == .rgb || space == .gray && isGray else {
      self = .unusable(
        ImageError(
          .profileOfAnotherSpace, ["space": "\(space)", "wanted": isGray ? "gray" : "RGB"]))
      return
    }
    switch profile.model {
    case .matrix(let model):
      guard let primaries = model.primaries, let transfer = model.transfer else {
        self = .managed
        return
      }
      self = .space(primaries, transfer)
    case .gray(let curve):
      // Any primaries will do: gray is as neutral as their white.
      guard let transfer = curve.transfer else {
        self = .managed
        return
      }
      self = .space(.bt709, transfer)
    case .lookupTables:
      self = isGray && space == .rgb ? .unusable(ImageError(.profileTablesForRGB)) : .managed
    case .unknown: self = .unusable(ImageError(.profileNeitherRGBNorGray))
    }
  }

  package var primaries: ColorPrimaries? {
    switch self {
    case .codePoints(let cicp): ColorPrimaries(cicp.primaries)
    case .space(let primaries, _): primaries
    case .managed, .unusable: nil
    }
  }

  package var transfer: TransferFunction? {
    switch self {
    case .codePoints(let cicp): TransferFunction(cicp.transfer)
    case .space(_, let transfer): transfer
    case .managed, .unusable: nil
    }
  }
}

extension ICCCurve {
  /// One of the toolkit's own functions where the curve is that, else samples; `nil` if it falls
  /// somewhere.
  fileprivate var transfer: TransferFunction? {
    if isSRGB { return .srgb }
    if let exponent { return exponent == 1 ? .linear : exponent > 0 ? .gamma(exponent) : nil }
    return sampled.map { .sampled(ProfileCurves(red: $0, green: $0, blue: $0)) }
  }
}
