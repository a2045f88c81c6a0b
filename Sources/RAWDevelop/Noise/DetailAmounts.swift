// SPDX-License-Identifier: Apache-2.0
/// Amounts of noise reduction and of changes of detail.
struct DetailAmounts: Hashable, Sendable {
  /// Share of the luminance noise to remove, 0...1.
  var luminance: Double
  /// Share of the color noise to remove, 0...1.
  var color: Double

  /// Share of the finest color differences to remove, 0...1.
  var moire = 0.0
  /// Enhancement of local contrast, 0...1.
  var contrast = 0.0
  /// Enhancement of fine luminance detail, 0...1.
  var detail = 0.0

  var isIdentity: Bool {
    luminance == 0 && color == 0 && moire == 0 && contrast == 0 && detail == 0
  }

  static let none = DetailAmounts(luminance: 0, color: 0)

  init(luminance: Double, color: Double) { (self.luminance, self.color) = (luminance, color) }

  /// Defaults for the noise of an image: none where it is invisible; all of the color noise from
  /// 1.2 % of white at middle gray on, up to 70 % of the luminance noise from 3.6 % on.
  ///
  /// - Parameters:
  ///   - noise: The noise; `nil` if unknown.
  ///   - removed: Share that the camera removed.
  init(for noise: NoiseModel?, removed: Double) {
    let deviation = noise.map { $0.deviation(at: 0.18) * (1 - removed) } ?? 0
    func share(_ low: Double, _ high: Double) -> Double {
      (100 * min(max((deviation - low) / (high - low), 0), 1)).rounded() / 100
    }
    luminance = 0.7 * share(0.006, 0.036)
    color = share(0.004, 0.012)
  }
}
