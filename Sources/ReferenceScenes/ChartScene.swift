// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A chart of patches with known luminance and color.
enum ChartScene {
  static let patchSize = 24

  /// Rows of patches: linear BT.2020 components, in cd/m².
  static let patches: [[Light]] = [
    [0, 0.0005, 0.1, 1, 26, 100, 203, 400, 600, 1000, 4000, 10_000].map(Light.init(repeating:)),
    corners.map { $0 * 203 } + corners.map { $0 * 1000 },
    corners.map { converted($0, by: displayP3ToBT2020) * 203 }
      + corners.map { converted($0, by: bt709ToBT2020) * 203 },
    familiarColors + colorsOutsideBT2020,
  ]

  static let scene = Scene(
    width: patches[0].count * patchSize, height: patches.count * patchSize
  ) { x, y in
    Scene.Sample(light: patches[y / patchSize][x / patchSize])
  }

  /// Red, green, blue, cyan, magenta, yellow.
  private static let corners = [
    Light(1, 0, 0), Light(0, 1, 0), Light(0, 0, 1), Light(0, 1, 1), Light(1, 0, 1), Light(1, 1, 0),
  ]

  /// Light and dark skin, blue sky, foliage, an orange, a lit window.
  private static let familiarColors = [
    Light(108, 74, 54), Light(30, 17.5, 11), Light(95, 150, 290),
    Light(9, 15, 4), Light(240, 96, 12), Light(1400, 760, 260),
  ]

  /// Colors outside the BT.2020 gamut, which have negative components.
  ///
  /// The corners of ACES AP0 at 203 cd/m² (red, green, blue, cyan, magenta, yellow), adapted to D65
  /// by the Bradford transform.
  private static let colorsOutsideBT2020 = corners.map { converted($0, by: acesToBT2020) * 203 }

  /// The rows of a matrix.
  private typealias Rows = (Light, Light, Light)

  private static func converted(_ light: Light, by matrix: Rows) -> Light {
    Light((matrix.0 * light).sum(), (matrix.1 * light).sum(), (matrix.2 * light).sum())
  }

  // Derived from the chromaticities of SMPTE EG 432-1, BT.709 and SMPTE ST 2065-1 according to RP
  // 177.
  private static let displayP3ToBT2020: Rows = (
    Light(0.753833034361722, 0.198597369052616, 0.047569596585662),
    Light(0.045743848965358, 0.941777219811694, 0.012478931222948),
    Light(-0.001210340354518, 0.017601717301090, 0.983608623053428)
  )
  private static let bt709ToBT2020: Rows = (
    Light(0.627403895934699, 0.329283038377884, 0.043313065687417),
    Light(0.069097289358232, 0.919540395075459, 0.011362315566309),
    Light(0.016391438875150, 0.088013307877226, 0.895595253247624)
  )
  private static let acesToBT2020: Rows = (
    Light(1.490409520541723, -0.266170919266130, -0.224238601275593),
    Light(-0.080167499872256, 1.182167121097566, -0.101999621225310),
    Light(0.003227631191622, -0.034776475745058, 1.031548844553435)
  )
}

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
