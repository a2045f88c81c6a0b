// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// Lens correction: source positions of the pixels of an undistorted image.
///
/// Source: DNG 1.7.1, chapter 7: WarpRectilinear, WarpFisheye and WarpRectilinear2, the last as in
/// Adobe's SDK.
struct OpcodeWarp: Hashable, Sendable {
  enum Model: Hashable, Sendable {
    case rectilinear
    case fisheye
    /// With powers of the radius up to 14, within a range of radii.
    case rectilinear2(isReciprocal: Bool)
  }

  /// Coefficients for one plane.
  private struct Coefficients: Hashable {
    var radial: [Double]
    var tangential = SIMD2<Double>(0, 0)
    var radii = 0.0...1.0
  }

  let model: Model
  private let planes: [Coefficients]
  private let center: SIMD2<Double>

  private static let maximumPlanes = 4

  init(parsing reader: inout ByteReader, model: Model) throws(ImageError) {
    let count = try reader.readInteger()
    guard (1...Self.maximumPlanes).contains(count) else {
      throw reader.error(.invalidValue, ["field": "number of planes of a warp", "value": count])
    }
    var planes: [Coefficients] = []
    for _ in 0..<count {
      switch model {
      case .rectilinear:
        let radial = try reader.readFiniteDoubles(4)
        let tangential = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
        planes.append(Coefficients(radial: radial, tangential: tangential))
      case .fisheye: planes.append(Coefficients(radial: try reader.readFiniteDoubles(4)))
      case .rectilinear2:
        let radial = try reader.readFiniteDoubles(15)
        let tangential = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
        let (least, most) = (try reader.readFiniteDouble(), try reader.readFiniteDouble())
        guard 0 <= least, least < most, most <= 1 else {
          throw reader.error(.invalidValue, ["field": "radii", "value": "\(least) to \(most)"])
        }
        planes.append(Coefficients(radial: radial, tangential: tangential, radii: least...most))
      }
    }
    center = SIMD2(try reader.readFiniteDouble(), try reader.readFiniteDouble())
    guard (0...1).contains(center.x), (0...1).contains(center.y) else {
      throw reader.error(.invalidValue, ["field": "center", "value": "\(center.x), \(center.y)"])
    }
    if case .rectilinear2 = model {
      self.model = .rectilinear2(isReciprocal: try reader.readInteger() != 0)
    } else {
      self.model = model
    }
    self.planes = planes
  }

  /// The coefficients of all planes, then the center.
  var numbers: [Double] {
    let coefficients = planes.flatMap { plane -> [Double] in
      let tangential = [plane.tangential.x, plane.tangential.y]
      let radii = [plane.radii.lowerBound, plane.radii.upperBound]
      return switch model {
      case .rectilinear: plane.radial + tangential
      case .fisheye: plane.radial
      case .rectilinear2: plane.radial + tangential + radii
      }
    }
    return coefficients + [center.x, center.y]
  }

  /// A warp for one image size.
  struct Sized: Sendable {
    fileprivate let warp: OpcodeWarp
    fileprivate let geometry: RadialGeometry

    /// Source position of a plane of a pixel, in pixels from the origin.
    func source(of place: SIMD2<Double>, plane: Int) -> SIMD2<Double> {
      let coefficients = warp.planes[min(plane, warp.planes.count - 1)]
      let relative = geometry.relative(place)
      let square = (relative * relative).sum()
      let ratio = warp.ratio(coefficients, radius: square.squareRoot(), square)
      let (x, y, t) = (relative.x, relative.y, coefficients.tangential)
      let shift = SIMD2(
        t.x * 2 * x * y + t.y * (square + 2 * x * x), t.y * 2 * x * y + t.x * (square + 2 * y * y))
      let source = geometry.absolute(relative * ratio + shift)
      return source.x.isFinite && source.y.isFinite ? source : place
    }

    /// The largest distance of the sources of two near positions, relative to their own distance.
    func largestScale(_ size: (width: Int, height: Int)) -> Double {
      let count = 64
      let spacing = SIMD2(Double(size.width), Double(size.height)) / Double(count)
      var largest = 0.0
      for plane in warp.planes.indices {
        var above: [SIMD2<Double>] = []
        for y in 0...count {
          let row = (0...count).map {
            source(of: SIMD2(Double($0), Double(y)) * spacing, plane: plane)
          }
          for x in row.indices {
            if x > 0 { largest = max(largest, distance(row[x], row[x - 1]) / spacing.x) }
            if y > 0 { largest = max(largest, distance(row[x], above[x]) / spacing.y) }
          }
          above = row
        }
      }
      return largest
    }

    private func distance(_ first: SIMD2<Double>, _ second: SIMD2<Double>) -> Double {
      ((first - second) * (first - second)).sum().squareRoot()
    }

    /// Whether all planes have the same source positions.
    var isAchromatic: Bool { warp.planes.count == 1 }
  }

  func sized(_ size: (width: Int, height: Int)) -> Sized {
    Sized(warp: self, geometry: RadialGeometry(center: center, size: size))
  }

  private func ratio(_ coefficients: Coefficients, radius: Double, _ square: Double) -> Double {
    func polynomial(_ x: Double) -> Double {
      coefficients.radial.reversed().reduce(0) { $0 * x + $1 }
    }
    switch model {
    case .rectilinear: return polynomial(square)
    case .fisheye:
      guard radius > 1e-9 else { return coefficients.radial[0] }
      let angle = atan(radius)
      return angle * polynomial(angle * angle) / radius
    case .rectilinear2(let isReciprocal):
      let bounded = min(max(radius, coefficients.radii.lowerBound), coefficients.radii.upperBound)
      let value = polynomial(bounded)
      return isReciprocal ? 1 / value : value
    }
  }
}

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
      throw reader.error(.invalidValue, ["field": "center", "value": "\(center.x), \(center.y)"])
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
