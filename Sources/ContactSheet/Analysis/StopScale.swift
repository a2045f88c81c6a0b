// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

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
