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

/// An ICC profile that a caller provides for the samples of an image.
package struct SuppliedProfile {
  private let profile: ICCProfile
  private let isGray: Bool
  private let encoding: ColorEncoding
  /// Whether code points take precedence over the profile, so that its curves may be a fallback for
  /// readers that support neither PQ nor HLG.
  private let isFallback: Bool

  package init(_ profile: ICCProfile, isGray: Bool, encoding: ColorEncoding, isFallback: Bool) {
    self.profile = profile
    self.isGray = isGray
    self.encoding = encoding
    self.isFallback = isFallback
  }

  /// Throws an error if the profile contradicts the color of the samples.
  ///
  /// - Returns: Notices about properties that could not be checked.
  /// - Throws: `.invalidArgument` with the contradiction.
  package func check() throws(ImageError) -> [Notice] {
    guard isGray || profile.header.colorSpace != .gray else {
      throw refusal(ImageError(.unsuitable, "it is a gray profile"))
    }
    let meaning = ProfileColor(profile, isGray: isGray)
    switch meaning {
    case .unusable(let reason): throw refusal(reason)
    case .managed:
      return [
        Notice(.assumed, "assumed: the tables of the given ICC profile describe the samples")
      ]
    case .codePoints(let cicp):
      guard describesPrimaries(meaning), meaning.transfer == encoding.transfer else {
        throw refusal(ImageError(.unsuitable, "it signals CICP {cicp}", ["cicp": "\(cicp)"]))
      }
    case .space:
      guard describesPrimaries(meaning) else {
        throw refusal(ImageError(.unsuitable, "its primaries differ"))
      }
      guard isFallback || meaning.transfer == encoding.transfer else {
        throw refusal(ImageError(.unsuitable, "its transfer function differs"))
      }
    }
    return []
  }

  /// Whether the primaries match; those of a gray profile are irrelevant.
  private func describesPrimaries(_ meaning: ProfileColor) -> Bool {
    profile.header.colorSpace == .gray
      || meaning.primaries?.isClose(to: encoding.primaries, tolerance: 0.002) == true
  }

  private func refusal(_ cause: ImageError) -> ImageError {
    ImageError(
      .invalidArgument, "the given ICC profile does not describe the samples: {cause}",
      ["cause": cause])
  }
}
