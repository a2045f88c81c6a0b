// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

// An Apple gain map has the gain 1 + (H - 1) T(sample) for all three components, in the primaries of
// the baseline image and without offsets, where H is the headroom as a ratio and T a curve.
//
// Source: Apple, "Applying Apple HDR effect to your photos".

extension GainMapMetadata {
  /// Curve T of an Apple gain map between samples and relative gain.
  ///
  /// The gain is 1 + (H - 1) T(sample), where H is the headroom as a ratio. Readers differ in T.
  public enum AppleCurve: String, Codable, Hashable, Sendable, CaseIterable {
    /// The EOTF of sRGB, which most readers and Apple Preview apply.
    case srgb
    /// The inverse OETF of BT.709, which Apple documents.
    case bt709

    /// Returns the relative gain, 0...1, of a sample in 0...1; samples are not clamped.
    public func gain(ofSample sample: Double) -> Double {
      switch self {
      case .srgb: SRGB.eotf(sample)
      case .bt709: BT709.inverseOETF(sample)
      }
    }

    /// Returns the sample, 0...1, of a relative gain in 0...1; gains are not clamped.
    public func sample(ofGain gain: Double) -> Double {
      switch self {
      case .srgb: SRGB.inverseEOTF(gain)
      case .bt709: BT709.oetf(gain)
      }
    }
  }

  /// Creates metadata of an Apple gain map.
  ///
  /// The baseline image has 0 stops of headroom, the alternate image `headroom`.
  ///
  /// - Parameters:
  ///   - headroom: Headroom of the image with full gain.
  ///   - curve: Curve between samples and relative gain.
  /// - Throws: `.malformed` for a headroom below 0 stops or beyond `largestStops`.
  public init(appleHeadroom headroom: Headroom, curve: AppleCurve = .srgb) throws(ImageError) {
    // A tolerance of 0 stores the very `Double`.
    guard (0...Self.largestStops).contains(headroom.stops),
      let maximum = SignedRational(approximating: headroom.stops, tolerance: 0)
    else {
      throw ImageError(.invalidValue, ["field": "headroom", "value": headroom.ratio])
    }
    self.init(fullGain: maximum, appleCurve: curve)
  }

  /// Creates metadata with gains from 1 to `maximum` for all components, without offsets.
  private init(fullGain maximum: SignedRational, appleCurve: AppleCurve?) {
    let channel = Channel(
      minimum: SignedRational(0), maximum: maximum, gamma: UnsignedRational(1),
      baseOffset: SignedRational(0), alternateOffset: SignedRational(0))
    self.init(
      unchecked: .one(channel), baseHeadroom: UnsignedRational(0),
      alternateHeadroom: maximum.magnitude, usesBaseColorSpace: true, appleCurve: appleCurve)
  }

  /// Whether this is an Apple gain map.
  public var isApple: Bool { appleCurve != nil }

  /// Returns metadata of an Apple gain map with the same full gain, for requantized samples.
  ///
  /// - Throws: `.invalidArgument` if the gain map does not brighten.
  package func withAppleCurve(_ curve: AppleCurve = .srgb) throws(ImageError) -> GainMapMetadata {
    guard largestGain > 0 else {
      throw ImageError(.invalidArgument, "the gain map does not brighten")
    }
    return try GainMapMetadata(appleHeadroom: Headroom(stops: largestGain), curve: curve)
  }

  /// Returns metadata of ISO 21496-1 with the full gain of an Apple gain map and a gamma of 1, for
  /// requantized samples.
  ///
  /// - Throws: `.invalidArgument` for a headroom that no fraction represents.
  package func withoutAppleCurve() throws(ImageError) -> GainMapMetadata {
    guard let maximum = SignedRational(approximating: largestGain) else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": largestGain])
    }
    return GainMapMetadata(fullGain: maximum, appleCurve: nil)
  }

  /// Returns the reason why an Apple gain map cannot have the same effect; `nil` if it can.
  ///
  /// Apple gain maps have one form: an SDR baseline image, one component, gains of at least 1, no
  /// offsets, the primaries of the baseline image.
  ///
  /// - Parameter mapIsGray: Whether the samples have one component.
  /// - Returns: The requirement that is not met.
  package func obstacleToApple(mapIsGray: Bool) -> ImageError? {
    if isBaseHDR {
      return ImageError(.invalidArgument, "an Apple gain map requires an SDR baseline image")
    }
    if baseHeadroom.value > 0 {
      return ImageError(
        .invalidArgument,
        "an Apple gain map requires a baseline image without headroom, not {stops stop}",
        ["stops": baseHeadroom.value])
    }
    if !mapIsGray || collapsed.channels.all.count > 1 {
      return ImageError(.invalidArgument, "an Apple gain map has one gain for all components")
    }
    let channel = channels[0]
    if max(abs(channel.baseOffset.value), abs(channel.alternateOffset.value)) > Self.ignoredOffset {
      return ImageError(
        .invalidArgument, "an Apple gain map has no offsets; these are {base} and {alternate}",
        ["base": channel.baseOffset.value, "alternate": channel.alternateOffset.value])
    }
    if channel.maximum.value <= 0 {
      return ImageError(
        .invalidArgument, "an Apple gain map cannot darken, and this one only darkens")
    }
    return nil
  }

  /// Largest offset without a visible effect; the ISO 21496-1 metadata of iPhone files have offsets.
  private static let ignoredOffset = 1e-4

  /// Differences between this gain map and an Apple gain map of the same full gain.
  package var differencesFromApple: [Notice] {
    var found: [Notice] = []
    if channels[0].minimum.value < -Self.onePercentInStops {
      found.append(
        Notice(
          .dropped, "Apple gain map: gains down to {minimum stop} become 0",
          ["minimum": channels[0].minimum.value]))
    }
    let headroom = alternateHeadroom.value
    if abs(headroom - largestGain) > Self.onePercentInStops {
      found.append(
        Notice(
          .dropped,
          "Apple gain map: full gain at a headroom of {full stop} instead of {headroom stop}",
          ["full": largestGain, "headroom": headroom]))
    }
    return found
  }
}

extension SignedRational {
  /// The absolute value.
  var magnitude: UnsignedRational {
    UnsignedRational(numerator.magnitude, denominator) ?? UnsignedRational(0)
  }
}
