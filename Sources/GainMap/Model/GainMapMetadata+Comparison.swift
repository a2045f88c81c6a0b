internal import Foundation

/// Whether two spellings of the same map mean the same.
extension GainMapMetadata {
  /// What differs by more than one percent of light between two descriptions of one map.
  ///
  /// Decimals and fractions of different writers differ in the last digits; that is not reported.
  ///
  /// - Parameter other: The other description.
  /// - Returns: A clause for each number, with this one's value first; empty if they agree.
  public func disagreements(with other: GainMapMetadata) -> [String] {
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

  /// Whether all numbers but the choice of primaries are the same, up to a share of them or of 1.
  func equals(_ other: GainMapMetadata, within tolerance: Double) -> Bool {
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

  package static let onePercentInStops = log2(1.01)
  /// Below what 10-bit PQ tells from black.
  private static let invisibleOffset = 1e-4
}

extension GainMapMetadata {
  /// Whether gain is the same for all components of a pixel, with equal offsets on both sides, so
  /// that the primaries it is applied in make no difference.
  ///
  /// Rows of a matrix between primaries add up to 1, so it commutes with (x + k) g - k.
  ///
  /// - Parameter mapIsGray: Whether the map's samples have one component.
  /// - Returns: Whether `usesBaseColorSpace` may have either value.
  public func hasColorlessGain(mapIsGray: Bool) -> Bool {
    guard mapIsGray, let first = channels.all.first else { return false }
    return channels.all.allSatisfy { $0.hasSameValues(as: first) }
      && first.baseOffset.value == first.alternateOffset.value
  }
}

extension GainMapMetadata.Channel {
  /// Whether all numbers are the same, however they are spelled.
  public func hasSameValues(as other: Self) -> Bool {
    minimum.value == other.minimum.value && maximum.value == other.maximum.value
      && gamma.value == other.gamma.value && baseOffset.value == other.baseOffset.value
      && alternateOffset.value == other.alternateOffset.value
  }
}

extension Double {
  /// With at most six digits after the point.
  package var rounded6: String { ((self * 1e6).rounded() / 1e6).plainDecimal }
}
