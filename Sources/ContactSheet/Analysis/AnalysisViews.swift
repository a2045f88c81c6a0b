internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Ways to look at the light of a picture.
enum AnalysisViews {
  /// Every stop of luminance in a color of its own.
  static func stops(_ picture: Canvas) -> Canvas {
    picture.mapped { StopScale.color(of: StopScale.stop(of: $0.luminance)) }
  }

  /// What each headroom cuts off: the picture in dim gray, and in color what needs more than
  /// each of `headrooms`, which rise.
  static func clipping(_ picture: Canvas, above headrooms: [Headroom]) -> Canvas {
    picture.mapped { light in
      let peak = Double(light.max())
      guard let index = headrooms.lastIndex(where: { peak > $0.ratio * 1.001 }) else {
        let gray = Float(SRGB.inverseEOTF(Double(min(light.luminance, 1)))) * 0.5
        return LinearColor(signal: SIMD3<Double>(repeating: Double(gray)))
      }
      return LinearColor(sRGB: maskColor(index))
    }
  }

  /// Colors of what is beyond the first headroom, the second, and so on.
  ///
  /// From any to any other it is at least 19 by CIEDE2000, and at least 9 for eyes that lack a kind of
  /// cones (Machado, Oliveira and Fernandes 2009).
  static let maskColors: [UInt32] = [
    0xF2C14E, 0xF78154, 0xD9304F, 0xB5179E, 0x6A4CE8, 0x3B9DF5, 0x2FD6B5, 0xC8F5A0,
  ]

  /// The color of what is beyond a headroom; those beyond the last color share it.
  static func maskColor(_ index: Int) -> UInt32 { maskColors[min(index, maskColors.count - 1)] }

  /// Shares of the pixels at each luminance, the largest being 1.
  static func histogram(_ picture: Canvas, bins: Int) -> [Double] {
    var counts = [Double](repeating: 0, count: bins)
    for light in picture.pixels {
      let bin = Int(StopScale.position(of: light.luminance) * Double(bins - 1))
      counts[bin] += 1
    }
    // What is below the scale would tower above everything.
    let largest = counts.dropFirst().max() ?? 0
    return counts.map { largest > 0 ? min($0 / largest, 1) : 0 }
  }

  /// Luminance upward in stops, for each column of the picture; at least 2 pixels high.
  static func waveform(_ picture: Canvas, size: (width: Int, height: Int)) -> Canvas {
    var density = [Float](repeating: 0, count: size.width * size.height)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let column = x * size.width / picture.width
        let position = StopScale.position(of: picture[x, y].luminance)
        let row = Int((1 - position) * Double(size.height - 1))
        density[row * size.width + column] += 1
      }
    }
    let typical = Float(picture.width * picture.height) / Float(size.width * 24)
    var canvas = Canvas(
      width: size.width, height: size.height, background: Palette.panel)
    for row in 0..<size.height {
      let position = 1 - Double(row) / Double(size.height - 1)
      let stops = Double(StopScale.lowest) + position * Double(StopScale.highest - StopScale.lowest)
      let color = stops < 0 ? LinearColor(sRGB: 0xB9D3C8) : StopScale.color(of: Int(stops))
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
