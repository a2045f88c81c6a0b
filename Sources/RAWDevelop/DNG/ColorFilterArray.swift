// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// The color filters in front of the photosites, which repeat over the active area.
///
/// Source: DNG 1.7.1, CFAPattern, CFAPlaneColor and CFALayout; TIFF/EP, 4.2.
struct ColorFilterArray: Hashable, Sendable {
  let rows: Int
  let columns: Int
  /// Codes of colors, row by row: 0 red, 1 green, 2 blue, then cyan, magenta, yellow, white.
  let colors: [Int]
  /// Code of the color of each plane after demosaicing, usually `[0, 1, 2]`.
  let planeColors: [Int]

  private static let maximumSides = 64

  init(_ directory: DNGDirectory) throws(ImageError) {
    let sides = try directory.integers(.cfaRepeatPatternDim, atMost: 2) ?? []
    guard sides.count == 2, sides.allSatisfy({ (1...Self.maximumSides).contains($0) }) else {
      throw directory.error(
        .invalidValue, .cfaRepeatPatternDim, ["field": "CFARepeatPatternDim", "value": "\(sides)"])
    }
    (rows, columns) = (sides[0], sides[1])
    colors =
      try directory.integers(.cfaPattern, atMost: Self.maximumSides * Self.maximumSides) ?? []
    guard colors.count == rows * columns else {
      throw directory.error(
        .malformed, "{filters filter} for {rows} x {columns} photosites", .cfaPattern,
        ["filters": colors.count, "rows": rows, "columns": columns])
    }
    planeColors = try directory.integers(.cfaPlaneColor, atMost: 16) ?? [0, 1, 2]
    if let layout = try directory.integer(.cfaLayout), layout != 1 {
      throw directory.error(
        .unsupported, "photosites not in a rectangular grid (layout {layout})",
        .cfaLayout, ["layout": layout])
    }
  }

  /// Text for the filters: `red, green, blue, white in 2 x 2 filters`.
  var summary: String {
    let colorNames = ["red", "green", "blue", "cyan", "magenta", "yellow", "white"]
    let names = Set(colors).sorted().map {
      colorNames.indices.contains($0) ? colorNames[$0] : "color \($0)"
    }
    return "\(names.joined(separator: ", ")) in \(rows) x \(columns) filters"
  }

  /// Whether this may be Fujifilm's X-Trans, the only pattern of this size.
  var isXTrans: Bool { rows == 6 && columns == 6 }

  /// Phase of a Bayer pattern: position of red in a square of 2 x 2 filters.
  ///
  /// Red is the color of the first plane; a file may begin with blue, also in its matrices.
  struct Bayer: Hashable, Sendable {
    /// Row of the red filters, 0 or 1.
    var redRow: Int
    /// Column of the red filters, 0 or 1.
    var redColumn: Int

    /// The phase of a part of the mosaic that begins at `origin`.
    func shifted(by origin: SIMD2<Int>) -> Bayer {
      Bayer(redRow: (redRow + origin.y) % 2, redColumn: (redColumn + origin.x) % 2)
    }
  }

  /// The phase of a Bayer pattern; `nil` for another pattern.
  var bayer: Bayer? {
    guard planeColors == [0, 1, 2] || planeColors == [2, 1, 0], rows % 2 == 0, columns % 2 == 0
    else { return nil }
    // A larger pattern may repeat a Bayer pattern.
    let square = [colors[0], colors[1], colors[columns], colors[columns + 1]]
    for place in colors.indices {
      let (row, column) = (place / columns % 2, place % columns % 2)
      guard colors[place] == square[2 * row + column] else { return nil }
    }
    guard let red = square.firstIndex(of: planeColors[0]), square[3 - red] == planeColors[2],
      square[red ^ 1] == 1, square[red ^ 2] == 1
    else { return nil }
    return Bayer(redRow: red / 2, redColumn: red % 2)
  }
}
