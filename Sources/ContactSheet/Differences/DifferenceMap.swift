// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
public import HDRCore
internal import ImageFiles

/// A map of the differences of two images: false colors of Delta E ITP above a legend.
public enum DifferenceMap {
  /// Draws a map.
  ///
  /// - Parameters:
  ///   - levels: Levels of `DifferenceScale`, upright.
  ///   - deltaE: Statistics for the legend.
  /// - Returns: 8-bit sRGB of the width of the map, with the legend below it.
  /// - Throws: `.cancelled`.
  public static func image(
    _ levels: Plane<UInt8>, deltaE: LightComparison.Statistics
  ) throws(ImageError) -> ImagePlanes {
    let colors = (0...255).map { level in
      let signal = ColorRamp.heat.signal(at: Double(level) / 255)
      return (signal * 255).rounded(.toNearestOrAwayFromZero)
    }
    let legend = try Legend(width: levels.width, deltaE: deltaE).samples()
    let planes = (0..<3).map { component in
      let table = colors.map { UInt16(clamping: $0[component]) }
      let below = legend[component]
      return Plane<UInt16>(width: levels.width, height: levels.height + below.height) {
        output in
        let map = levels.span
        for index in map.indices { output.append(table[Int(map[index])]) }
        let rest = below.span
        for index in rest.indices { output.append(rest[index]) }
      }
    }
    let format = ImageLayout(
      width: levels.width, height: planes[0].height, components: .rgb, samples: .integer(bits: 8))
    return ImagePlanes(layout: format, planes: .integer(planes))
  }
}

/// The legend below a map of differences.
private struct Legend {
  let width: Int
  let deltaE: LightComparison.Statistics

  /// Labeled differences.
  private static let ticks = [0.0, 1, 3, 10, 30, 100]

  /// Planes of 8-bit sRGB.
  func samples() throws(ImageError) -> [Plane<UInt16>] {
    let encoding = ColorEncoding(primaries: .bt709, transfer: .srgb)
    let format = ImageLayout(
      width: width, height: drawn.height, components: .rgb, samples: .integer(bits: 8))
    let stored = try drawn.output(
      as: .init(layout: format, color: encoding)
    ).image
    guard case .integer(let planes) = stored.planes else {
      preconditionFailure("8-bit samples are integers")
    }
    return planes
  }

  /// The legend; narrow images get small text, or only the scale.
  private var drawn: Canvas {
    let unit = min(max(Double(width) / 60, 5), 28)
    let hasText = width >= 200
    let height = hasText ? unit * 5.2 : unit * 2
    var canvas = Canvas(
      width: width, height: Int(clamping: height.rounded()), background: LinearColor(sRGB: 0x0D0D10)
    )
    let margin = unit * 1.4
    let bar = Rectangle(
      x: Int(clamping: margin), y: Int(clamping: unit * 1.1),
      width: width - 2 * Int(clamping: margin),
      height: max(Int(clamping: unit * 0.9), 2))
    for x in 0..<max(bar.width, 0) {
      let signal = ColorRamp.heat.signal(at: Double(x) / Double(max(bar.width - 1, 1)))
      let color = LinearColor(signal: signal)
      for y in bar.y..<bar.bottom { canvas[bar.x + x, y] = color }
    }
    guard hasText else { return canvas }
    let small = StrokeFont(size: unit * 0.72, color: LinearColor(sRGB: 0xB8B8C0))
    for tick in Self.ticks {
      let x = Double(bar.x) + DifferenceScale.position(of: tick) * Double(bar.width)
      canvas.line(
        from: SIMD2(x, Double(bar.bottom) + unit * 0.2),
        to: SIMD2(x, Double(bar.bottom) + unit * 0.5), thickness: unit * 0.1, small.color)
      let text = tick == Self.ticks.last ? "\(Int(clamping: tick))+" : "\(Int(clamping: tick))"
      small.draw(
        text, on: &canvas, x: x, y: Double(bar.bottom) + unit * 0.75,
        alignment: tick == 0 ? .left : tick == Self.ticks.last ? .right : .center)
    }
    let line = Double(bar.bottom) + unit * 2
    small.draw("Delta E ITP; 1 is just noticeable", on: &canvas, x: margin, y: line)
    guard width >= 480 else { return canvas }
    let numbers = [
      ("mean", deltaE.mean), ("95 %", deltaE.percentile95), ("99 %", deltaE.percentile99),
      ("max", deltaE.maximum),
    ].map { "\($0.0) \(Self.short($0.1))" }.joined(separator: "   ")
    small.draw(
      numbers, on: &canvas, x: Double(width) - margin, y: line, alignment: .right)
    return canvas
  }

  /// About three digits.
  private static func short(_ value: Double) -> String {
    value >= 100 ? "\(Int(clamping: value.rounded()))" : "\((value * 100).rounded() / 100)"
  }
}
