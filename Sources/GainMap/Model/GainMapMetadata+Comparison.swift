// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

extension GainMapMetadata {
  /// Returns the numbers that differ by more than one percent of the gain between two metadata of one
  /// gain map.
  ///
  /// Decimals and fractions of different writers differ in the last digits. Of an Apple gain map,
  /// whose curve no gamma matches, only the headrooms are compared.
  ///
  /// - Parameter other: The other metadata.
  /// - Returns: A clause for each number, this value first; empty if all agree.
  package func disagreements(with other: GainMapMetadata) -> [String] {
    if isApple || other.isApple {
      let (ours, theirs) = (fullHeadroom.stops, other.fullHeadroom.stops)
      guard abs(ours - theirs) > Self.onePercentInStops else { return [] }
      return ["headroom \(ours.rounded6) against \(theirs.rounded6) stops"]
    }
    var found: [String] = []
    func compare(_ name: String, _ ours: Double, _ theirs: Double, _ tolerance: Double) {
      guard abs(ours - theirs) > tolerance else { return }
      found.append("\(name) \(ours.rounded6) against \(theirs.rounded6)")
    }
    compare(
      "base headroom", baseHeadroom.value, other.baseHeadroom.value, Self.onePercentInStops)
    compare(
      "alternate headroom", alternateHeadroom.value, other.alternateHeadroom.value,
      Self.onePercentInStops)
    let isPerComponent = channels.all.count > 1 || other.channels.all.count > 1
    for component in 0..<(isPerComponent ? 3 : 1) {
      let (ours, theirs) = (channels[component], other.channels[component])
      let suffix = isPerComponent ? " of \(["red", "green", "blue"][component])" : ""
      compare(
        "minimum" + suffix, ours.minimum.value, theirs.minimum.value, Self.onePercentInStops)
      compare(
        "maximum" + suffix, ours.maximum.value, theirs.maximum.value, Self.onePercentInStops)
      compare("gamma" + suffix, ours.gamma.value, theirs.gamma.value, 0.01 * ours.gamma.value)
      for (name, a, b) in [
        ("base offset", ours.baseOffset.value, theirs.baseOffset.value),
        ("alternate offset", ours.alternateOffset.value, theirs.alternateOffset.value),
      ] {
        compare(name + suffix, a, b, 0.01 * abs(a) + Self.invisibleOffset)
      }
    }
    if usesBaseColorSpace != other.usesBaseColorSpace {
      let spaces = usesBaseColorSpace ? ("base", "alternate") : ("alternate", "base")
      found.append("primaries of the \(spaces.0) against those of the \(spaces.1)")
    }
    return found
  }

  /// Whether all numbers are equal within a relative tolerance; the choice of primaries is ignored.
  package func equals(_ other: GainMapMetadata, within tolerance: Double) -> Bool {
    func numbers(_ metadata: GainMapMetadata) -> [Double] {
      [metadata.baseHeadroom.value, metadata.alternateHeadroom.value]
        + (0..<3).flatMap { component in
          let channel = metadata.channels[component]
          return [
            channel.minimum.value, channel.maximum.value, channel.gamma.value,
            channel.baseOffset.value, channel.alternateOffset.value,
          ]
        }
    }
    return zip(numbers(self), numbers(other)).allSatisfy { ours, theirs in
      abs(ours - theirs) <= tolerance * max(abs(ours), 1)
    }
  }

  /// A gain of 1.01, in stops.
  package static let onePercentInStops = log2(1.01)
  /// Less than a step of 10-bit PQ above black.
  private static let invisibleOffset = 1e-4
}

extension GainMapMetadata {
  /// Whether the gain is equal for all components of a pixel, with equal offsets of both images, so
  /// that its primaries have no effect.
  ///
  /// Rows of a matrix between primaries add up to 1, so it commutes with (x + k) g - k.
  ///
  /// - Parameter mapIsGray: Whether the samples have one component.
  /// - Returns: Whether `usesBaseColorSpace` may have either value.
  package func hasColorlessGain(mapIsGray: Bool) -> Bool {
    guard mapIsGray, let first = channels.all.first else { return false }
    return channels.all.allSatisfy { $0.hasSameValues(as: first) }
      && first.baseOffset.value == first.alternateOffset.value
  }
}

extension GainMapMetadata.Channel {
  /// Whether all numbers are equal, whatever their fractions.
  package func hasSameValues(as other: Self) -> Bool {
    minimum.value == other.minimum.value && maximum.value == other.maximum.value
      && gamma.value == other.gamma.value && baseOffset.value == other.baseOffset.value
      && alternateOffset.value == other.alternateOffset.value
  }
}

extension Double {
  /// Decimal text with at most six digits after the point.
  package var rounded6: String { ((self * 1e6).rounded() / 1e6).plainDecimal }
}
