// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

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
    return ImagePlanes(layout: description.layout, planes: .float([plane(0), plane(1), plane(2)]))
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

extension Canvas {
  /// A smaller copy of samples.
  ///
  /// - Parameters:
  ///   - planes: Code values, of gray or of red, green and blue.
  ///   - size: At most as large as the planes.
  ///   - table: Linear value of each code value.
  init(reducing planes: [Plane<UInt16>], to size: (width: Int, height: Int), table: [Float]) {
    self.init(averaging: (planes[0].width, planes[0].height), to: size) { y, row in
      row.red.assign(planes[0], row: y, table: table)
      row.green.assign(planes[planes.count / 2], row: y, table: table)
      row.blue.assign(planes[planes.count - 1], row: y, table: table)
    }
  }

  /// A smaller copy of linear values, which premultiplied alpha does not change.
  ///
  /// - Parameters:
  ///   - planes: Gray, or red, green and blue.
  ///   - size: At most as large as the planes.
  ///   - peak: Larger values count as this, negative ones as 0.
  init(reducing planes: [Plane<Float>], to size: (width: Int, height: Int), peak: Float) {
    self.init(averaging: (planes[0].width, planes[0].height), to: size) { y, row in
      row.red.assign(planes[0], row: y)
      row.green.assign(planes[planes.count / 2], row: y)
      row.blue.assign(planes[planes.count - 1], row: y)
      for x in row.red.indices {
        row.red[x] = min(max(row.red[x], 0), peak)
        row.green[x] = min(max(row.green[x], 0), peak)
        row.blue[x] = min(max(row.blue[x], 0), peak)
      }
    }
  }

  /// Averages rows that `read` yields in order, each at most twice.
  private init(
    averaging source: (width: Int, height: Int), to size: (width: Int, height: Int),
    _ read: (_ y: Int, _ row: inout LinearRow) -> Void
  ) {
    self.init(width: size.width, height: size.height, background: LinearColor(repeating: 0))
    let columns = BoxFilter(from: source.width, to: size.width)
    let lines = BoxFilter(from: source.height, to: size.height)
    var row = LinearRow(width: source.width, hasAlpha: false)
    var averages = LinearRow(width: size.width, hasAlpha: false)
    var current = -1
    for y in 0..<size.height {
      var sums = LinearRow(width: size.width, hasAlpha: false)
      for (line, weight) in lines[y] {
        if line != current {
          read(line, &row)
          columns.average(row.red, into: &averages.red)
          columns.average(row.green, into: &averages.green)
          columns.average(row.blue, into: &averages.blue)
          current = line
        }
        sums.red.add(averages.red, weight: weight)
        sums.green.add(averages.green, weight: weight)
        sums.blue.add(averages.blue, weight: weight)
      }
      for x in 0..<size.width { self[x, y] = LinearColor(sums.red[x], sums.green[x], sums.blue[x]) }
    }
  }

  /// The largest size that fits into a frame, not larger than the original.
  static func fitting(
    _ width: Int, _ height: Int, into frame: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let scale = min(Double(frame.width) / Double(width), Double(frame.height) / Double(height), 1)
    return (
      max(Int(clamping: (Double(width) * scale).rounded()), 1),
      max(Int(clamping: (Double(height) * scale).rounded()), 1)
    )
  }

  /// A copy enlarged by the largest integer factor that fits into a frame.
  func enlarged(into frame: (width: Int, height: Int)) -> Canvas {
    let factor = min(frame.width / width, frame.height / height)
    guard factor > 1 else { return self }
    var copy = Canvas(
      width: width * factor, height: height * factor, background: LinearColor(repeating: 0))
    for y in 0..<copy.height {
      for x in 0..<copy.width { copy[x, y] = self[x / factor, y / factor] }
    }
    return copy
  }

  /// A copy with every pixel changed.
  func mapped(_ change: (LinearColor) -> LinearColor) -> Canvas {
    var copy = self
    for y in 0..<height { for x in 0..<width { copy[x, y] = change(self[x, y]) } }
    return copy
  }

  /// A copy reduced to fit into a frame.
  func reduced(into frame: (width: Int, height: Int)) -> Canvas {
    let size = Canvas.fitting(width, height, into: frame)
    guard size != (width, height) else { return self }
    return Canvas(averaging: (width, height), to: size) { y, row in
      for x in 0..<width {
        let pixel = self[x, y]
        (row.red[x], row.green[x], row.blue[x]) = (pixel.x, pixel.y, pixel.z)
      }
    }
  }
}
