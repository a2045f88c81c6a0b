internal import Platform

extension AdaptiveToneMap {
  /// Returns the shoulder as metadata for readers of SMPTE ST 2094-50.
  ///
  /// Its gain is sampled, with exact slopes, for displays at equal steps in stops below the
  /// content; readers interpolate between them. With four alternates, the maximum error is 0.037
  /// stops for content of 1000 cd/m², 0.008 stops for content with one stop of headroom, and 0.093
  /// stops for four.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content, 0...6 stops.
  ///   - alternateCount: Number of alternates, 1...4.
  /// - Returns: The metadata; without alternates if the content does not have headroom.
  /// - Throws: `.invalidArgument` for a headroom that is not a number or above 6 stops.
  public static func shoulder(
    content: Headroom, alternateCount: Int = alternateLimit
  ) throws(ImageError) -> AdaptiveToneMap {
    let content = Headroom(stops: max(content.stops, 0))
    guard content.stops <= 6, (1...alternateLimit).contains(alternateCount) else {
      throw ImageError(
        .st2094CurveNotStorable, ["stops": content.stops, "alternates": alternateCount])
    }
    var alternates: [AdaptiveToneMap.Alternate] = []
    // Rounded to the precision of the format, so that alternates stay distinct.
    for index in 0..<alternateCount where content.stops * 10_000 >= Double(alternateCount) {
      let display = Headroom(stops: content.stops * Double(index) / Double(alternateCount))
      let shoulder = try RationalShoulder(content: content, display: display)
      alternates.append(
        AdaptiveToneMap.Alternate(
          headroom: display, mixing: .maximumOnly,
          curve: try AdaptiveToneMap.GainCurve(sampling: shoulder)))
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
        let slope = (light / (bend * bend) - shown) / (log(2) * light * shown)
        return Point(light: light, gain: log2(shown / light), slope: slope)
      })
  }
}
