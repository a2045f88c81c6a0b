// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Camera colors after an opcode of list 3, which applies before white balance.
struct PointCorrectedRows: CameraRows {
  let base: any CameraRows
  let opcode: PointOpcode
  /// White-balance gains of the colors.
  let gains: SIMD3<Float>
  let size: (width: Int, height: Int)

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    let inverse = SIMD3<Float>(repeating: 1) / gains
    base.make(rows: rows, columns: columns) { y, row in
      row.multiply(by: [inverse.x, 0, 0, 0, inverse.y, 0, 0, 0, inverse.z])
      opcode.apply(to: &row.red, at: 0, row: y, columns: columns, plane: 0, size: size)
      opcode.apply(to: &row.green, at: 0, row: y, columns: columns, plane: 1, size: size)
      opcode.apply(to: &row.blue, at: 0, row: y, columns: columns, plane: 2, size: size)
      row.multiply(by: [gains.x, 0, 0, 0, gains.y, 0, 0, 0, gains.z])
      body(y, &row)
    }
  }
}

/// A part of the camera colors, with rows and columns relative to its corner.
struct TrimmedRows: CameraRows {
  let base: any CameraRows
  let area: RawArea

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    base.make(
      rows: rows.lowerBound + area.y..<rows.upperBound + area.y,
      columns: columns.lowerBound + area.x..<columns.upperBound + area.x
    ) { y, row in body(y - area.y, &row) }
  }
}

/// Camera colors corrected for lens distortion.
struct WarpedRows: CameraRows {
  let base: any CameraRows
  let warp: OpcodeWarp.Sized
  let size: (width: Int, height: Int)

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    let planeCount = warp.isAchromatic ? 1 : 3
    let area = sourceArea(rows, columns, planeCount)
    var source: [LinearRow] = []
    source.reserveCapacity(area.height)
    base.make(rows: area.rows, columns: area.columns) { _, row in source.append(row) }
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      for x in columns {
        let index = x - columns.lowerBound
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        var taps = CubicTaps(warp.source(of: place, plane: 0), area)
        row.red[index] = taps.sample { source[$0].red[$1] }
        if planeCount > 1 { taps = CubicTaps(warp.source(of: place, plane: 1), area) }
        row.green[index] = taps.sample { source[$0].green[$1] }
        if planeCount > 1 { taps = CubicTaps(warp.source(of: place, plane: 2), area) }
        row.blue[index] = taps.sample { source[$0].blue[$1] }
      }
      body(y, &row)
    }
  }

  /// The source area of a tile, found from its border, since a warp does not fold.
  ///
  /// It is limited to several times the size of the tile, since warps may fold where
  /// `OpcodeWarp.Sized.largestScale` does not look; the samples at its edge are then repeated.
  private func sourceArea(_ rows: Range<Int>, _ columns: Range<Int>, _ planeCount: Int) -> RawArea {
    var (least, most) = (SIMD2<Double>(repeating: .infinity), SIMD2<Double>(repeating: -.infinity))
    func visit(_ x: Int, _ y: Int) {
      for plane in 0..<planeCount {
        let place = warp.source(of: SIMD2(Double(x) + 0.5, Double(y) + 0.5), plane: plane)
        least = pointwiseMin(least, place)
        most = pointwiseMax(most, place)
      }
    }
    for x in columns {
      visit(x, rows.lowerBound)
      visit(x, rows.upperBound - 1)
    }
    for y in rows {
      visit(columns.lowerBound, y)
      visit(columns.upperBound - 1, y)
    }
    func range(_ low: Double, _ high: Double, _ count: Int, tile: Int) -> Range<Int> {
      // Reach of the taps, and a margin for points inside the border.
      let limit = Double(count)
      let first = min(max(Int(clamping: min(max(low, 0), limit)) - 6, 0), count - 1)
      let end = max(min(Int(clamping: min(max(high, 0), limit)) + 7, count), first + 1)
      return first..<min(end, first + 8 * tile + 64)
    }
    let x = range(least.x, most.x, size.width, tile: columns.count)
    let y = range(least.y, most.y, size.height, tile: rows.count)
    return RawArea(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
  }
}

/// The sixteen samples around a position and their weights.
///
/// Source: R. Keys, "Cubic convolution interpolation for digital image processing", 1981.
struct CubicTaps {
  private var rows: SIMD4<Int>
  private var columns: SIMD4<Int>
  private var rowWeights: SIMD4<Float>
  private var columnWeights: SIMD4<Float>

  /// Taps at a position; the outermost samples of `area` are repeated beyond its edges.
  init(_ place: SIMD2<Double>, _ area: RawArea) {
    func taps(_ place: Double, _ start: Int, _ count: Int) -> (SIMD4<Int>, SIMD4<Float>) {
      let relative = min(max(place - 0.5 - Double(start), -1), Double(count))
      let first = relative.rounded(.down)
      let t = Float(relative - first)
      let (t2, t3) = (t * t, t * t * t)
      let weights = SIMD4(
        -0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3,
        0.5 * t3 - 0.5 * t2)
      let indices = SIMD4(-1, 0, 1, 2) &+ Int(clamping: first)
      return (indices.clamped(lowerBound: .zero, upperBound: .init(repeating: count - 1)), weights)
    }
    (columns, columnWeights) = taps(place.x, area.x, area.width)
    (rows, rowWeights) = taps(place.y, area.y, area.height)
  }

  func sample(_ value: (_ row: Int, _ column: Int) -> Float) -> Float {
    var sum: Float = 0
    for j in 0..<4 {
      var part: Float = 0
      for i in 0..<4 { part += columnWeights[i] * value(rows[j], columns[i]) }
      sum += rowWeights[j] * part
    }
    return sum
  }
}

/// Camera colors with clipped or reconstructed highlights.
struct HighlightRows: CameraRows {
  let base: any CameraRows
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Colors from which highlights are reconstructed; `nil` to clip them.
  let colors: HighlightColors?

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    base.make(rows: rows, columns: columns) { y, row in
      if let colors {
        reconstruct(&row, from: colors.row(y, columns: columns))
      } else {
        clip(&row)
      }
      body(y, &row)
    }
  }

  private func clip(_ row: inout LinearRow) {
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe _ = pk_limit(red, green, blue, count, 1)
    }
  }

  private func reconstruct(_ row: inout LinearRow, from colors: LinearRow) {
    precondition(colors.width == row.width)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all six rows have `count` samples.
      unsafe pk_raw_reconstruct(
        red, green, blue, count, gains.x, gains.y, gains.z, colors.red, colors.green, colors.blue)
    }
  }
}

/// Camera colors at another size, with rows and columns of the resampled image.
///
/// Linear values are averaged after highlights are corrected, so that their edges have no color
/// cast.
struct ResampledRows: CameraRows {
  let base: any CameraRows
  /// Cropped part of the base.
  let area: RawArea
  let resampler: Resampler

  /// Rows of the base that are computed at a time; limits memory.
  private static let bandHeight = 64

  /// - Parameters:
  ///   - base: Colors of the active area.
  ///   - grid: The image in the active area.
  ///   - divisor: Photosites of the active area in a row or column of the base.
  init(_ base: any CameraRows, _ grid: DevelopedGrid, divisor: Int) {
    self.base = base
    let crop = grid.crop
    area = crop.divided(by: divisor)
    func span(_ start: Int, _ count: Int, from origin: Int) -> Range<Double> {
      let start = Double(start) / Double(divisor) - Double(origin)
      return start..<start + Double(count) / Double(divisor)
    }
    resampler = Resampler(
      Resampling(
        part: PixelRectangle(x: 0, y: 0, width: area.width, height: area.height),
        width: grid.width, height: grid.height,
        columns: span(crop.x, crop.width, from: area.x),
        rows: span(crop.y, crop.height, from: area.y)))
  }

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    var tile = resampler.tile(rows: rows, columns: columns)
    let source = tile.sourceColumns
    let sourceColumns = area.x + source.lowerBound..<area.x + source.upperBound
    let (first, last) = (tile.sourceRows.lowerBound, tile.sourceRows.upperBound)
    for band in stride(from: first, to: last, by: Self.bandHeight) {
      let end = min(band + Self.bandHeight, last)
      base.make(rows: area.y + band..<area.y + end, columns: sourceColumns) { _, row in
        tile.append(row)
      }
    }
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      tile.read(row: y, into: &row)
      body(y, &row)
    }
  }
}
