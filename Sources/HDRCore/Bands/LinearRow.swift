// SPDX-License-Identifier: Apache-2.0
/// One row of an image in separate components: red, green and blue, linear values or signal, and
/// alpha if the image has it.
package struct LinearRow: Sendable {
  package var red: [Float]
  package var green: [Float]
  package var blue: [Float]
  /// Empty if the image does not have alpha.
  package var alpha: [Float]

  package init(width: Int, hasAlpha: Bool) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = hasAlpha ? [Float](repeating: 1, count: width) : []
  }

  package var width: Int { red.count }

  /// Copies red to green and blue.
  mutating func copyRed() {
    green.assign(red)
    blue.assign(red)
  }

  /// Applies curves: none, one for all components, or one for each.
  mutating func apply(_ curves: [ComponentCurve]) {
    guard let first = curves.first, let last = curves.last else { return }
    first.apply(to: &red)
    curves[min(1, curves.count - 1)].apply(to: &green)
    last.apply(to: &blue)
  }

  /// Multiplies red, green and blue and adds an offset.
  mutating func scale(by scale: Float, adding offset: Float) {
    for x in red.indices {
      red[x] = red[x] * scale + offset
      green[x] = green[x] * scale + offset
      blue[x] = blue[x] * scale + offset
    }
  }

  /// Assigns a row multiplied by its alpha.
  mutating func assign(shownOf row: LinearRow) {
    red.assign(row.red)
    green.assign(row.green)
    blue.assign(row.blue)
    multiply(byGain: row.alpha)
  }

  /// Number of emissive pixels: above `slack` at alpha 0, above `peak` at other alpha below 1.
  func emissiveCount(slack: Float, peak: Float) -> Int {
    alpha.indices.count { x in
      alpha[x] < 1 && max(red[x], green[x], blue[x]) > (alpha[x] > 0 ? peak : slack)
    }
  }
}
