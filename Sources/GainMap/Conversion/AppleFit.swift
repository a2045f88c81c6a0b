// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Platform

/// Metadata of ISO 21496-1 that approximate an Apple gain map, whose samples stay unchanged.
///
/// The two kinds of curves differ, so there is an error to report.
package struct AppleFit: Hashable, Sendable {
  /// The approximation, without Apple curve.
  package let metadata: GainMapMetadata
  /// Largest difference of the log gain over all 8-bit code values, in stops.
  package let worstError: Double

  /// Fits gamma by golden-section search; sample 0 has no gain.
  ///
  /// - Parameter apple: Metadata of an Apple gain map.
  /// - Throws: `.invalidArgument` for a headroom that no fraction represents.
  package init(to apple: GainMapMetadata) throws(ImageError) {
    let full = apple.largestGain
    let samples = (0...255).map { Double($0) / 255 }
    let wanted = samples.map { apple.logGain(ofSample: $0, component: 0) }
    func worst(gamma: Double) -> Double {
      zip(samples, wanted).reduce(0) { worst, pair in
        max(worst, abs(full * pow(pair.0, 1 / gamma) - pair.1))
      }
    }
    // Four digits suffice for the fit, and are readable.
    let gamma =
      full > 0 ? (leastArgument(in: Self.gammas) { worst(gamma: $0) } * 1e4).rounded() / 1e4 : 1
    worstError = worst(gamma: gamma)
    let line = try apple.withoutAppleCurve()
    guard let gamma = UnsignedRational(approximating: gamma) else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": full])
    }
    metadata = GainMapMetadata(
      unchecked: line.channels.map { channel in
        var channel = channel
        channel.gamma = gamma
        return channel
      }, baseHeadroom: line.baseHeadroom, alternateHeadroom: line.alternateHeadroom,
      usesBaseColorSpace: true)
  }

  /// Whether the error is small enough for metadata of the same samples.
  package var isTolerable: Bool { worstError <= GainMapMetadataSet.tolerance }

  /// From below what the smallest headroom needs to above what 64 stops need.
  private static let gammas = 0.3...6
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
