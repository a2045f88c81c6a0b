// SPDX-License-Identifier: Apache-2.0
/// The headrooms of content and display of a tone curve, validated, as ratios.
package struct ToneRange: Hashable, Sendable {
  /// Linear value of the content's peak, 1.0 for reference white; at least 1.
  package let contentPeak: Double
  /// Linear value of the display's peak, at least 1.
  package let displayPeak: Double

  /// Validates the range from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms above 100
  ///   stops.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    contentPeak = max(content.ratio, 1)
    displayPeak = display.ratio
    guard contentPeak <= Self.largest, displayPeak >= 1, displayPeak <= Self.largest else {
      throw ImageError(
        .invalidArgument, "cannot map headroom {content} to {display}",
        ["content": content.ratio, "display": display.ratio])
    }
  }

  /// Limit of headrooms, 100 stops, which exceeds any content.
  private static let largest = 0x1p100

  /// Whether the display has enough headroom for the content.
  package var isIdentity: Bool { contentPeak / displayPeak < 1 + 1e-6 }
}
