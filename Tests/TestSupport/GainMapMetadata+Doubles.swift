// SPDX-License-Identifier: Apache-2.0
package import GainMap

/// A number that no fraction of gain map metadata represents.
private struct NotRepresentable: Error {
  let value: Double
}

/// Creates metadata from doubles, for tests that do not depend on exact fractions.
package func metadata(
  minimum: Double = 0, maximum: Double = 2, gamma: Double = 1, baseOffset: Double = 1 / 64.0,
  alternateOffset: Double = 1 / 64.0, baseHeadroom: Double = 0, alternateHeadroom: Double = 2,
  usesBaseColorSpace: Bool = true
) throws -> GainMapMetadata {
  func fraction<Numerator>(_ value: Double) throws -> Rational<Numerator> {
    guard let fraction = Rational<Numerator>(approximating: value) else {
      throw NotRepresentable(value: value)
    }
    return fraction
  }
  let channel = GainMapMetadata.Channel(
    minimum: try fraction(minimum), maximum: try fraction(maximum), gamma: try fraction(gamma),
    baseOffset: try fraction(baseOffset), alternateOffset: try fraction(alternateOffset))
  return try GainMapMetadata(
    channels: .one(channel), baseHeadroom: try fraction(baseHeadroom),
    alternateHeadroom: try fraction(alternateHeadroom), usesBaseColorSpace: usesBaseColorSpace)
}
