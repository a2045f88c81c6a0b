/// One row of a picture while it is worked on: red, green and blue, of light or of signal, and
/// coverage where the picture has it.
package struct LightRow: Sendable {
  package var red: [Float]
  package var green: [Float]
  package var blue: [Float]
  /// Empty in a picture without alpha.
  package var alpha: [Float]

  package init(width: Int, hasAlpha: Bool) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = hasAlpha ? [Float](repeating: 1, count: width) : []
  }

  package var width: Int { red.count }

  /// Makes green and blue what red is.
  mutating func copyRed() {
    green.assign(red)
    blue.assign(red)
  }

  /// Applies no curve, one for all components, or one for each.
  mutating func apply(_ curves: [ComponentCurve]) {
    guard let first = curves.first, let last = curves.last else { return }
    first.apply(to: &red)
    curves[min(1, curves.count - 1)].apply(to: &green)
    last.apply(to: &blue)
  }

  /// Becomes the light that is shown of a row: light times coverage.
  mutating func assign(shownOf row: LightRow) {
    red.assign(row.red)
    green.assign(row.green)
    blue.assign(row.blue)
    multiply(byGain: row.alpha)
  }

  /// Pixels whose light no coverage lets through: above `slack` without any, above `peak` with some.
  func glowingCount(slack: Float, peak: Float) -> Int {
    alpha.indices.count { x in
      alpha[x] < 1 && max(red[x], green[x], blue[x]) > (alpha[x] > 0 ? peak : slack)
    }
  }
}
