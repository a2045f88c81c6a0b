// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import HDRCore
internal import ImageFiles

/// Converts OpenEXR luminance and subsampled chroma to RGB.
///
/// Y is luminance with the primaries of the file; RY = (R - Y) / Y and BY = (B - Y) / Y are stored
/// at even columns of even rows only. The missing samples are interpolated with the filter that
/// OpenEXR defines, first along rows, then along columns. As in OpenEXR's own reader, oversaturated
/// pixels that the filter's ringing causes at edges are then desaturated; the arithmetic is float
/// instead of half.
///
/// Source: OpenEXR, `ImfRgbaYca.h`; "Technical Introduction to OpenEXR", "Luminance/Chroma Images".
struct LuminanceChroma {
  /// Number of rows and columns on each side that the filter uses.
  static let reach = 13
  /// The filter for a missing sample: weights of the samples at odd distances on both sides.
  private static let taps: [Float] = [
    0.627123, -0.186077, 0.087929, -0.043159, 0.019597, -0.007540, 0.002128,
  ]

  private let weights: SIMD3<Float>

  /// - Parameter primaries: Primaries of the file; they determine the luminance weights.
  init(primaries: ColorPrimaries) { weights = SIMD3(primaries.luminanceWeights) }

  /// Returns red, green and blue of some rows.
  ///
  /// - Parameters:
  ///   - rows: The requested rows.
  ///   - luminance: Y of `available` rows.
  ///   - chroma: RY and BY of the even rows in `available`, each `(width + 1) / 2` wide.
  ///   - available: The rows that were read: `rows` extended by `reach` + 1 on both sides, within
  ///     the image. The first of them is even.
  ///   - width: Number of pixels of a row.
  /// - Returns: Three planes.
  func rgb(
    rows: ClosedRange<Int>, luminance: [[Float]], chroma: [[[Float]]],
    available: ClosedRange<Int>, width: Int
  ) -> [Plane<Float>] {
    let full = chroma.map { component in component.map { Self.interpolated($0, width: width) } }
    func pixels(_ y: Int) -> [SIMD3<Float>] {
      let row = min(max(y, available.lowerBound), available.upperBound)
      let offset = row - available.lowerBound
      let redChroma = Self.chromaRow(offset, of: full[0])
      let blueChroma = Self.chromaRow(offset, of: full[1])
      return rgb(luminance: luminance[offset], redChroma, blueChroma)
    }
    var planes = (0..<3).map { _ in
      Plane<Float>(width: width, height: rows.count, filledWith: 0)
    }
    var (above, here) = (pixels(rows.lowerBound - 1), pixels(rows.lowerBound))
    for y in rows {
      let below = pixels(y + 1)
      let fixed = desaturated(here, above: above, below: below)
      for component in 0..<3 {
        var row = planes[component].mutableRow(y - rows.lowerBound)
        for x in 0..<width { row[x] = fixed[x][component] }
      }
      (above, here) = (here, below)
    }
    return planes
  }

  /// Returns red, green and blue for full-size planes of Y, RY and BY.
  func rgb(_ planes: [Plane<Float>]) -> [Plane<Float>] {
    let (width, height) = (planes[0].width, planes[0].height)
    var result = planes.prefix(3).map { _ in
      Plane<Float>(width: width, height: height, filledWith: 0)
    }
    for y in 0..<height {
      let rows = planes.prefix(3).map { Array(copying: $0.row(y)) }
      let pixels = rgb(luminance: rows[0], rows[1], rows[2])
      for component in 0..<3 {
        var row = result[component].mutableRow(y)
        for x in 0..<width { row[x] = pixels[x][component] }
      }
    }
    return result
  }

  /// Interpolates a row of chroma to all columns from the even columns.
  private static func interpolated(_ samples: [Float], width: Int) -> [Float] {
    (0..<width).map { x in
      guard x % 2 == 1 else { return samples[x / 2] }
      return filtered(around: x, last: samples.count - 1) { samples[$0] }
    }
  }

  /// Interpolates the chroma of row `offset` from rows with even offsets.
  private static func chromaRow(_ offset: Int, of evenRows: [[Float]]) -> [Float] {
    guard offset % 2 == 1 else { return evenRows[offset / 2] }
    var result = [Float](repeating: 0, count: evenRows[0].count)
    for (index, tap) in taps.enumerated() {
      let before = evenRows[max(offset / 2 - index, 0)]
      let after = evenRows[min(offset / 2 + 1 + index, evenRows.count - 1)]
      for x in result.indices { result[x] += tap * (before[x] + after[x]) }
    }
    return result
  }

  /// Applies the filter at the odd `position` to samples of even positions.
  ///
  /// Beyond both ends the first and the last sample are repeated.
  private static func filtered(around position: Int, last: Int, _ sample: (Int) -> Float) -> Float {
    var sum: Float = 0
    for (index, tap) in taps.enumerated() {
      sum +=
        tap
        * (sample(max(position / 2 - index, 0)) + sample(min(position / 2 + 1 + index, last)))
    }
    return sum
  }

  private func rgb(
    luminance: [Float], _ redChroma: [Float], _ blueChroma: [Float]
  ) -> [SIMD3<Float>] {
    luminance.indices.map { x in
      let y = luminance[x]
      // Gray is preserved exactly.
      if redChroma[x] == 0, blueChroma[x] == 0 { return SIMD3(repeating: y) }
      let (red, blue) = ((redChroma[x] + 1) * y, (blueChroma[x] + 1) * y)
      return SIMD3(red, (y - red * weights.x - blue * weights.z) / weights.y, blue)
    }
  }

  /// Desaturates pixels that are far more saturated than their neighbors; luminance is preserved.
  private func desaturated(
    _ row: [SIMD3<Float>], above: [SIMD3<Float>], below: [SIMD3<Float>]
  ) -> [SIMD3<Float>] {
    let last = row.count - 1
    return row.indices.map { x in
      let (left, right) = (max(x - 1, 0), min(x + 1, last))
      let around =
        Self.saturation(above[left]) + Self.saturation(above[right])
        + Self.saturation(below[left]) + Self.saturation(below[right])
      let mean = min(1, around / 4)
      let own = Self.saturation(row[x])
      let allowed = min(1, 1 - (1 - mean) * 0.25)
      guard own > mean, own > allowed else { return row[x] }
      let peak = row[x].max()
      let softer = (peak - (peak - row[x]) * (allowed / own)).replacing(
        with: 0, where: peak - (peak - row[x]) * (allowed / own) .< 0)
      let (before, after) = ((row[x] * weights).sum(), (softer * weights).sum())
      return after > 0 ? softer * (before / after) : softer
    }
  }

  private static func saturation(_ pixel: SIMD3<Float>) -> Float {
    let peak = pixel.max()
    return peak > 0 ? 1 - pixel.min() / peak : 0
  }
}

extension Array where Element: BitwiseCopyable {
  fileprivate init(copying span: borrowing Span<Element>) {
    self = []
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }
}
#endif
