// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Radial gain that corrects vignetting.
///
/// Source: DNG 1.7.1, chapter 7, "FixVignetteRadial".
struct OpcodeVignette: Hashable, Sendable {
  private let coefficients: [Double]
  private let center: SIMD2<Double>

  init(parsing reader: inout ByteReader) throws(ImageError) {
    coefficients = try reader.readFiniteDoubles(5)
    center = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
    guard (0...1).contains(center.x), (0...1).contains(center.y) else {
      throw reader.error(
        .invalidValue, ["field": "center", "value": "\(center.x), \(center.y)"])
    }
  }

  /// The coefficients, then the center.
  var numbers: [Double] { coefficients + [center.x, center.y] }

  /// Bound of the absolute value of the gain, which is 1 at the center.
  var largestGain: Double { coefficients.reduce(1) { $0 + abs($1) } }

  func gain(x: Int, y: Int, size: (width: Int, height: Int)) -> Float {
    let geometry = RadialGeometry(center: center, size: size)
    let place = geometry.relative(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
    let square = (place * place).sum()
    return Float(1 + square * coefficients.reversed().reduce(0) { $0 * square + $1 })
  }
}

/// Coordinates relative to the optical center, with 1 at the farthest corner.
///
/// Source: DNG 1.7.1, chapter 7, "WarpRectilinear".
struct RadialGeometry: Hashable, Sendable {
  let center: SIMD2<Double>
  let reach: Double

  /// - Parameters:
  ///   - center: Center as shares of width and height.
  ///   - size: Size of the image.
  init(center: SIMD2<Double>, size: (width: Int, height: Int)) {
    let corner = SIMD2(Double(size.width), Double(size.height))
    self.center = center * corner
    let far = SIMD2(
      max(self.center.x, corner.x - self.center.x), max(self.center.y, corner.y - self.center.y))
    reach = (far * far).sum().squareRoot()
  }

  func relative(_ place: SIMD2<Double>) -> SIMD2<Double> { (place - center) / reach }

  func absolute(_ place: SIMD2<Double>) -> SIMD2<Double> { place * reach + center }
}
