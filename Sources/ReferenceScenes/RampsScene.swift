// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Luminance ramps in seven colors, from black through reference white to the peak of PQ.
enum RampsScene {
  static let width = 512
  private static let rowsPerRamp = 8
  private static let colors: [Light] = [
    Light(1, 1, 1), Light(1, 0, 0), Light(0, 1, 0), Light(0, 0, 1),
    Light(0, 1, 1), Light(1, 0, 1), Light(1, 1, 0),
  ]

  static let scene = Scene(width: width, height: colors.count * rowsPerRamp) { x, y in
    Scene.Sample(light: colors[y / rowsPerRamp] * level(x))
  }

  /// Linear value of the components in column `x`, in cd/m²: 0, then equal ratios from 0.0005 to 10
  /// 000.
  ///
  /// The column nearest to 203 has exactly 203.
  static func level(_ x: Int) -> Double {
    guard x > 0 else { return 0 }
    let step = log(10_000 / 0.0005) / Double(width - 2)
    let whiteColumn = 1 + Int((log(203 / 0.0005) / step).rounded())
    if x == whiteColumn { return 203 }
    return x == width - 1 ? 10_000 : 0.0005 * exp(step * Double(x - 1))
  }
}
