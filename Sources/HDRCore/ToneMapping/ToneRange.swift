/// The headrooms that a tone curve goes between, checked and as ratios.
package struct ToneRange: Hashable, Sendable {
  /// Largest light that is told apart, 1.0 for reference white; at least 1.
  package let contentPeak: Double
  /// Light that the display's peak shows, at least 1.
  package let displayPeak: Double

  /// The range from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms above 100
  ///   stops.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    contentPeak = max(content.ratio, 1)
    displayPeak = display.ratio
    guard contentPeak <= Self.largest, displayPeak >= 1, displayPeak <= Self.largest else {
      throw ImageError(.toneRangeInvalid, ["content": content.ratio, "display": display.ratio])
    }
  }

  /// More than any content has: 100 stops.
  private static let largest = 0x1p100

  /// Whether the display can show everything, so that nothing has to change.
  package var isIdentity: Bool { contentPeak / displayPeak < 1 + 1e-6 }
}
