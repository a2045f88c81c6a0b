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
    let middle = SIMD2((1 - kappa) + kappa * (peak / white), (1 - kappa) * white + kappa * peak)
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

extension AdaptiveToneMap {
  /// Returns `ToneMapOperator.shoulder` as metadata for readers of SMPTE ST 2094-50.
  ///
  /// Its gain is sampled, with exact slopes, for displays at equal steps in stops below the
  /// content; readers interpolate between them. With four alternates, the maximum error is 0.037
  /// stops for content of 1000 cd/m², 0.008 stops for content with one stop of headroom, and 0.093
  /// stops for four.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content, at most 6 stops; below 0 it counts as 0.
  ///   - alternateCount: Number of alternates, 1...4.
  /// - Returns: The metadata; without alternates if the content does not have headroom.
  /// - Throws: `.invalidArgument` for a headroom that is not a number or above 6 stops, and for
  ///   another number of alternates.
  public static func shoulder(
    content: Headroom, alternateCount: Int = alternateLimit
  ) throws(ImageError) -> AdaptiveToneMap {
    let steps = (0..<min(max(alternateCount, 0), alternateLimit)).map {
      Double($0) / Double(alternateCount)
    }
    return try alternates(
      content, at: steps.map { content.stops * $0 }, alternateCount
    ) { (display) throws(ImageError) in
      try RationalShoulder(content: content, display: display)
    }
  }

  /// Returns `ToneMapOperator.adaptive`, the default, as metadata for readers of SMPTE ST 2094-50.
  ///
  /// Its gain is sampled, with exact slopes, at four headrooms, one of them that from which
  /// mid-tones are unchanged if the content exceeds it by half; readers interpolate between them.
  /// The maximum error is 0.04 stops for content of 1.8 stops, 0.09 stops for content of 1000 cd/m²,
  /// and 0.15 stops for four stops.
  ///
  /// - Parameter content: Headroom of the content, at most 6 stops, and its key.
  /// - Returns: The metadata; without alternates if the content does not have headroom.
  /// - Throws: `.invalidArgument` for a headroom that is not a number or above 6 stops.
  public static func adaptive(content: ToneMapOperator.ContentStatistics) throws(ImageError)
    -> AdaptiveToneMap
  {
    let (stops, reach) = (content.headroom.stops, RationalShoulder.unchangedHeadroom.stops)
    let displays =
      stops > 1.5 * reach
      ? [0, reach / 2, reach, (reach + stops) / 2] : [0, stops / 4, stops / 2, stops * 3 / 4]
    return try alternates(
      content.headroom, at: displays, displays.count
    ) { (display) throws(ImageError) in
      try RationalShoulder(adaptingTo: content, display: display)
    }
  }

  /// Samples a curve for displays of given headrooms in stops.
  private static func alternates(
    _ content: Headroom, at displays: [Double], _ count: Int,
    _ shoulder: (Headroom) throws(ImageError) -> RationalShoulder
  ) throws(ImageError) -> AdaptiveToneMap {
    let content = Headroom(stops: max(content.stops, 0))
    guard content.stops <= 6, (1...alternateLimit).contains(count) else {
      throw ImageError(
        .invalidArgument,
        "ST 2094-50 stores headrooms of 0 to 6 stops and 1 to 4 alternates, not {stops stop} "
          + "and {alternates}",
        ["stops": content.stops, "alternates": count])
    }
    var alternates: [AdaptiveToneMap.Alternate] = []
    // Rounded to the precision of the format, so that alternates stay distinct.
    for stops in displays where content.stops * 10_000 >= Double(count) {
      let display = Headroom(stops: stops)
      alternates.append(
        AdaptiveToneMap.Alternate(
          headroom: display, mixing: .maximumOnly,
          curve: try AdaptiveToneMap.GainCurve(sampling: try shoulder(display))))
    }
    return AdaptiveToneMap(
      baselineHeadroom: content, method: .alternates(alternates, primaries: .bt2020))
  }
}

extension AdaptiveToneMap.GainCurve {
  /// Samples the shoulder at `pointLimit` points, from the knee to the content's peak in equal
  /// ratios.
  fileprivate init(sampling shoulder: RationalShoulder) throws(ImageError) {
    let (knee, peak) = (shoulder.knee, shoulder.range.contentPeak)
    let last = Self.pointLimit - 1
    try self.init(
      (0...last).map { index in
        // Exact at both ends, independent of the rounding of powers.
        let light = index == last ? peak : knee * pow(peak / knee, Double(index) / Double(last))
        let shown = shoulder.mapped(light)
        let bend = 1 + shoulder.curvature * (light - knee)
        let slope = (shoulder.gain * light / (bend * bend) - shown) / (log(2) * light * shown)
        return Point(light: light, gain: log2(shown / light), slope: slope)
      })
  }
}

extension RationalShoulder {
  /// Prepares the default operator, whose mid-tones adapt to the key of the image.
  ///
  /// With key the level of the bright tones, `LightLevels.key`, hc and hd the headrooms of content
  /// and display in stops:
  ///
  ///     darkening = min(clamp(log2(key / 0.5), 0, 1.5), hc / 2)
  ///     t = max(1 - hd / min(hc, log2(8/3)), 0)
  ///     gain = 2^(-t darkening)
  ///     kneeShare = 0.5 - 0.25 t
  ///
  /// A display without headroom shows the third quartile at no more than half of white: images of
  /// low key keep their exposure, bright ones, such as snow and sky, are darkened, so that
  /// highlights stay distinct from mid-tones. With log2(8/3)
  /// stops of headroom or more, mid-tones are unchanged, as in reference-white tone mapping.
  /// The curve is continuous in the key and in both headrooms.
  ///
  /// - Parameters:
  ///   - content: Headroom and key of the content; without a key, mid-tones are unchanged.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(adaptingTo content: ToneMapOperator.ContentStatistics, display: Headroom)
    throws(ImageError)
  {
    let stops = content.headroom.stops
    let reach = min(stops, Self.unchangedHeadroom.stops)
    let share = reach > 0 ? min(max(1 - display.stops / reach, 0), 1) : 0
    // A key that is not a number counts as one that was not measured.
    let key = max(Self.unchangedKey, content.key ?? 0)
    let darkening = max(min(log2(key / Self.unchangedKey), Self.largestDarkening, stops / 2), 0)
    try self.init(
      content: content.headroom, display: display, kneeShare: 0.5 - 0.25 * share,
      gain: exp2(-share * darkening))
  }

  /// Key up to which mid-tones are unchanged.
  private static let unchangedKey = 0.5
  /// Largest darkening in stops.
  private static let largestDarkening = 1.5
  /// Headroom of a display that shows mid-tones unchanged.
  static let unchangedHeadroom = Headroom(ratio: 8.0 / 3)
}

extension ToneMapOperator {
  /// The default: mid-tones adapt to the key of the image, and highlights roll off.
  ///
  /// Images of low key keep their exposure. Bright ones, such as snow and sky, are darkened by up
  /// to 1.5 stops on a display without headroom, and less on others; with log2(8/3) stops of
  /// headroom, mid-tones are unchanged. Without a measured key, mid-tones are unchanged as well.
  public static let adaptive = ToneMapOperator(
    "adaptive", "darkens bright images, rolls off highlights", usesKey: true
  ) { (content, display, _) throws(ImageError) in
    try RationalShoulder(adaptingTo: content, display: display)
  }
}
