// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

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
    var canvas = Canvas(
      width: size.width, height: size.height, background: Palette.panel)
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
