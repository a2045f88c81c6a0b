// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Testing

@testable import GainMap
@testable import ImageFiles

/// Creates metadata from doubles, for tests that do not depend on exact fractions.
func metadata(
  minimum: Double = 0, maximum: Double = 2, gamma: Double = 1, baseOffset: Double = 1 / 64.0,
  alternateOffset: Double = 1 / 64.0, baseHeadroom: Double = 0, alternateHeadroom: Double = 2,
  usesBaseColorSpace: Bool = true
) throws -> GainMapMetadata {
  let channel = GainMapMetadata.Channel(
    minimum: try #require(SignedRational(approximating: minimum)),
    maximum: try #require(SignedRational(approximating: maximum)),
    gamma: try #require(UnsignedRational(approximating: gamma)),
    baseOffset: try #require(SignedRational(approximating: baseOffset)),
    alternateOffset: try #require(SignedRational(approximating: alternateOffset)))
  return try GainMapMetadata(
    channels: .one(channel), baseHeadroom: try #require(.init(approximating: baseHeadroom)),
    alternateHeadroom: try #require(.init(approximating: alternateHeadroom)),
    usesBaseColorSpace: usesBaseColorSpace)
}
