// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles
internal import Platform

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
    let stored = try drawn.output(as: .init(layout: format, color: encoding)).image
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
    small.draw(numbers, on: &canvas, x: Double(width) - margin, y: line, alignment: .right)
    return canvas
  }

  /// About three digits.
  private static func short(_ value: Double) -> String {
    value >= 100 ? "\(Int(clamping: value.rounded()))" : "\((value * 100).rounded() / 100)"
  }
}

/// A color ramp in OKLab with uniformly rising lightness.
///
/// Source: Ottosson, "A perceptual color space for image processing" (2020).
struct ColorRamp: Sendable {
  /// A color by lightness, chroma and hue in degrees.
  struct Stop: Sendable {
    var lightness: Double
    var chroma: Double
    var hue: Double
  }

  private let stops: [Stop]

  /// Black through violet, red and orange to a pale yellow.
  static let heat = ColorRamp([
    Stop(lightness: 0.06, chroma: 0.00, hue: 290), Stop(lightness: 0.24, chroma: 0.11, hue: 295),
    Stop(lightness: 0.42, chroma: 0.16, hue: 345), Stop(lightness: 0.60, chroma: 0.19, hue: 388),
    Stop(lightness: 0.78, chroma: 0.16, hue: 425), Stop(lightness: 0.97, chroma: 0.06, hue: 465),
  ])

  init(_ stops: [Stop]) {
    precondition(stops.count > 1, "a ramp runs between two colors")
    self.stops = stops
  }

  /// The color at `position`, 0...1, as sRGB signal.
  func signal(at position: Double) -> SIMD3<Double> {
    let place = min(max(position, 0), 1) * Double(stops.count - 1)
    let index = min(Int(clamping: place), stops.count - 2)
    let share = place - Double(index)
    let (from, to) = (stops[index], stops[index + 1])
    func mixed(_ part: KeyPath<Stop, Double>) -> Double {
      from[keyPath: part] + (to[keyPath: part] - from[keyPath: part]) * share
    }
    let hue = mixed(\.hue) * .pi / 180
    let light = Self.light(
      SIMD3(mixed(\.lightness), mixed(\.chroma) * cos(hue), mixed(\.chroma) * sin(hue)))
    return SIMD3(
      SRGB.inverseEOTF(min(max(light.x, 0), 1)), SRGB.inverseEOTF(min(max(light.y, 0), 1)),
      SRGB.inverseEOTF(min(max(light.z, 0), 1)))
  }

  /// Linear sRGB of OKLab.
  private static func light(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let root =
      Matrix3x3(
        SIMD3(1, 0.3963377774, 0.2158037573), SIMD3(1, -0.1055613458, -0.0638541728),
        SIMD3(1, -0.0894841775, -1.2914855480)) * lab
    return Matrix3x3(
      SIMD3(4.0767416621, -3.3077115913, 0.2309699292),
      SIMD3(-1.2684380046, 2.6097574011, -0.3413193965),
      SIMD3(-0.0041960863, -0.7034186147, 1.7076147010)) * (root * root * root)
  }
}
