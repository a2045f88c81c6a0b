// SPDX-License-Identifier: Apache-2.0
/// Floating-point values that displays cannot reproduce: NaN, infinities, negative and very large
/// values.
enum ExtremesScene {
  static let patchSize = 8

  /// Rows of patches: linear BT.2020 components, in cd/m².
  static let patches: [[Light]] = [
    [.nan, .infinity, -.infinity, -100, 1e-38 * 203, 1e-6, 20_000, 1e30].map(
      Light.init(repeating:)),
    [
      Light(.nan, 203, 203), Light(203, .infinity, 203), Light(203, 203, -.infinity),
      Light(-50, 203, 100), Light(203, -0.001, 100), Light(20_000, 203, 1),
      Light(12_000, -12_000, .nan), Light(0, 0, 0),
    ],
  ]

  static let scene = Scene(
    width: patches[0].count * patchSize, height: patches.count * patchSize
  ) { x, y in
    Scene.Sample(light: patches[y / patchSize][x / patchSize])
  }
}
