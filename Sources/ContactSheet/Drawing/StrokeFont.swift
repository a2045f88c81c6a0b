// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

/// A font of round strokes, identical on every machine.
struct StrokeFont {
  /// Height of capitals in pixels.
  let size: Double
  var color: LinearColor
  /// Stroke width as a share of the height of capitals.
  var weight = 0.13

  enum Alignment {
    case left
    case center
    case right
  }

  private static let gap = 1.75

  private var scale: Double { size / GlyphOutlines.capHeight }

  /// Space between glyphs in pixels.
  var spacing: Double { Self.gap * scale }

  /// Width of a line of text in pixels.
  func width(of text: String) -> Double {
    let widths = Glyph.glyphs(of: text).map(\.width)
    return (widths.reduce(0, +) + Self.gap * Double(max(widths.count - 1, 0))) * scale
  }

  /// The text, shortened in the middle to fit into `width` pixels.
  func fitting(_ text: String, width: Double) -> String {
    guard self.width(of: text) > width else { return text }
    var (head, tail) = (text.prefix(text.count * 2 / 3), text.suffix(text.count / 3))
    while self.width(of: head + "…" + tail) > width, !head.isEmpty {
      if head.count > 2 * tail.count || tail.isEmpty {
        head.removeLast()
      } else {
        tail.removeFirst()
      }
    }
    return head + "…" + tail
  }

  /// Draws a line of text; `y` is the top of its capitals.
  func draw(
    _ text: String, on canvas: inout Canvas, x: Double, y: Double,
    alignment: Alignment = .left
  ) {
    var pen =
      switch alignment {
      case .left: x
      case .center: x - width(of: text) / 2
      case .right: x - width(of: text)
      }
    for glyph in Glyph.glyphs(of: text) {
      for stroke in glyph.strokes {
        let points = stroke.map { SIMD2(pen, y) + $0 * scale }
        draw(points, on: &canvas)
      }
      pen += (glyph.width + Self.gap) * scale
    }
  }

  /// Draws a polyline: the coverage of a pixel is that of the nearest line.
  private func draw(_ points: [SIMD2<Double>], on canvas: inout Canvas) {
    let reach = weight * size / 2 + 1
    guard var low = points.first, var high = points.first else { return }
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let lines = points.count > 1 ? Array(zip(points, points.dropFirst())) : [(low, low)]
    for y in Int(
      clamping: (low.y - reach).rounded(.down))...Int(clamping: (high.y + reach).rounded(.up))
    {
      for x in Int(
        clamping: (low.x - reach).rounded(.down))...Int(clamping: (high.x + reach).rounded(.up))
      {
        let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let distance = lines.map { Self.distance(from: center, to: $0) }.min() ?? reach
        canvas.mix(color, into: x, y, share: Float(weight * size / 2 - distance + 0.5))
      }
    }
  }

  private static func distance(
    from point: SIMD2<Double>, to line: (SIMD2<Double>, SIMD2<Double>)
  ) -> Double {
    let direction = line.1 - line.0
    let length = (direction * direction).sum()
    let offset = point - line.0
    let along = length > 0 ? min(max((offset * direction).sum() / length, 0), 1) : 0
    let gap = offset - direction * along
    return (gap * gap).sum().squareRoot()
  }
}
