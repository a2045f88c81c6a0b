// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

extension Canvas {
  /// A smaller copy of samples.
  ///
  /// - Parameters:
  ///   - planes: Code values, of gray or of red, green and blue.
  ///   - size: At most as large as the planes.
  ///   - table: Linear value of each code value.
  init(
    reducing planes: [Plane<UInt16>], to size: (width: Int, height: Int), table: [Float]
  ) {
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
    let scale = min(
      Double(frame.width) / Double(width), Double(frame.height) / Double(height), 1)
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
