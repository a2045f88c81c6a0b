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

/// Metadata of ISO 21496-1 that approximate an Apple gain map, whose samples stay unchanged.
///
/// The two kinds of curves differ, so there is an error to report.
package struct AppleFit: Hashable, Sendable {
  /// The approximation, without Apple curve.
  package let metadata: GainMapMetadata
  /// Largest difference of the log gain over all 8-bit code values, in stops.
  package let worstError: Double

  /// Largest error of metadata that are written without being asked for, in stops: 9 % of the gain.
  package static let tolerance = 0.125

  /// Fits range and gamma: to the samples of an image within the tolerable error of any sample, else
  /// to all samples alike.
  ///
  /// - Parameters:
  ///   - apple: Metadata of an Apple gain map.
  ///   - counts: Number of samples of each 8-bit code value; `nil` if they are not known.
  /// - Throws: `.invalidArgument` for a headroom that no fraction represents.
  package init(to apple: GainMapMetadata, counts: [Int]? = nil) throws(ImageError) {
    let full = apple.largestGain
    let wanted = Self.samples.map { apple.logGain(ofSample: $0, component: 0) }
    let curve =
      full > 0
      ? counts.flatMap { LogGainCurve(to: wanted, counts: $0) } ?? .minimax(to: wanted, full: full)
      : LogGainCurve(minimum: 0, maximum: full, gamma: 1)
    worstError = curve.worstError(from: wanted)
    let line = try apple.withoutAppleCurve()
    guard let minimum = SignedRational(approximating: curve.minimum),
      let maximum = SignedRational(approximating: curve.maximum),
      let gamma = UnsignedRational(approximating: curve.gamma)
    else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": full])
    }
    metadata = GainMapMetadata(
      unchecked: line.channels.map { channel in
        var channel = channel
        (channel.minimum, channel.maximum, channel.gamma) = (minimum, maximum, gamma)
        return channel
      }, baseHeadroom: line.baseHeadroom, alternateHeadroom: line.alternateHeadroom,
      usesBaseColorSpace: true)
  }

  /// Whether the error is small enough for metadata of the same samples.
  package var isTolerable: Bool { worstError <= Self.tolerance }

  /// All 8-bit samples, 0...1.
  fileprivate static let samples = (0...255).map { Double($0) / 255 }
}

/// Log gain of ISO 21496-1 as a function of the sample.
private struct LogGainCurve {
  var minimum: Double
  var maximum: Double
  var gamma: Double

  /// Four digits suffice for a fit, and are readable.
  private var rounded: LogGainCurve {
    func digits(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
    return LogGainCurve(minimum: digits(minimum), maximum: digits(maximum), gamma: digits(gamma))
  }

  private func errors(from wanted: [Double]) -> [Double] {
    zip(AppleFit.samples, wanted).map { sample, wanted in
      minimum + pow(sample, 1 / gamma) * (maximum - minimum) - wanted
    }
  }

  func worstError(from wanted: [Double]) -> Double {
    errors(from: wanted).reduce(0) { max($0, abs($1)) }
  }

  /// Minimizes the largest error by golden-section search over gamma; sample 0 has no gain.
  static func minimax(to wanted: [Double], full: Double) -> LogGainCurve {
    func curve(_ gamma: Double) -> LogGainCurve {
      LogGainCurve(minimum: 0, maximum: full, gamma: gamma)
    }
    let gamma = leastArgument(in: gammas) { curve($0).worstError(from: wanted) }
    var rounded = curve(gamma).rounded
    rounded.maximum = full
    return rounded
  }

  /// Minimizes the mean squared error over the samples of an image.
  ///
  /// The weights of code values with more than the tolerable error grow until none is left; `nil` if
  /// some remain.
  init?(to wanted: [Double], counts: [Int]) {
    let total = counts.reduce(0, +)
    guard counts.count == wanted.count, total > 0 else { return nil }
    let shares = counts.map { count in
      (1 - Self.evenShare) * Double(count) / Double(total) + Self.evenShare / Double(counts.count)
    }
    // Rounding to four digits moves a sample by less than this.
    let limit = AppleFit.tolerance - 1e-3
    var weights = shares
    for _ in 0..<Self.largestRoundCount {
      let gamma = leastArgument(in: Self.gammas) { gamma in
        let errors = Self.leastSquares(to: wanted, weights, gamma: gamma).errors(from: wanted)
        return zip(weights, errors).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
      }
      let curve = Self.leastSquares(to: wanted, weights, gamma: gamma)
      let errors = curve.errors(from: wanted)
      guard errors.contains(where: { abs($0) > limit }) else {
        self = curve.rounded
        return
      }
      for (code, error) in errors.enumerated() where abs(error) > limit {
        weights[code] += weights[code] + Self.weightStep
      }
    }
    return nil
  }

  init(minimum: Double, maximum: Double, gamma: Double) {
    (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
  }

  /// Returns the range with the least sum of weighted squares for a gamma.
  private static func leastSquares(
    to wanted: [Double], _ weights: [Double], gamma: Double
  ) -> LogGainCurve {
    var sums = (weight: 0.0, x: 0.0, xx: 0.0, y: 0.0, xy: 0.0)
    for (code, weight) in weights.enumerated() {
      let (x, y) = (pow(AppleFit.samples[code], 1 / gamma), wanted[code])
      sums.weight += weight
      sums.x += weight * x
      sums.xx += weight * x * x
      sums.y += weight * y
      sums.xy += weight * x * y
    }
    // Even weights keep the determinant above zero.
    let slope =
      (sums.weight * sums.xy - sums.x * sums.y) / (sums.weight * sums.xx - sums.x * sums.x)
    let minimum = (sums.y - slope * sums.x) / sums.weight
    return LogGainCurve(minimum: minimum, maximum: minimum + slope, gamma: gamma)
  }

  /// From below what the smallest headroom needs to above what 64 stops need.
  private static let gammas = 0.3...6
  /// Share of the weight that all code values have alike, for samples that coding changes.
  private static let evenShare = 0.02
  /// Added, after doubling, to the weight of a code value with too large an error.
  private static let weightStep = 0.01
  private static let largestRoundCount = 40
}

/// Returns the minimum in `range` of a function with one minimum, by golden-section search.
private func leastArgument(
  in range: ClosedRange<Double>, _ function: (Double) -> Double
) -> Double {
  let golden = (5.0.squareRoot() - 1) / 2
  var (low, high) = (range.lowerBound, range.upperBound)
  var (left, right) = (high - golden * (high - low), low + golden * (high - low))
  var (atLeft, atRight) = (function(left), function(right))
  while high - low > 1e-7 {
    if atLeft < atRight {
      (high, right, atRight) = (right, left, atLeft)
      left = high - golden * (high - low)
      atLeft = function(left)
    } else {
      (low, left, atLeft) = (left, right, atRight)
      right = low + golden * (high - low)
      atRight = function(right)
    }
  }
  return (low + high) / 2
}
