internal import HDRConversion
internal import HDRCore
internal import ImageFiles

extension Canvas {
  /// A smaller copy of samples: light is averaged over the pixels that become one.
  ///
  /// - Parameters:
  ///   - image: RGB or gray of integers, in full chroma; coverage dims.
  ///   - size: At most as large as the image.
  ///   - table: Light of each code.
  init(
    reducing image: ImagePlanes, to size: (width: Int, height: Int), table: [Float]
  ) {
    guard case .integer(let planes) = image.planes else {
      preconditionFailure("only integers have codes")
    }
    let coverage = 1 / Float(table.count - 1)
    self.init(reducing: planes, of: image.layout, to: size) {
      table[Int($0)]
    } coverage: {
      Float($0) * coverage
    }
  }

  /// The same of samples that are light, RGB or gray, multiplied by coverage.
  ///
  /// - Parameters:
  ///   - image: Light, 1.0 for reference white.
  ///   - size: At most as large as the image.
  ///   - peak: The brightest light; what is beyond counts as that, what is negative as none.
  init(reducing image: ImagePlanes, to size: (width: Int, height: Int), peak: Float) {
    guard case .float(let planes) = image.planes else { preconditionFailure("light has no codes") }
    precondition(!image.layout.hasAlpha || image.layout.isAlphaPremultiplied)
    var format = image.layout
    format.hasAlpha = false
    self.init(reducing: planes, of: format, to: size) {
      min(max($0, 0), peak)
    } coverage: {
      $0
    }
  }

  private init<Sample>(
    reducing planes: [Plane<Sample>], of format: ImageLayout, to size: (width: Int, height: Int),
    light: (Sample) -> Float, coverage: (Sample) -> Float
  ) {
    self.init(width: size.width, height: size.height, background: Light(repeating: 0))
    let (width, height) = (format.width, format.height)
    let redPlane = planes[0]
    let greenPlane = format.componentCount == 1 ? planes[0] : planes[1]
    let bluePlane = format.componentCount == 1 ? planes[0] : planes[2]
    let alpha = format.hasAlpha ? planes[format.componentCount] : nil
    for y in 0..<size.height {
      let top = y * height / size.height
      let bottom = max((y + 1) * height / size.height, top + 1)
      var sums = [Light](repeating: Light(repeating: 0), count: size.width)
      for row in top..<bottom {
        let red = redPlane.row(row)
        let green = greenPlane.row(row)
        let blue = bluePlane.row(row)
        for x in 0..<size.width {
          let left = x * width / size.width
          let right = max((x + 1) * width / size.width, left + 1)
          var sum = Light(repeating: 0)
          for column in left..<right {
            var color = Light(light(red[column]), light(green[column]), light(blue[column]))
            if let alpha { color *= coverage(alpha.row(row)[column]) }
            sum += color
          }
          sums[x] += sum / Float(right - left)
        }
      }
      for x in 0..<size.width { self[x, y] = sums[x] / Float(bottom - top) }
    }
  }

  /// The size of a picture that shall fit into a frame, and not grow.
  static func fitting(
    _ width: Int, _ height: Int, into frame: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let scale = min(
      Double(frame.width) / Double(width), Double(frame.height) / Double(height), 1)
    return (
      max(Int((Double(width) * scale).rounded()), 1),
      max(Int((Double(height) * scale).rounded()), 1)
    )
  }

  /// A copy with each pixel as a square, as large as fits into a frame, or the same.
  func enlarged(into frame: (width: Int, height: Int)) -> Canvas {
    let factor = min(frame.width / width, frame.height / height)
    guard factor > 1 else { return self }
    var copy = Canvas(
      width: width * factor, height: height * factor, background: Light(repeating: 0))
    for y in 0..<copy.height {
      for x in 0..<copy.width { copy[x, y] = self[x / factor, y / factor] }
    }
    return copy
  }

  /// A copy with every pixel changed.
  func mapped(_ change: (Light) -> Light) -> Canvas {
    var copy = self
    for y in 0..<height { for x in 0..<width { copy[x, y] = change(self[x, y]) } }
    return copy
  }

  /// A smaller copy, to fit into a frame.
  func reduced(into frame: (width: Int, height: Int)) -> Canvas {
    let size = Canvas.fitting(width, height, into: frame)
    guard size != (width, height) else { return self }
    var copy = Canvas(width: size.width, height: size.height, background: Light(repeating: 0))
    for y in 0..<size.height {
      let rows =
        y * height / size.height..<max((y + 1) * height / size.height, y * height / size.height + 1)
      for x in 0..<size.width {
        let left = x * width / size.width
        let columns = left..<max((x + 1) * width / size.width, left + 1)
        var sum = Light(repeating: 0)
        for row in rows { for column in columns { sum += self[column, row] } }
        copy[x, y] = sum / Float(rows.count * columns.count)
      }
    }
    return copy
  }
}
