// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// A rectangle of an image in stored rows and columns, and its new size in pixels.
public struct Resampling: Hashable, Sendable {
  /// Rectangle of the stored image; pixels outside do not influence the result.
  public let part: PixelRectangle
  /// Width of the result.
  public let width: Int
  /// Height of the result.
  public let height: Int
  /// Columns and rows of the part that the result covers; fractions of pixels are possible.
  package let columns: Range<Double>
  package let rows: Range<Double>

  /// Prepares a resampling that covers the whole part.
  ///
  /// Nothing is checked here: transforms throw for a part that is not inside their image, and for
  /// sizes below 1.
  ///
  /// - Parameters:
  ///   - part: Rectangle of the stored image.
  ///   - width: Width of the result.
  ///   - height: Height of the result.
  public init(part: PixelRectangle, width: Int, height: Int) {
    (self.part, self.width, self.height) = (part, width, height)
    columns = 0..<Double(max(part.width, 0))
    rows = 0..<Double(max(part.height, 0))
  }

  /// The same part in another size.
  package func resized(width: Int, height: Int) -> Resampling {
    Resampling(part: part, width: width, height: height, columns: columns, rows: rows)
  }

  /// The corresponding resampling of a companion image of another size, such as a gain map.
  ///
  /// The samples of the companion stay at their positions on the image for any bounds of the part.
  ///
  /// - Parameters:
  ///   - image: Stored size of the image of this resampling.
  ///   - companion: Stored size of the companion.
  /// - Returns: A resampling that keeps the ratio of the two resolutions, rounded to whole samples.
  package func following(
    image: (width: Int, height: Int), companion: (width: Int, height: Int)
  ) -> Resampling {
    let across = Double(companion.width) / Double(image.width)
    let down = Double(companion.height) / Double(image.height)
    func span(_ start: Int, _ count: Int, _ ratio: Double, _ end: Int) -> Range<Double> {
      Double(start) * ratio..<min(Double(start + count) * ratio, Double(end))
    }
    return Resampling(
      part: PixelRectangle(x: 0, y: 0, width: companion.width, height: companion.height),
      width: max(Int(clamping: (Double(width) * across).rounded()), 1),
      height: max(Int(clamping: (Double(height) * down).rounded()), 1),
      columns: span(part.x, part.width, across, companion.width),
      rows: span(part.y, part.height, down, companion.height))
  }

  /// The rest of this resampling of an image that was reduced by a factor, sides rounded up.
  ///
  /// - Parameters:
  ///   - factor: The factor.
  ///   - width: Stored width of the image before.
  ///   - height: Stored height of the image before.
  ///   - leastRest: The least factor of the rest.
  /// - Returns: The rest; `nil` if its factor would be less, or the edges of the part are not those of the
  ///   image or of reduced pixels.
  func reduced(by factor: Int, width: Int, height: Int, leaving leastRest: Double) -> Resampling? {
    guard part.lies(inWidth: width, height: height),
      leastRest * Double(factor * self.width) <= Double(part.width),
      leastRest * Double(factor * self.height) <= Double(part.height),
      part.x % factor == 0, part.y % factor == 0,
      part.x + part.width == width || part.width % factor == 0,
      part.y + part.height == height || part.height % factor == 0
    else { return nil }
    func scaled(_ span: Range<Double>) -> Range<Double> {
      span.lowerBound / Double(factor)..<span.upperBound / Double(factor)
    }
    return Resampling(
      part: PixelRectangle(
        x: part.x / factor, y: part.y / factor, width: (part.width - 1) / factor + 1,
        height: (part.height - 1) / factor + 1),
      width: self.width, height: self.height, columns: scaled(columns), rows: scaled(rows))
  }

  /// Prepares a resampling whose result covers some columns and rows of the part.
  package init(
    part: PixelRectangle, width: Int, height: Int, columns: Range<Double>, rows: Range<Double>
  ) {
    (self.part, self.width, self.height) = (part, width, height)
    (self.columns, self.rows) = (columns, rows)
  }

  /// Whether this resampling leaves an image of this stored size unchanged.
  public func isIdentity(forWidth width: Int, height: Int) -> Bool {
    self
      == Resampling(
        part: PixelRectangle(x: 0, y: 0, width: width, height: height), width: width, height: height
      )
  }
}

/// Resampling of a part of an image to another size, first horizontally, then vertically.
///
/// All resampling uses this type. Conversions read strips of rows (`Narrowing`, `Gathering`); raw
/// development reads any rectangle of the result (`Tile`). Both yield identical bits.
///
/// Linear values are premultiplied by alpha during filtering, so that transparent pixels do not
/// bleed.
///
/// Definition: `FilterTaps.filtered(_:)` along each side.
package struct Resampler: Sendable {
  let part: PixelRectangle
  let width: Int
  /// Taps along a side; `nil` if it keeps its length.
  private let columns: FilterTaps?
  private let lines: FilterTaps?
  private let multipliesByCoverage: Bool

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - resampling: Part and size.
  ///   - isStraight: Whether the image has straight alpha.
  package init(_ resampling: Resampling, isStraight: Bool = false) {
    func taps(_ before: Int, _ shown: Range<Double>, _ after: Int) -> FilterTaps? {
      before == after && shown == 0..<Double(before)
        ? nil : FilterTaps(from: before, over: shown, to: after)
    }
    self.init(
      part: resampling.part, width: resampling.width,
      columns: taps(resampling.part.width, resampling.columns, resampling.width),
      lines: taps(resampling.part.height, resampling.rows, resampling.height),
      isStraight: isStraight)
  }

  private init(
    part: PixelRectangle, width: Int, columns: FilterTaps?, lines: FilterTaps?, isStraight: Bool
  ) {
    (self.part, self.width, self.columns, self.lines) = (part, width, columns, lines)
    multipliesByCoverage = isStraight && (columns != nil || lines != nil)
  }

  /// The resampler of a rectangle of the result.
  ///
  /// - Parameters:
  ///   - rows: Rows of the result.
  ///   - columns: Columns of the result.
  /// - Returns: The rows and columns of the part that the rectangle depends on, and a resampler
  ///   whose part is only these.
  func restricted(
    to rows: Range<Int>, columns: Range<Int>
  ) -> (rows: Range<Int>, columns: Range<Int>, resampler: Resampler) {
    let across = self.columns?.part(columns)
    let down = lines?.part(rows)
    let sources = (across?.samples ?? columns, down?.samples ?? rows)
    let resampler = Resampler(
      part: PixelRectangle(x: 0, y: 0, width: sources.0.count, height: sources.1.count),
      width: columns.count, columns: across?.taps, lines: down?.taps,
      isStraight: multipliesByCoverage)
    return (sources.1, sources.0, resampler)
  }

  /// The rows of the part that row `y` of the result depends on.
  func rows(for y: Int) -> Range<Int> { lines?.range(ofSum: y) ?? y..<y + 1 }

  /// Number of rows of the result that the first `count` rows of the part suffice for.
  func readyCount(with count: Int, from next: Int, to height: Int) -> Int {
    var ready = next
    while ready < height, rows(for: ready).upperBound <= count { ready += 1 }
    return ready
  }

  /// Rows of linear values during horizontal resampling.
  struct Narrowing {
    private let resampler: Resampler
    private var group: PixelGroup
    /// Number of rows in the group.
    private var count = 0

    init(_ resampler: Resampler) {
      self.resampler = resampler
      group = PixelGroup(width: resampler.part.width, resampler.columns)
    }

    /// Appends a row of the whole image, the last one if `isLast` is true.
    ///
    /// - Returns: The number of rows that are resampled, up to this one; 0 if others are to follow.
    mutating func append(_ row: inout LinearRow, isLast: Bool) -> Int {
      if resampler.multipliesByCoverage { row.multiply(byGain: row.alpha) }
      let start = resampler.part.x
      group.assign(row, columns: start..<start + resampler.part.width, to: count)
      count += 1
      guard count == PixelGroup.height || isLast else { return 0 }
      group.filter()
      defer { count = 0 }
      return count
    }

    /// Writes one of the rows that are resampled.
    func write(_ index: Int, to row: inout MutableSpan<Float>) { group.write(index, to: &row) }
  }

  /// Vertical resampling of rows that have the width of the result.
  struct Gathering {
    private let resampler: Resampler
    private var pixels: PixelRow

    init(_ resampler: Resampler) {
      self.resampler = resampler
      pixels = PixelRow(width: resampler.width)
    }

    /// Reads row `y` of the result from rows of the part, the first of which is `first`.
    mutating func read(
      _ y: Int, from rows: borrowing Plane<Float>, startingAt first: Int, into row: inout LinearRow
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

extension Resampler {
  /// A rectangle of the result, computed from the rectangle of the source that it depends on.
  package struct Tile {
    /// Rows of the part that the tile depends on.
    package let sourceRows: Range<Int>
    /// Columns of the part that the tile depends on.
    package let sourceColumns: Range<Int>
    private let start: Int
    private var narrowing: Narrowing
    private var gathering: Gathering
    /// Rows of the source, at the width of the result.
    private var narrowed: Plane<Float>
    private var count = 0

    fileprivate init(_ resampler: Resampler, rows: Range<Int>, columns: Range<Int>) {
      start = rows.lowerBound
      let restricted = resampler.restricted(to: rows, columns: columns)
      (sourceRows, sourceColumns) = (restricted.rows, restricted.columns)
      narrowing = Narrowing(restricted.resampler)
      gathering = Gathering(restricted.resampler)
      narrowed = Plane(
        width: PixelRow.components * columns.count, height: sourceRows.count, filledWith: 0)
    }

    /// Appends the next of `sourceRows`, with the pixels of `sourceColumns`.
    package mutating func append(_ row: LinearRow) {
      var row = row
      count += 1
      let ready = narrowing.append(&row, isLast: count == sourceRows.count)
      for index in 0..<ready {
        Self.copy(index, of: narrowing, to: &narrowed, row: count - ready + index)
      }
    }

    private static func copy(
      _ index: Int, of narrowing: Narrowing, to plane: inout Plane<Float>, row y: Int
    ) {
      var row = plane.mutableRow(y)
      narrowing.write(index, to: &row)
    }

    /// Reads row `y` of the result, once all rows of the source are appended.
    package mutating func read(row y: Int, into row: inout LinearRow) {
      assert(count == sourceRows.count)
      gathering.read(y - start, from: narrowed, startingAt: 0, into: &row)
    }
  }

  /// Makes a tile for a rectangle of the result.
  package func tile(rows: Range<Int>, columns: Range<Int>) -> Tile {
    Tile(self, rows: rows, columns: columns)
  }
}

/// Linear interpolation of a row between the two samples around the center of each new one.
package struct LinearPositions: Sendable {
  private let left: [Int32]
  private let share: [Float]
  private let sourceCount: Int

  /// Computes the centers of `count` samples over the length of `sourceCount` samples.
  package init(from sourceCount: Int, to count: Int) {
    self.sourceCount = sourceCount
    let positions = (0..<count).map { index in
      let center = (Double(index) + 0.5) * Double(sourceCount) / Double(count) - 0.5
      return min(max(center, 0), Double(sourceCount - 1))
    }
    left = positions.map { Int32(min(Int(clamping: $0), max(sourceCount - 2, 0))) }
    share = zip(positions, left).map { Float($0 - Double($1)) }
  }

  package typealias Element = (above: Int, below: Int, share: Float)

  package var count: Int { left.count }

  /// The sample at or before the center of `index`, the next one, and the weight of the next one.
  package subscript(index: Int) -> Element {
    let above = Int(left[index])
    return (above, min(above + 1, sourceCount - 1), share[index])
  }

  /// Fills a row by interpolating another.
  package func resample(_ samples: [Float], into row: inout [Float]) {
    precondition(samples.count == sourceCount && row.count == left.count)
    guard sourceCount > 1 else {
      for index in row.indices { row[index] = samples[0] }
      return
    }
    // SAFETY: `row`, `left` and `share` have the same count; `left` stops before the last sample.
    unsafe pk_resample(samples, left, share, &row, row.count)
  }
}

extension Plane<UInt16> {
  /// Returns the plane at another size, interpolated linearly between the centers of samples.
  ///
  /// - Parameters:
  ///   - newWidth: Width of the result, at least 1.
  ///   - newHeight: Height of the result, at least 1.
  /// - Returns: The nearest code values.
  /// - Throws: `.cancelled`.
  package func interpolated(width newWidth: Int, height newHeight: Int) throws(ImageError)
    -> Plane<UInt16>
  {
    guard (newWidth, newHeight) != (width, height) else { return self }
    let columns = LinearPositions(from: width, to: newWidth)
    let lines = LinearPositions(from: height, to: newHeight)
    let codes = QuantizationScale(offset: 0, scale: 1, highest: 65535)
    let format = ImageLayout(
      width: newWidth, height: newHeight, components: .gray, samples: .integer(bits: 16))
    return try SharedPlanes<UInt16>.makePlanes(format) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<newHeight) { band in
        var row = [Float](repeating: 0, count: width)
        var above = [Float](repeating: 0, count: newWidth)
        var below = above
        for y in band {
          let line = lines[y]
          row.assign(self, row: line.above, offset: 0, scale: 1)
          columns.resample(row, into: &above)
          row.assign(self, row: line.below, offset: 0, scale: 1)
          columns.resample(row, into: &below)
          above.mix(below, weight: line.share)
          shared.withRow(y, of: 0) { above.quantize(codes, into: &$0) }
        }
      }
    }[0]
  }
}
