// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
