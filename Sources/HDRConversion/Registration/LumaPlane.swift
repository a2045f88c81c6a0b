// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Luma of an image at reduced resolution, in the signal of the image, 0...1.
///
/// Registration compares structures, not levels; nonlinear signals show those of shadows too.
struct LumaPlane: Sendable {
  let width: Int
  let height: Int
  let samples: [Float]

  init(width: Int, height: Int, samples: [Float]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// Reduces an image of integer samples.
  ///
  /// - Parameters:
  ///   - image: Samples; only Y' of Y'CbCr is used.
  ///   - longestSide: Longest side of the result; smaller images keep their size.
  /// - Throws: `.cancelled`.
  init(of image: ImagePlanes, longestSide: Int) throws(ImageError) {
    guard case .integer(let planes) = image.planes, case .integer(let bits) = image.layout.samples
    else { preconditionFailure("registration of floating-point samples") }
    let scale = 1 / Float((1 << bits) - 1)
    let size = Self.size(image.layout.width, image.layout.height, longestSide: longestSide)
    let isRGB = image.layout.components == .rgb
    self = try Self.averaged(from: (image.layout.width, image.layout.height), to: size) { y, row in
      let plane = planes[0]
      let first = plane.row(y)
      guard isRGB else {
        for x in row.indices { row[x] = Float(first[x]) * scale }
        return
      }
      let (second, third) = (planes[1], planes[2])
      let green = second.row(y)
      let blue = third.row(y)
      for x in row.indices {
        row[x] = scale * (0.25 * Float(first[x]) + 0.625 * Float(green[x]) + 0.125 * Float(blue[x]))
      }
    }
  }

  /// Returns the size with this longest side and the same aspect ratio; smaller sizes are kept.
  static func size(_ width: Int, _ height: Int, longestSide: Int) -> (width: Int, height: Int) {
    let share = min(Double(longestSide) / Double(max(width, height)), 1)
    return (
      max(Int(clamping: (Double(width) * share).rounded()), 1),
      max(Int(clamping: (Double(height) * share).rounded()), 1)
    )
  }

  /// Returns the plane averaged to a size that is not larger.
  ///
  /// - Throws: `.cancelled`.
  func reduced(toWidth target: Int, height rows: Int) throws(ImageError) -> LumaPlane {
    let size = (min(max(target, 1), width), min(max(rows, 1), height))
    guard size != (width, height) else { return self }
    return try Self.averaged(from: (width, height), to: size) { y, row in
      for x in row.indices { row[x] = samples[y * width + x] }
    }
  }

  /// Returns the plane with upright rows and columns.
  func upright(from orientation: Orientation) throws(ImageError) -> LumaPlane {
    let plane = try Plane(width: width, height: height, samples: samples)
      .upright(from: orientation)
    let span = plane.span
    return LumaPlane(
      width: plane.width, height: plane.height, samples: span.indices.map { span[$0] })
  }

  /// Returns the deviations from the local mean, divided by the local standard deviation.
  ///
  /// Values of images that differ by a tone curve become similar.
  ///
  /// - Parameter radius: Samples on each side of the window.
  /// - Returns: A plane of the same size.
  func normalized(radius: Int) -> LumaPlane {
    let squares = samples.map { $0 * $0 }
    let mean = boxMean(samples, radius)
    let meanSquare = boxMean(squares, radius)
    let result = samples.indices.map { index in
      let deviation = max(meanSquare[index] - mean[index] * mean[index], 0).squareRoot()
      return (samples[index] - mean[index]) / (deviation + Self.noiseFloor)
    }
    return LumaPlane(width: width, height: height, samples: result)
  }

  /// Standard deviation of structures that cannot be told from noise.
  static let noiseFloor: Float = 0.008

  /// Means over windows that are truncated at the borders.
  private func boxMean(_ values: [Float], _ radius: Int) -> [Float] {
    var rows = [Float](repeating: 0, count: values.count)
    for y in 0..<height {
      let start = y * width
      Self.slide(count: width, radius: radius) {
        values[start + $0]
      } write: {
        rows[start + $0] = $1
      }
    }
    var result = [Float](repeating: 0, count: values.count)
    for x in 0..<width {
      Self.slide(count: height, radius: radius) {
        rows[$0 * width + x]
      } write: {
        result[$0 * width + x] = $1
      }
    }
    return result
  }

  private static func slide(
    count: Int, radius: Int, read: (Int) -> Float, write: (Int, Float) -> Void
  ) {
    var sum = 0.0
    for index in 0..<min(radius, count) { sum += Double(read(index)) }
    for index in 0..<count {
      if index + radius < count { sum += Double(read(index + radius)) }
      if index > radius { sum -= Double(read(index - radius - 1)) }
      let covered = min(index + radius, count - 1) - max(index - radius, 0) + 1
      write(index, Float(sum / Double(covered)))
    }
  }

  /// Averages areas, with fractions of samples at their borders.
  private static func averaged(
    from source: (width: Int, height: Int), to target: (width: Int, height: Int),
    _ read: @Sendable (_ y: Int, _ row: inout [Float]) -> Void
  ) throws(ImageError) -> LumaPlane {
    let columns = BoxFilter(from: source.width, to: target.width)
    let lines = BoxFilter(from: source.height, to: target.height)
    let rows = try concurrentMap(target.height) { (index) throws(ImageError) -> [Float] in
      var row = [Float](repeating: 0, count: source.width)
      var averages = [Float](repeating: 0, count: target.width)
      var sums = averages
      for (y, weight) in lines[index] {
        read(y, &row)
        columns.average(row, into: &averages)
        sums.add(averages, weight: weight)
      }
      return sums
    }
    return LumaPlane(width: target.width, height: target.height, samples: rows.flatMap(\.self))
  }
}
