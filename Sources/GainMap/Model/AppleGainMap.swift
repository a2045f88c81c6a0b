public import HDRCore
internal import Foundation

/// What turns the samples of Apple's own gain map into gain: one number, and a curve.
///
/// The gain of a sample is 1 + (H - 1) T(sample) for all three components, in the base's primaries,
/// without offsets, H being the headroom as a ratio.
///
/// Source: Apple, "Applying Apple HDR effect to your photos".
public struct AppleGainMap: Hashable, Sendable {
  /// The curve T between samples and relative gain.
  public enum Curve: String, Hashable, Sendable, CaseIterable {
    /// What most readers take, and what Apple's Preview shows.
    case srgb
    /// What Apple's page names.
    case bt709

    /// Relative gain of a sample in 0...1.
    public func gain(ofSample sample: Double) -> Double {
      switch self {
      case .srgb: SRGB.eotf(sample)
      case .bt709: BT709.inverseOETF(sample)
      }
    }

    /// Sample of a relative gain in 0...1.
    public func sample(ofGain gain: Double) -> Double {
      switch self {
      case .srgb: SRGB.inverseEOTF(gain)
      case .bt709: BT709.oetf(gain)
      }
    }
  }

  /// Headroom of the rendition with full gain, at least standard.
  public var headroom: Headroom
  public var curve: Curve

  /// A map for this headroom.
  ///
  /// - Throws: `.malformed` for a headroom below standard, or beyond `GainMapMetadata.largestStops`.
  public init(headroom: Headroom, curve: Curve = .srgb) throws(ImageError) {
    guard (0...GainMapMetadata.largestStops).contains(headroom.stops) else {
      throw ImageError(.invalidValue, ["field": "headroom", "value": headroom.ratio])
    }
    self.headroom = headroom
    self.curve = curve
  }

  /// Base-2 logarithm of the full gain of a sample in 0...1.
  public func logGain(ofSample sample: Double) -> Double {
    log2(1 + (headroom.ratio - 1) * curve.gain(ofSample: sample))
  }

  /// Sample of a gain, in stops; held between none and full gain.
  public func sample(ofLogGain logGain: Double) -> Double {
    guard headroom.ratio > 1 else { return 0 }
    let share = (exp2(logGain) - 1) / (headroom.ratio - 1)
    return curve.sample(ofGain: min(max(share, 0), 1))
  }
}
