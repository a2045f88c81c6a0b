/// The light of a part of a picture at another size: each row along its columns first, then columns
/// along rows.
///
/// Light is multiplied by coverage on the way, so that what no coverage shows does not bleed.
///
/// Definition: `FilterTaps.filtered(_:)` along each side.
struct RowResampler: Sendable {
  let part: PixelRectangle
  let width: Int
  /// `nil` where a side keeps its length.
  private let columns: FilterTaps?
  private let lines: FilterTaps?
  private let multipliesByCoverage: Bool

  /// Prepares for a picture.
  ///
  /// - Parameters:
  ///   - resampling: What to make.
  ///   - isStraight: Whether there is coverage that the light is not multiplied by.
  init(_ resampling: Resampling, isStraight: Bool) {
    part = resampling.part
    width = resampling.width
    func taps(_ before: Int, _ shown: Range<Double>, _ after: Int) -> FilterTaps? {
      before == after && shown == 0..<Double(before)
        ? nil : FilterTaps(from: before, over: shown, to: after)
    }
    columns = taps(part.width, resampling.columns, width)
    lines = taps(part.height, resampling.rows, resampling.height)
    multipliesByCoverage = isStraight && (columns != nil || lines != nil)
  }

  /// The rows of the part that row `y` of the result is made of.
  func rows(for y: Int) -> Range<Int> { lines?.range(ofSum: y) ?? y..<y + 1 }

  /// Rows of the result that can be made of the first `count` rows of the part.
  func readyCount(with count: Int, from next: Int, to height: Int) -> Int {
    var ready = next
    while ready < height, rows(for: ready).upperBound <= count { ready += 1 }
    return ready
  }

  /// A row of light before and while it changes its length.
  struct Narrowing {
    private let resampler: RowResampler
    private var pixels: PixelRow

    init(_ resampler: RowResampler) {
      self.resampler = resampler
      pixels = PixelRow(width: resampler.part.width, padding: resampler.columns?.padding ?? 0)
    }

    /// Writes the pixels of a row of the whole picture.
    mutating func apply(to row: inout LightRow, into target: inout MutableSpan<Float>) {
      if resampler.multipliesByCoverage { row.multiply(byGain: row.alpha) }
      let start = resampler.part.x
      pixels.assign(row, columns: start..<start + resampler.part.width)
      if let columns = resampler.columns {
        pixels.filter(columns, into: &target)
      } else {
        pixels.write(to: &target)
      }
    }
  }

  /// Rows of the result, made of rows that have their length.
  struct Gathering {
    private let resampler: RowResampler
    private var pixels: PixelRow

    init(_ resampler: RowResampler) {
      self.resampler = resampler
      pixels = PixelRow(width: resampler.width)
    }

    /// Reads row `y` of the result from rows of the part, of which `rows` begins with `first`.
    mutating func read(
      _ y: Int, from rows: borrowing Plane<Float>, startingAt first: Int, into row: inout LightRow
    ) {
      if let lines = resampler.lines {
        pixels.assign(sum: y, of: lines, rows, startingAt: first)
      } else {
        pixels.assign(rows, row: y - first)
      }
      pixels.copy(into: &row)
      if resampler.multipliesByCoverage {
        row.red.unpremultiply(by: row.alpha)
        row.green.unpremultiply(by: row.alpha)
        row.blue.unpremultiply(by: row.alpha)
      }
    }
  }
}
