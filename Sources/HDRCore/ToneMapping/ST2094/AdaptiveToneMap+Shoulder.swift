// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
