// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// A drawing in linear BT.2020, 1.0 for reference white.
///
/// Antialiasing blends linear values, so that edges are smooth at any headroom.
struct Canvas {
  let width: Int
  let height: Int
  private(set) var pixels: [LinearColor]

  init(width: Int, height: Int, background: LinearColor) {
    self.width = width
    self.height = height
    pixels = [LinearColor](repeating: background, count: width * height)
  }

  subscript(x: Int, y: Int) -> LinearColor {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// Blends a color into a pixel; pixels outside of the canvas are ignored.
  mutating func mix(_ color: LinearColor, into x: Int, _ y: Int, share: Float) {
    guard share > 0, 0..<width ~= x, 0..<height ~= y else { return }
    let index = y * width + x
    pixels[index] += (color - pixels[index]) * min(share, 1)
  }

  /// Fills a rectangle with rounded corners.
  mutating func fill(
    _ area: Rectangle, _ color: LinearColor, radius: Double = 0, opacity: Float = 1
  ) {
    for y in max(area.y, 0)..<max(min(area.bottom, height), max(area.y, 0)) {
      for x in max(area.x, 0)..<max(min(area.right, width), max(area.x, 0)) {
        mix(color, into: x, y, share: opacity * area.coverage(x, y, radius: radius))
      }
    }
  }

  /// Draws another canvas with rounded corners.
  mutating func place(_ image: Canvas, at x: Int, _ y: Int, radius: Double = 0) {
    let area = Rectangle(x: x, y: y, width: image.width, height: image.height)
    for row in 0..<image.height {
      for column in 0..<image.width {
        mix(
          image[column, row], into: x + column, y + row,
          share: area.coverage(x + column, y + row, radius: radius))
      }
    }
  }

  /// Draws a line with round ends.
  mutating func line(
    from start: SIMD2<Double>, to end: SIMD2<Double>, thickness: Double, _ color: LinearColor,
    opacity: Float = 1
  ) {
    let reach = thickness / 2 + 1
    let low = pointwiseMin(start, end) - reach
    let high = pointwiseMax(start, end) + reach
    let direction = end - start
    let length = (direction * direction).sum()
    for y in Int(clamping: low.y.rounded(.down))...Int(clamping: high.y.rounded(.up)) {
      for x in Int(clamping: low.x.rounded(.down))...Int(clamping: high.x.rounded(.up)) {
        let offset = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - start
        let along = length > 0 ? min(max((offset * direction).sum() / length, 0), 1) : 0
        let gap = offset - direction * along
        let distance = (gap * gap).sum().squareRoot()
        mix(color, into: x, y, share: opacity * Float(min(thickness / 2 - distance + 0.5, 1)))
      }
    }
  }

  /// Linear BT.2020.
  private var description: ImageDescription {
    ImageDescription(
      layout: ImageLayout(width: width, height: height, components: .rgb, samples: .float),
      color: ColorEncoding(primaries: .bt2020, transfer: .linear))
  }

  private var planes: ImagePlanes {
    func plane(_ component: Int) -> Plane<Float> {
      Plane(width: width, height: height) { output in
        for pixel in pixels { output.append(pixel[component]) }
      }
    }
    return ImagePlanes(
      layout: description.layout, planes: .float([plane(0), plane(1), plane(2)]))
  }
}

/// Linear red, green and blue in BT.2020, 1.0 for reference white.
typealias LinearColor = SIMD3<Float>

extension LinearColor {
  /// A color from a hexadecimal sRGB code, such as 0x1E90FF.
  init(sRGB code: UInt32) {
    func signal(_ shift: UInt32) -> Double { Double(code >> shift & 0xFF) / 255 }
    self.init(signal: SIMD3<Double>(signal(16), signal(8), signal(0)))
  }

  /// A color of sRGB signal, 0...1.
  init(signal: SIMD3<Double>) {
    let light = SIMD3<Double>(SRGB.eotf(signal.x), SRGB.eotf(signal.y), SRGB.eotf(signal.z))
    self.init(bt2020FromBT709 * light)
  }
}

private let bt2020FromBT709 = ColorPrimaries.bt709.conversion(to: .bt2020)

/// Pixels of a canvas.
struct Rectangle: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }

  /// Coverage of a pixel, with rounded corners.
  func coverage(_ px: Int, _ py: Int, radius: Double) -> Float {
    guard radius > 0 else { return 1 }
    let (u, v) = (Double(px) + 0.5, Double(py) + 0.5)
    let dx = max(Double(x) + radius - u, u - Double(right) + radius, 0)
    let dy = max(Double(y) + radius - v, v - Double(bottom) + radius, 0)
    guard dx > 0, dy > 0 else { return 1 }
    return Float(min(max(radius - (dx * dx + dy * dy).squareRoot() + 0.5, 0), 1))
  }
}

extension Canvas {
  /// The drawing in another layout and color, and its light levels.
  func output(as target: ImageDescription) throws(ImageError) -> ImageTransform.Output {
    try ImageTransform(from: description, to: target).run(planes)
  }
}
