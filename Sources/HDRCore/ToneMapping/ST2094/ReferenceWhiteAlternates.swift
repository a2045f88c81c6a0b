// SPDX-License-Identifier: Apache-2.0
internal import Platform

extension AdaptiveToneMap.Alternate {
  /// The two alternates of reference-white tone mapping; empty for a baseline without headroom.
  ///
  /// Below reference white the gain is constant: contrast is preserved and exposure decreases, by
  /// one stop on displays without headroom for content of at least 1000 cd/m². Above it, a Bézier
  /// curve rolls off.
  ///
  /// For baselines of at least 4.7 stops, the Hermite curve through the eight points is not
  /// monotonic, although the Bézier curve is.
  ///
  /// Source: SMPTE ST 2094-50, C.3.8.
  ///
  /// - Parameter baseline: Headroom of the baseline image; 0...6 stops in files.
  /// - Returns: Alternates for 0 stops, and for up to log2(8/3) stops.
  public static func referenceWhite(baseline: Headroom) -> [AdaptiveToneMap.Alternate] {
    guard baseline.stops > 0 else { return [] }
    let share = min(baseline.stops / log2(1000.0 / 203), 1)
    return [(0.0, 1 - share / 2), (log2(8.0 / 3) * share, 1)].compactMap { stops, white in
      let headroom = Headroom(stops: stops)
      let bezier = Bezier(white: white, baselinePeak: baseline.ratio, peak: headroom.ratio)
      let points = (0..<8).map { bezier.point(at: Double($0) / 7) }
      return (try? AdaptiveToneMap.GainCurve(points)).map {
        AdaptiveToneMap.Alternate(headroom: headroom, mixing: .maximumOnly, curve: $0)
      }
    }
  }
}

/// A quadratic Bézier curve from reference white to the peak, in linear values.
private struct Bezier {
  private let start: SIMD2<Double>
  private let linear: SIMD2<Double>
  private let square: SIMD2<Double>

  init(white: Double, baselinePeak: Double, peak: Double) {
    let kappa = 0.65
    start = SIMD2(1, white)
    let end = SIMD2(baselinePeak, peak)
    let middle = SIMD2(
      (1 - kappa) + kappa * (peak / white), (1 - kappa) * white + kappa * peak)
    linear = 2 * (middle - start)
    square = start - 2 * middle + end
  }

  /// A control point of linear value and gain.
  func point(at t: Double) -> AdaptiveToneMap.GainCurve.Point {
    let place = start + t * (linear + t * square)
    let direction = linear + 2 * t * square
    let slope = direction.y / direction.x
    return AdaptiveToneMap.GainCurve.Point(
      light: place.x, gain: log2(place.y / place.x),
      slope: (place.x * slope - place.y) / (log(2) * place.x * place.y))
  }
}
