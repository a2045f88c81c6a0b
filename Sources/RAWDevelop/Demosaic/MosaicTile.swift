// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// White-balanced photosites of a part of a Bayer mosaic with a margin, mirrored beyond the edges of the
/// image.
struct MosaicTile {
  let size: (rows: Int, columns: Int)
  /// Photosites around the part; even, so that the phase does not change.
  let margin: Int
  let width: Int
  let height: Int
  /// Rows of the part with its margin.
  private(set) var lines: [[Float]]
  private var replaced: [[Float]]
  /// Whether the first row has red photosites, and whether it begins with green.
  private var beginsRed = true
  private var beginsGreen = false

  init(rows: Int, columns: Int, margin: Int) {
    size = (rows, columns)
    self.margin = margin
    (width, height) = (columns + 2 * margin, rows + 2 * margin)
    let row = [Float](repeating: 0, count: width)
    lines = (0..<height).map { _ in row }
    replaced = lines
  }

  mutating func load(
    _ reference: LinearReference, rows: Range<Int>, columns: Range<Int>,
    _ bayer: ColorFilterArray.Bayer, gains: SIMD3<Float>
  ) {
    beginsRed = (rows.lowerBound + bayer.redRow) % 2 == 0
    beginsGreen = (columns.lowerBound + bayer.redColumn) % 2 != 0
    if !beginsRed { beginsGreen.toggle() }
    let area = reference.area
    let first = columns.lowerBound - margin
    let inside = max(first, 0)..<min(columns.upperBound + margin, area.width)
    for y in 0..<height {
      let source = Self.mirrored(rows.lowerBound - margin + y, area.height)
      reference.read(
        row: source, columns: inside, plane: 0, into: &lines[y], at: inside.lowerBound - first)
      for x in 0..<width where !inside.contains(first + x) {
        let place = Self.mirrored(first + x, area.width)
        if inside.contains(place) {
          lines[y][x] = lines[y][place - first]
        } else {
          reference.read(row: source, columns: place..<place + 1, plane: 0, into: &lines[y], at: x)
        }
      }
      let color = isRed(y) ? gains.x : gains.z
      let (even, odd) = greenColumn(y) == 0 ? (gains.y, color) : (color, gains.y)
      // SAFETY: the row has `width` samples.
      unsafe pk_bayer_scale(&lines[y], width, even, odd)
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

  func isRed(_ y: Int) -> Bool { (y % 2 == 0) == beginsRed }

  /// The parity of the green photosites of a row.
  func greenColumn(_ y: Int) -> Int { (y % 2 == 0) == beginsGreen ? 0 : 1 }

  /// Replaces photosites that are far brighter than all around by the brightest of the same color.
  mutating func suppressHotPixels() {
    for y in 2..<height - 2 {
      replaced[y] = lines[y]
      // SAFETY: all rows have `width` samples.
      unsafe pk_hot_pixels(
        lines[y - 2], lines[y - 1], lines[y], lines[y + 1], lines[y + 2], &replaced[y], width)
    }
    for y in 2..<height - 2 { swap(&lines[y], &replaced[y]) }
  }
}
