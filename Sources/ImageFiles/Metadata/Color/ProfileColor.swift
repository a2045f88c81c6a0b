// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The color that an ICC profile specifies for the samples of an image.
package enum ProfileColor {
  /// Code points of the `cicp` tag; the curves of the profile are a fallback and ignored.
  case codePoints(CICP)
  case space(ColorPrimaries, TransferFunction)
  /// A color space that only a color management system can convert.
  case managed
  /// The reason why the profile cannot be used.
  case unusable(ImageError)

  /// Classifies a profile.
  ///
  /// - Parameters:
  ///   - profile: A profile.
  ///   - isGray: Whether the image has a single color component.
  package init(_ profile: ICCProfile, isGray: Bool) {
    if let declared = profile.cicp, ColorPrimaries(declared.primaries) != nil,
      TransferFunction(declared.transfer) != nil
    {
      self = .codePoints(declared)
    } else {
      self.init(describedBy: profile, isGray: isGray)
    }
  }

  /// Classifies a profile by its curves, matrix and tables.
  private init(describedBy profile: ICCProfile, isGray: Bool) {
    let space = profile.header.colorSpace
    guard space == .rgb || space == .gray && isGray else {
      self = .unusable(
        ImageError(
          .unsuitable, "it is a profile for {space}, not for {wanted}",
          ["space": "\(space)", "wanted": isGray ? "gray" : "RGB"]))
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
      // The primaries are arbitrary: gray is neutral in all of them.
      guard let transfer = curve.transfer else {
        self = .managed
        return
      }
      self = .space(.bt709, transfer)
    case .lookupTables:
      guard !(isGray && space == .rgb) else {
        self = .unusable(ImageError(.unsuitable, "it has tables for RGB, not for gray"))
        return
      }
      let model = profile.highDynamicRangeModel
      if let primaries = model?.primaries, let transfer = model?.highDynamicRange {
        self = .space(primaries, transfer)
      } else {
        self = .managed
      }
    case .unknown: self = .unusable(ImageError(.unsuitable, "it describes neither RGB nor gray"))
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

extension ProfileColor {
  /// PQ or HLG, if only the curves of the profile specify it.
  package var recognized: TransferFunction? {
    switch self {
    case .space(_, .pq): .pq
    case .space(_, .hlg): .hlg
    default: nil
    }
  }
}

extension ICCCurve {
  /// The equivalent predefined transfer function, else a sampled one; `nil` if the curve decreases.
  fileprivate var transfer: TransferFunction? {
    if isSRGB { return .srgb }
    if let function = highDynamicRange { return function }
    if let exponent { return exponent == 1 ? .linear : exponent > 0 ? .gamma(exponent) : nil }
    return sampled.map { .sampled(ProfileCurves(red: $0, green: $0, blue: $0)) }
  }
}
