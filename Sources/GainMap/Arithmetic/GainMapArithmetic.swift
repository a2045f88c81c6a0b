public import HDRCore
internal import Foundation

// The definition, in double precision and in the order of the standard's text. The bands compute
// the same in single precision.

extension GainMapMeaning {
  /// How far to go from the base to the alternate rendition on a display.
  ///
  /// Source: ISO 21496-1, clause 6.3. Equal headrooms are not in the standard; they mean no gain.
  ///
  /// - Parameter display: Headroom of the display.
  /// - Returns: 0 shows the base, 1 the alternate; negative where the base is the brighter one, -1
  ///   for the alternate.
  public func weight(for display: Headroom) -> Double {
    let (base, alternate) = (baseHeadroom.stops, alternateHeadroom.stops)
    guard base != alternate else { return 0 }
    let share = min(max((display.stops - base) / (alternate - base), 0), 1)
    return alternate > base ? share : -share
  }

  /// Base-2 logarithm of the gain of a sample.
  ///
  /// - Parameters:
  ///   - sample: Code over largest code; held in 0...1.
  ///   - component: 0, 1 or 2 for red, green, blue.
  /// - Returns: Stops.
  public func logGain(ofSample sample: Double, component: Int) -> Double {
    switch self {
    case .parameters(let metadata): metadata.channels[component].logGain(ofSample: sample)
    case .apple(let map): map.logGain(ofSample: min(max(sample, 0), 1))
    }
  }

  /// What is added to the light of base and alternate before gain is taken.
  public func offsets(component: Int) -> (base: Double, alternate: Double) {
    switch self {
    case .parameters(let metadata):
      let channel = metadata.channels[component]
      return (channel.baseOffset.value, channel.alternateOffset.value)
    case .apple: return (0, 0)
    }
  }

  /// Light of one component with a share of the gain.
  ///
  /// Source: ISO 21496-1, clause 6.3.
  ///
  /// - Parameters:
  ///   - base: Light of the base in the primaries that the gain is for, 1.0 for reference white.
  ///   - logGain: Base-2 logarithm of the gain at this place, resampled from the map.
  ///   - weight: From `weight(for:)`; with 0 the base stays exactly as it is.
  ///   - component: 0, 1 or 2 for red, green, blue.
  /// - Returns: Light in the same primaries; may be negative or above the headroom.
  public func applied(
    to base: Double, logGain: Double, weight: Double, component: Int
  ) -> Double {
    guard weight != 0 else { return base }
    let offsets = offsets(component: component)
    return (base + offsets.base) * exp2(weight * logGain) - offsets.alternate
  }
}

extension GainMapMetadata.Channel {
  /// Base-2 logarithm of the gain of a sample, which is held in 0...1.
  ///
  /// Source: ISO 21496-1, clause 6.2.1.
  public func logGain(ofSample sample: Double) -> Double {
    let relative = pow(min(max(sample, 0), 1), 1 / gamma.value)
    return minimum.value + (maximum.value - minimum.value) * relative
  }

  /// Sample of a gain, in stops; held between `minimum` and `maximum`.
  public func sample(ofLogGain logGain: Double) -> Double {
    let range = maximum.value - minimum.value
    guard range > 0 else { return 0 }
    return pow(min(max((logGain - minimum.value) / range, 0), 1), gamma.value)
  }

  /// Base-2 logarithm of the gain that turns the base's light into the alternate's.
  ///
  /// The sign is that of the way to the brighter rendition, whichever of the two is the base.
  ///
  /// Source: ISO 21496-1, annex A.
  ///
  /// - Parameters:
  ///   - base: Light of one component of the base.
  ///   - alternate: Light of that component of the alternate.
  ///   - baseIsHDR: Whether the base is the brighter rendition.
  /// - Returns: Stops; sums of light and offset below `smallestSum` count as that.
  public func logGain(from base: Double, to alternate: Double, baseIsHDR: Bool) -> Double {
    let ratio =
      max(alternate + alternateOffset.value, Self.smallestSum)
      / max(base + baseOffset.value, Self.smallestSum)
    return baseIsHDR ? -log2(ratio) : log2(ratio)
  }

  /// Less light than this is noise: a ratio of it would only widen the range of the map.
  static let smallestSum = 1 / 1024.0
}
