// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Demosaics a Bayer mosaic, edge-directed and linear in exposure.
///
/// Color differences vary less than colors. The difference of green and the other color is
/// estimated from the row and the column of each photosite, with weights for the four directions
/// that fall with the gradients of the differences. Red and blue follow from green and the
/// surrounding differences.
///
/// Source: I. Pekkucuksen and Y. Altunbasak, "Gradient based threshold free color filter array
/// interpolation", ICIP 2010; red and blue at green photosites are also weighted by direction.
///
/// Each step fills a row where its inputs are valid, as soon as they are.
// SAFETY: one thread uses a tile at a time, and the memory of the rings lives as long as the tile.
@safe final class BayerTile: DemosaicTile, @unchecked Sendable {
  /// Photosites around a tile that its colors depend on; even, so that the phase does not change.
  private static let margin = 14

  /// Columns with the margin.
  let width: Int
  private let memory: RowMemory
  private let loaded: RowRing
  private let lines: RowRing
  private let across: RowRing
  private let along: RowRing
  private let horizontal: RowRing
  private let vertical: RowRing
  private let meanAcross: RowRing
  private let meanAlong: RowRing
  private let roughAcross: RowRing
  private let roughAlong: RowRing
  private let difference: RowRing
  private let green: RowRing
  private let diagonal: RowRing
  private let sums: RowRing

  init(columns: Int) {
    width = columns + 2 * Self.margin
    memory = RowMemory(width: width, rows: 16 + 11 * 8 + 4 + 1)
    unsafe lines = memory.ring(16)
    unsafe (loaded, along, horizontal) = (memory.ring(8), memory.ring(8), memory.ring(8))
    unsafe (vertical, meanAcross, meanAlong) = (memory.ring(8), memory.ring(8), memory.ring(8))
    unsafe (roughAcross, roughAlong) = (memory.ring(8), memory.ring(8))
    unsafe (difference, green, across) = (memory.ring(8), memory.ring(8), memory.ring(8))
    unsafe (diagonal, sums) = (memory.ring(4), memory.ring(1))
  }

  func isFor(columns: Int) -> Bool { width == columns + 2 * Self.margin }

  func demosaic(
    _ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>,
    _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    var part = MosaicPart(
      mosaic, rows: rows.extended(by: Self.margin), columns: columns.extended(by: Self.margin))
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for last in 1..<rows.count + 2 * Self.margin - 1 {
      unsafe part.load(last, into: loaded, complete: lines)
      if last >= 9 { interpolateDifferences(last - 4, part) }
      if last >= 11 { findGradients(last - 5) }
      if last >= 15 { average(last - 7) }
      if last >= 19 { interpolateGreen(last - 9, part) }
      if last >= 25 { interpolateDiagonally(last - 12) }
      guard last >= 27 else { continue }
      let y = last - 13
      read(y, part, into: &row)
      body(rows.lowerBound + y - Self.margin, &row)
    }
  }

  // SAFETY, here and below: all rows have `width` samples, the count passed to the kernels.
  private func interpolateDifferences(_ y: Int, _ part: MosaicPart) {
    unsafe pk_bayer_differences(
      lines[y - 2], lines[y - 1], lines[y], lines[y + 1], lines[y + 2], across[y], along[y], width,
      part.greenColumn(y))
    unsafe pk_sum_columns5(across[y], meanAcross[y], width, 0.2)
  }

  private func findGradients(_ y: Int) {
    unsafe pk_bayer_gradients(
      across[y], along[y - 1], along[y + 1], horizontal[y], vertical[y], width)
  }

  private func average(_ y: Int) {
    func sumRows(_ rows: RowRing, into out: UnsafeMutablePointer<Float>, scale: Float) {
      unsafe pk_sum_rows5(
        rows[y - 2], rows[y - 1], rows[y], rows[y + 1], rows[y + 2], out, width, scale)
    }
    unsafe sumRows(along, into: meanAlong[y], scale: 0.2)
    unsafe sumRows(horizontal, into: sums[0], scale: 1)
    unsafe pk_sum_columns5(sums[0], roughAcross[y], width, 1)
    unsafe sumRows(vertical, into: sums[0], scale: 1)
    unsafe pk_sum_columns5(sums[0], roughAlong[y], width, 1)
  }

  private func interpolateGreen(_ y: Int, _ part: MosaicPart) {
    unsafe pk_bayer_green(
      lines[y], meanAcross[y], meanAlong[y - 2], meanAlong[y + 2], roughAcross[y],
      roughAlong[y - 2], roughAlong[y + 2], difference[y], green[y], width, part.greenColumn(y))
  }

  private func interpolateDiagonally(_ y: Int) {
    unsafe pk_bayer_diagonal(
      difference[y - 3], difference[y - 1], difference[y + 1], difference[y + 3], diagonal[y],
      width)
  }

  /// Reads the colors of a row without its margin.
  private func read(_ y: Int, _ part: MosaicPart, into row: inout LinearRow) {
    let (isRed, greenColumn, start) = (part.isRed(y), part.greenColumn(y), Self.margin)
    unsafe row.withPointers { red, greens, blue, count in
      unsafe pk_bayer_colors(
        lines[y] + start, green[y] + start, difference[y] + start, difference[y - 1] + start,
        difference[y + 1] + start, diagonal[y] + start, diagonal[y - 1] + start,
        diagonal[y + 1] + start, roughAcross[y] + start, roughAlong[y] + start,
        isRed ? red : blue, greens, isRed ? blue : red, count, greenColumn)
    }
  }
}

/// Camera colors of a Bayer mosaic at half its size: those at the centers of squares of 2 x 2 photosites.
///
/// Green is the mean of two photosites. Red and blue are interpolated by cubic polynomials, so that the
/// colors do not shift against each other.
// SAFETY: one thread uses a tile at a time, and the memory of the rings lives as long as the tile.
@safe final class HalfSizeTile: DemosaicTile, @unchecked Sendable {
  /// Photosites around a tile that its colors and the search for hot pixels depend on.
  private static let margin = 6

  /// Photosites of a row with its margin.
  private let width: Int
  private let memory: RowMemory
  private let loaded: RowRing
  private let lines: RowRing
  private let sums: RowRing

  init(columns: Int) {
    width = 2 * columns + 2 * Self.margin
    memory = RowMemory(width: width, rows: 8 + 8 + 1)
    unsafe (loaded, lines, sums) = (memory.ring(8), memory.ring(8), memory.ring(1))
  }

  func isFor(columns: Int) -> Bool { width == 2 * columns + 2 * Self.margin }

  func demosaic(
    _ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>,
    _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    func photosites(_ squares: Range<Int>) -> Range<Int> {
      (2 * squares.lowerBound..<2 * squares.upperBound).extended(by: Self.margin)
    }
    var part = MosaicPart(mosaic, rows: photosites(rows), columns: photosites(columns))
    var row = LinearRow(width: columns.count, hasAlpha: false)
    var next = 1
    for y in rows {
      let upper = Self.margin + 2 * (y - rows.lowerBound)
      while next < upper + 5 + MosaicPart.rowsAhead {
        unsafe part.load(next, into: loaded, complete: lines)
        next += 1
      }
      let red = part.isRed(upper) ? upper : upper + 1
      interpolate(red, in: upper, part, into: &row.red)
      interpolate(2 * upper + 1 - red, in: upper, part, into: &row.blue)
      // SAFETY: the lines have two photosites for each sample, and a margin.
      unsafe pk_bayer_half_green(
        lines[upper], lines[upper + 1], Self.margin, part.greenColumn(upper), &row.green,
        columns.count)
      body(y, &row)
    }
  }

  /// Interpolates the color that is not green of the line `own`, which is one of the lines of squares
  /// that begin at `upper`.
  private func interpolate(
    _ own: Int, in upper: Int, _ part: MosaicPart, into samples: inout [Float]
  ) {
    let step = own == upper ? 2 : -2
    let column = 1 - part.greenColumn(own)
    // SAFETY: the margin has the four photosites on each side that the sums reach; `sums` has room for
    // two more than the samples on each side.
    unsafe pk_bayer_half_color(
      lines[own - step], lines[own], lines[own + step], lines[own + 2 * step],
      Self.margin + column, column == 0 ? 2 : -2, sums[0], &samples, samples.count)
  }
}

/// A Bayer mosaic.
struct BayerMosaic: Sendable {
  let reference: LinearReference
  /// Phase of the mosaic.
  let bayer: ColorFilterArray.Bayer
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Whether photosites far brighter than all around are replaced.
  let suppressesHotPixels: Bool
}

/// White-balanced photosites of a part of a Bayer mosaic, row after row, mirrored beyond the edges of
/// the image.
struct MosaicPart {
  /// Rows that are loaded before one is complete.
  static let rowsAhead = 2

  private let mosaic: BayerMosaic
  /// Rows and columns of the part; some may be beyond the edges.
  private let rows: Range<Int>
  private let columns: Range<Int>
  /// Whether the first row has red photosites, and whether it begins with green.
  private let beginsRed: Bool
  private let beginsGreen: Bool
  /// A row as it is read.
  private var stored: [Float]

  init(_ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>) {
    (self.mosaic, self.rows, self.columns) = (mosaic, rows, columns)
    let bayer = mosaic.bayer
    beginsRed = (rows.lowerBound + bayer.redRow).isMultiple(of: 2)
    beginsGreen = (columns.lowerBound + bayer.redColumn).isMultiple(of: 2) != beginsRed
    stored = [Float](repeating: 0, count: columns.count)
  }

  func isRed(_ y: Int) -> Bool { y.isMultiple(of: 2) == beginsRed }

  /// The parity of the green photosites of a row.
  func greenColumn(_ y: Int) -> Int { y.isMultiple(of: 2) == beginsGreen ? 0 : 1 }

  /// Loads a row, and completes the one `rowsAhead` before it.
  ///
  /// - Parameters:
  ///   - y: Number of the row in the part; those before it are loaded.
  ///   - loaded: Receives the row; has the four before it.
  ///   - complete: Receives the complete row, except for two columns on both sides.
  mutating func load(_ y: Int, into loaded: RowRing, complete: RowRing) {
    let area = mosaic.reference.area
    let source = Self.mirrored(rows.lowerBound + y, area.height)
    let first = columns.lowerBound
    let inside = max(first, 0)..<min(columns.upperBound, area.width)
    mosaic.reference.read(
      row: source, columns: inside, plane: 0, into: &stored, at: inside.lowerBound - first)
    for x in stored.indices where !inside.contains(first + x) {
      let place = Self.mirrored(first + x, area.width)
      if inside.contains(place) {
        stored[x] = stored[place - first]
      } else {
        mosaic.reference.read(
          row: source, columns: place..<place + 1, plane: 0, into: &stored, at: x)
      }
    }
    let gains = mosaic.gains
    let color = isRed(y) ? gains.x : gains.z
    let (even, odd) = greenColumn(y) == 0 ? (gains.y, color) : (color, gains.y)
    let done = y - Self.rowsAhead
    // SAFETY: the rows have as many samples as the part has columns.
    unsafe pk_bayer_scale(stored, loaded[y], stored.count, even, odd)
    if mosaic.suppressesHotPixels {
      unsafe pk_hot_pixels(
        loaded[done - 2], loaded[done - 1], loaded[done], loaded[done + 1], loaded[done + 2],
        complete[done], stored.count)
    } else {
      unsafe complete[done].update(from: loaded[done], count: stored.count)
    }
  }

  /// The photosite that replaces one beyond the edges: at the same distance inside, of the same
  /// color.
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let place = ((index % period) + period) % period
    return min(place, period - place)
  }
}

extension Range<Int> {
  /// With as many more on both sides.
  func extended(by margin: Int) -> Range<Int> { lowerBound - margin..<upperBound + margin }
}

/// The last rows of a sequence: row `y` takes the place of row `y - count`.
///
/// Steps of a demosaic need few rows around the one that they make, which stay in the cache of a core.
@unsafe struct RowRing {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private let mask: Int

  fileprivate init(_ start: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
    unsafe self.start = unsafe start
    unsafe self.stride = stride
    unsafe mask = count - 1
  }

  /// The samples of row `y`.
  subscript(y: Int) -> UnsafeMutablePointer<Float> { unsafe start + (y & mask) * stride }
}

/// Memory of the rings of a tile; the samples are 0 at first.
// SAFETY: the memory is freed with its only owner, a tile.
@safe final class RowMemory {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private var rest: Int

  /// - Parameters:
  ///   - width: Samples of a row.
  ///   - rows: Number of rows of all rings.
  init(width: Int, rows: Int) {
    stride = (width + 15) / 16 * 16
    rest = rows
    unsafe start = .allocate(capacity: stride * rows)
    unsafe start.initialize(repeating: 0, count: stride * rows)
  }

  deinit { unsafe start.deallocate() }

  /// Takes rows that no other ring has.
  ///
  /// - Parameter count: Number of rows, a power of two.
  /// - Returns: A ring of these rows.
  func ring(_ count: Int) -> RowRing {
    precondition(count.nonzeroBitCount == 1 && count <= rest)
    rest -= count
    return unsafe RowRing(start + rest * stride, stride: stride, count: count)
  }
}
