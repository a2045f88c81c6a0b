// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// Views that analyze an image.
enum AnalysisViews {
  /// False colors of luminance in stops.
  static func stops(_ image: Canvas) -> Canvas {
    image.mapped { StopScale.color(of: StopScale.stop(of: $0.luminance)) }
  }

  /// Pixels above headrooms in false colors, other pixels in dim gray.
  ///
  /// - Parameters:
  ///   - image: Linear values.
  ///   - headrooms: Headrooms in rising order.
  /// - Returns: The view.
  static func clipping(_ image: Canvas, above headrooms: [Headroom]) -> Canvas {
    image.mapped { light in
      let peak = Double(light.max())
      guard let index = headrooms.lastIndex(where: { peak > $0.ratio * 1.001 }) else {
        let gray = Float(SRGB.inverseEOTF(Double(min(light.luminance, 1)))) * 0.5
        return LinearColor(signal: SIMD3<Double>(repeating: Double(gray)))
      }
      return LinearColor(sRGB: maskColor(index))
    }
  }

  /// Colors of pixels above each headroom.
  ///
  /// Their differences are at least 19 by CIEDE2000, and at least 9 for dichromats (Machado,
  /// Oliveira and Fernandes 2009).
  static let maskColors: [UInt32] = [
    0xF2C14E, 0xF78154, 0xD9304F, 0xB5179E, 0x6A4CE8, 0x3B9DF5, 0x2FD6B5, 0xC8F5A0,
  ]

  /// The color of pixels above a headroom; the last color is repeated.
  static func maskColor(_ index: Int) -> UInt32 { maskColors[min(index, maskColors.count - 1)] }

  /// Shares of the pixels at each luminance, the largest being 1.
  static func histogram(_ image: Canvas, bins: Int) -> [Double] {
    var counts = [Double](repeating: 0, count: bins)
    for light in image.pixels {
      let bin = Int(clamping: StopScale.position(of: light.luminance) * Double(bins - 1))
      counts[bin] += 1
    }
    // The bin of values below the scale would exceed all others.
    let largest = counts.dropFirst().max() ?? 0
    return counts.map { largest > 0 ? min($0 / largest, 1) : 0 }
  }

  /// Waveform: density of luminance in stops for each column of the image; at least 2 pixels high.
  static func waveform(_ image: Canvas, size: (width: Int, height: Int)) -> Canvas {
    var density = [Float](repeating: 0, count: size.width * size.height)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let column = x * size.width / image.width
        let position = StopScale.position(of: image[x, y].luminance)
        let row = Int(clamping: (1 - position) * Double(size.height - 1))
        density[row * size.width + column] += 1
      }
    }
    let typical = Float(image.width * image.height) / Float(size.width * 24)
    var canvas = Canvas(width: size.width, height: size.height, background: Palette.panel)
    for row in 0..<size.height {
      let position = 1 - Double(row) / Double(size.height - 1)
      let stops = Double(StopScale.lowest) + position * Double(StopScale.highest - StopScale.lowest)
      let color =
        stops < 0 ? LinearColor(sRGB: 0xB9D3C8) : StopScale.color(of: Int(clamping: stops))
      for column in 0..<size.width {
        let count = density[row * size.width + column]
        guard count > 0 else { continue }
        canvas.mix(color, into: column, row, share: 0.15 + 0.85 * min(sqrt(count / typical), 1))
      }
    }
    return canvas
  }
}

/// Colors of sheets and pages.
enum Palette {
  static let background = LinearColor(sRGB: 0x0B0C0F)
  static let panel = LinearColor(sRGB: 0x15171C)
  static let text = LinearColor(sRGB: 0xE8E9ED)
  static let quiet = LinearColor(sRGB: 0x9094A0)
  static let faint = LinearColor(sRGB: 0x2A2D36)
}

/// Luminance in stops relative to reference white, with a false color for each stop.
///
/// Muted colors up to reference white, which every display shows; saturated colors above.
enum StopScale {
  static let lowest = -8
  static let highest = 6

  /// Position of a luminance between the lowest stop, 0, and the highest, 1.
  static func position(of luminance: Float) -> Double {
    guard luminance > 0 else { return 0 }
    let stops = Double(log2(luminance))
    return min(max((stops - Double(lowest)) / Double(highest - lowest), 0), 1)
  }

  /// The color from `stop` to the next.
  static func color(of stop: Int) -> LinearColor { LinearColor(sRGB: code(of: stop)) }

  /// The color as sRGB hexadecimal code.
  static func code(of stop: Int) -> UInt32 {
    switch stop {
    case ..<(-7): 0x10131C
    case -7: 0x1B2236
    case -6: 0x253253
    case -5: 0x2F4570
    case -4: 0x3C5D86
    case -3: 0x51788F
    case -2: 0x72928F
    case -1: 0x9FAF9A
    case 0: 0xF2DC5D
    case 1: 0xF7A531
    case 2: 0xEE6A2C
    case 3: 0xD9304F
    case 4: 0xB5179E
    default: 0xE9C6FF
    }
  }

  static func stop(of luminance: Float) -> Int {
    guard luminance > 0 else { return lowest - 1 }
    let stops = log2(luminance).rounded(.down)
    return Int(clamping: min(max(stops, Float(lowest - 1)), Float(highest)))
  }
}

extension LinearColor {
  /// Y of BT.2020, at least 0.
  var luminance: Float { Swift.max((self * luminanceWeights).sum(), 0) }
}

private let luminanceWeights = LinearColor(ColorPrimaries.bt2020.luminanceWeights)
