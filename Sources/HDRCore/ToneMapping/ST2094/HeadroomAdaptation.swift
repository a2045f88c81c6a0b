// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Metadata for the rendering on displays of any headroom: SMPTE ST 2094-50, application 5.
///
/// It specifies the author's intent for displays of less and more headroom. ICC profiles contain it
/// as `HAGC`, containers as ITU-T T.35 payload.
///
/// Source: SMPTE ST 2094-50, public committee draft 2 of 2026-02-23.
public struct HeadroomAdaptation: Hashable, Sendable {
  /// Luminance of linear 1.0 in cd/m², 0.2...10 000 in files; `nil` if they do not specify it,
  /// which means 203.
  public var referenceWhite: Double?
  /// The tone map; `nil` if the file leaves tone mapping to the reader.
  public var toneMap: AdaptiveToneMap?

  public init(referenceWhite: Double? = nil, toneMap: AdaptiveToneMap? = nil) {
    self.referenceWhite = referenceWhite
    self.toneMap = toneMap
  }
}

/// A baseline image, and its mapping to images for displays of other headrooms.
public struct AdaptiveToneMap: Hashable, Sendable {
  /// Source of the gains of the alternate images.
  public enum Method: Hashable, Sendable {
    /// Gains derived from the baseline's headroom; see `Alternate.referenceWhite(baseline:)`.
    case referenceWhite
    /// Up to four alternates and the primaries in which their gains apply.
    ///
    /// Alternates are in order of increasing headroom, none equal to that of the baseline; neither
    /// is checked. Without alternates, the baseline is clipped on displays of less headroom.
    case alternates([AdaptiveToneMap.Alternate], primaries: ColorPrimaries)
  }

  /// Headroom of the encoded image; 0...6 stops in files.
  public var baselineHeadroom: Headroom
  /// Source of the gains.
  public var method: Method

  /// Maximum number of alternates in a file.
  public static let alternateLimit = 4

  public init(baselineHeadroom: Headroom, method: Method) {
    self.baselineHeadroom = baselineHeadroom
    self.method = method
  }

  /// The alternates: those of the file, or the two derived from the baseline's headroom.
  ///
  /// Derived ones are computed with each access.
  public var alternates: [AdaptiveToneMap.Alternate] {
    switch method {
    case .referenceWhite: AdaptiveToneMap.Alternate.referenceWhite(baseline: baselineHeadroom)
    case .alternates(let alternates, _): alternates
    }
  }

  /// The primaries in which gains apply: those of the file, BT.2020 for derived alternates.
  public var primaries: ColorPrimaries {
    switch method {
    case .referenceWhite: .bt2020
    case .alternates(_, let primaries): primaries
    }
  }

  /// Returns the gains for a display.
  package func gain(for display: Headroom) -> AdaptedGain { AdaptedGain(self, for: display) }
}

extension AdaptiveToneMap {
  /// Notices about deviations from recommendations of the standard.
  ///
  /// One for each alternate whose gain at the baseline's peak differs by more than 0.05 stops from
  /// the difference of the headrooms. Files of early drafts encode gains differently; this is the
  /// only way to distinguish them.
  public var peculiarities: [Notice] {
    guard case .alternates(let alternates, _) = method else { return [] }
    return alternates.compactMap { alternate in
      let end = alternate.curve.gain(ofLinear: baselineHeadroom.ratio)
      let wanted = alternate.headroom.stops - baselineHeadroom.stops
      guard abs(end - wanted) > 0.05 else { return nil }
      return Notice(
        .irregular,
        "ST 2094-50: the curve for {headroom stop} ends at a gain of {gain stop}, not {expected}",
        ["headroom": alternate.headroom.stops, "gain": end, "expected": wanted])
    }
  }
}

extension AdaptiveToneMap {
  /// The alternate image for displays of one headroom.
  public struct Alternate: Hashable, Sendable {
    /// Headroom of the displays; 0...6 stops in files.
    public var headroom: Headroom
    /// Mixing of components to the argument of the gain curve.
    public var mixing: ComponentMixing
    /// Gain curve, in stops.
    public var curve: GainCurve

    public init(headroom: Headroom, mixing: ComponentMixing, curve: GainCurve) {
      self.headroom = headroom
      self.mixing = mixing
      self.curve = curve
    }
  }
}

extension AdaptiveToneMap {
  /// Weight of an alternate in the image for a display.
  public struct Share: Hashable, Sendable {
    /// Index in `alternates`.
    public var alternate: Int
    /// Weight, above 0 and at most 1.
    public var weight: Double
  }

  /// The alternates adjacent to a display's headroom and their weights, by increasing headroom.
  ///
  /// The gain for the display is the weighted sum of the gains of these alternates, in stops. The
  /// baseline, whose gain is 0, has the remaining weight. Displays beyond the first and the last
  /// headroom show that image.
  ///
  /// Source: SMPTE ST 2094-50, computation of the adaptive tone map.
  ///
  /// - Parameter display: Headroom of the display.
  /// - Returns: None to two alternates.
  public func shares(for display: Headroom) -> [Share] {
    var renditions = alternates.enumerated().map { (index: Int?($0), stops: $1.headroom.stops) }
    let place = renditions.firstIndex { baselineHeadroom.stops < $0.stops } ?? renditions.count
    renditions.insert((nil, baselineHeadroom.stops), at: place)
    let target = display.stops
    let upper = renditions.firstIndex { target <= $0.stops } ?? renditions.count - 1
    var shares = [(renditions[upper].index, 1.0)]
    if upper > 0, target < renditions[upper].stops {
      let (low, high) = (renditions[upper - 1], renditions[upper])
      let weight = (target - high.stops) / (low.stops - high.stops)
      shares = [(low.index, weight), (high.index, 1 - weight)]
    }
    return shares.compactMap { index, weight in
      index.flatMap { weight > 0 ? Share(alternate: $0, weight: weight) : nil }
    }
  }
}

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
