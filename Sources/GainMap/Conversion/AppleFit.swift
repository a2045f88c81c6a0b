package import HDRCore
internal import Foundation

/// Parameters of ISO 21496-1 that come close to a map of Apple's, whose samples stay as they are.
///
/// The two families of curves have no member in common, so there is an error to report.
package struct AppleFit: Hashable, Sendable {
  public let metadata: GainMapMetadata
  /// Largest difference of the logarithm of gain over all 8-bit codes, in stops.
  public let worstError: Double

  /// Fits gamma by golden section; sample 0 keeps meaning no gain.
  ///
  /// - Parameter map: Apple's map.
  /// - Throws: Never for a headroom that numerator and denominator can say.
  public init(to map: AppleGainMap) throws(ImageError) {
    let full = map.headroom.stops
    let codes = (0...255).map { Double($0) / 255 }
    let wanted = codes.map(map.logGain(ofSample:))
    func worst(gamma: Double) -> Double {
      zip(codes, wanted).reduce(0) { worst, pair in
        max(worst, abs(full * pow(pair.0, 1 / gamma) - pair.1))
      }
    }
    // Four digits are more than the fit is worth, and stay readable.
    let gamma =
      full > 0 ? (leastArgument(in: Self.gammas) { worst(gamma: $0) } * 1e4).rounded() / 1e4 : 1
    worstError = worst(gamma: gamma)
    guard let maximum = SignedRational(approximating: full),
      let alternateHeadroom = UnsignedRational(UInt32(maximum.numerator), maximum.denominator),
      let gamma = UnsignedRational(approximating: gamma)
    else { throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": full]) }
    let channel = GainMapMetadata.Channel(
      minimum: SignedRational(0), maximum: maximum, gamma: gamma, baseOffset: SignedRational(0),
      alternateOffset: SignedRational(0))
    metadata = try GainMapMetadata(
      channels: .one(channel), baseHeadroom: UnsignedRational(0),
      alternateHeadroom: alternateHeadroom, usesBaseColorSpace: true)
  }

  /// Whether parameters come close enough to a map to be written for the same samples.
  ///
  /// - Parameter map: Apple's map.
  /// - Returns: Whether they are within the tolerance of `GainMapDescription`.
  /// - Throws: As `init(to:)`.
  public static func isTolerable(for map: AppleGainMap) throws(ImageError) -> Bool {
    try AppleFit(to: map).worstError <= GainMapDescription.tolerance
  }

  /// From far below what the darkest headroom needs to beyond what 64 stops need.
  private static let gammas = 0.3...6
}

/// Where in `range` a function with one valley is least, by golden section.
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
