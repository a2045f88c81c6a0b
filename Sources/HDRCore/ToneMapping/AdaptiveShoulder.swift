// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
