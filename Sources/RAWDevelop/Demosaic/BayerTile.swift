// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// A part of a mosaic with a margin, while it is demosaiced.
struct BayerTile {
  /// Photosites around a tile that its colors depend on; even, so that the phase does not change.
  private static let margin = 14

  let size: (rows: Int, columns: Int)
  private let width: Int
  private let height: Int
  /// Whether the first row of the tile has red photosites, and whether it begins with green.
  private var beginsRed = true
  private var beginsGreen = false

  // Rows of the tile with its margin; each is valid where its inputs are.
  private var mosaic: [[Float]]
  private var across: [[Float]]
  private var along: [[Float]]
  private var horizontal: [[Float]]
  private var vertical: [[Float]]
  private var meanAcross: [[Float]]
  private var meanAlong: [[Float]]
  private var roughAcross: [[Float]]
  private var roughAlong: [[Float]]
  private var difference: [[Float]]
  private var green: [[Float]]
  private var diagonal: [[Float]]
  private var sums: [Float]
  private var own: [Float]
  private var other: [Float]

  init(rows: Int, columns: Int) {
    size = (rows, columns)
    (width, height) = (columns + 2 * Self.margin, rows + 2 * Self.margin)
    let row = [Float](repeating: 0, count: width)
    let empty = (0..<height).map { _ in row }
    (mosaic, across, along, horizontal) = (empty, empty, empty, empty)
    (vertical, meanAcross, meanAlong, roughAcross) = (empty, empty, empty, empty)
    (roughAlong, difference, green, diagonal) = (empty, empty, empty, empty)
    (sums, own, other) = (row, row, row)
  }

  /// Loads white-balanced photosites, mirrored beyond the edges of the image.
  mutating func load(
    _ reference: LinearReference, rows: Range<Int>, columns: Range<Int>, redRow: Int,
    redColumn: Int, gains: SIMD3<Float>
  ) {
    beginsRed = (rows.lowerBound + redRow) % 2 == 0
    beginsGreen = (columns.lowerBound + redColumn) % 2 != 0
    if !beginsRed { beginsGreen.toggle() }
    let area = reference.area
    let first = columns.lowerBound - Self.margin
    let inside = max(first, 0)..<min(columns.upperBound + Self.margin, area.width)
    for y in 0..<height {
      let source = Self.mirrored(rows.lowerBound - Self.margin + y, area.height)
      reference.read(
        row: source, columns: inside, plane: 0, into: &mosaic[y], at: inside.lowerBound - first)
      for x in 0..<width where !inside.contains(first + x) {
        mosaic[y][x] = mosaic[y][Self.mirrored(first + x, area.width) - first]
      }
      let color = isRed(y) ? gains.x : gains.z
      let gain = greenColumn(y) == 0 ? (gains.y, color) : (color, gains.y)
      for x in stride(from: 0, to: width, by: 2) { mosaic[y][x] *= gain.0 }
      for x in stride(from: 1, to: width, by: 2) { mosaic[y][x] *= gain.1 }
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

  private func isRed(_ y: Int) -> Bool { (y % 2 == 0) == beginsRed }

  /// The parity of the green photosites of a row.
  private func greenColumn(_ y: Int) -> Int { (y % 2 == 0) == beginsGreen ? 0 : 1 }

  /// Replaces photosites that are far brighter than all around by the brightest of the same color.
  mutating func suppressHotPixels() {
    for y in 2..<height - 2 {
      across[y] = mosaic[y]
      unsafe pk_hot_pixels(
        mosaic[y - 2], mosaic[y - 1], mosaic[y], mosaic[y + 1], mosaic[y + 2], &across[y], width)
    }
    for y in 2..<height - 2 { swap(&mosaic[y], &across[y]) }
  }

  /// Interpolates green, and the differences of the other colors to it.
  mutating func interpolate() {
    // SAFETY, here and below: all rows have `width` samples, the count passed to the kernels.
    for y in 2..<height - 2 {
      unsafe pk_bayer_differences(
        mosaic[y - 2], mosaic[y - 1], mosaic[y], mosaic[y + 1], mosaic[y + 2], &across[y],
        &along[y], width, greenColumn(y))
      unsafe pk_sum_columns5(across[y], &meanAcross[y], width, 0.2)
    }
    for y in 3..<height - 3 {
      unsafe pk_bayer_gradients(
        across[y], along[y - 1], along[y + 1], &horizontal[y], &vertical[y], width)
    }
    for y in 5..<height - 5 {
      unsafe pk_sum_rows5(
        along[y - 2], along[y - 1], along[y], along[y + 1], along[y + 2], &meanAlong[y], width, 0.2)
      unsafe pk_sum_rows5(
        horizontal[y - 2], horizontal[y - 1], horizontal[y], horizontal[y + 1], horizontal[y + 2],
        &sums, width, 1)
      unsafe pk_sum_columns5(sums, &roughAcross[y], width, 1)
      unsafe pk_sum_rows5(
        vertical[y - 2], vertical[y - 1], vertical[y], vertical[y + 1], vertical[y + 2], &sums,
        width, 1)
      unsafe pk_sum_columns5(sums, &roughAlong[y], width, 1)
    }
    for y in 7..<height - 7 {
      unsafe pk_bayer_green(
        mosaic[y], meanAcross[y], meanAlong[y - 2], meanAlong[y + 2], roughAcross[y],
        roughAlong[y - 2], roughAlong[y + 2], &difference[y], &green[y], width, greenColumn(y))
    }
    for y in 10..<height - 10 {
      unsafe pk_bayer_diagonal(
        difference[y - 3], difference[y - 1], difference[y + 1], difference[y + 3], &diagonal[y],
        width)
    }
  }

  /// Reads the colors of a row of the tile.
  mutating func read(row index: Int, into row: inout LinearRow) {
    let y = index + Self.margin
    unsafe pk_bayer_colors(
      mosaic[y], green[y], difference[y], difference[y - 1], difference[y + 1], diagonal[y],
      diagonal[y - 1], diagonal[y + 1], roughAcross[y], roughAlong[y], &own, &other, width,
      greenColumn(y))
    let inner = Self.margin..<Self.margin + size.columns
    let isRed = isRed(y)
    for x in inner {
      row.red[x - inner.lowerBound] = isRed ? own[x] : other[x]
      row.green[x - inner.lowerBound] = green[y][x]
      row.blue[x - inner.lowerBound] = isRed ? other[x] : own[x]
    }
  }
}
