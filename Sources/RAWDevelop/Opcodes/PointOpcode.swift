// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// An opcode that changes each sample independently.
///
/// Source: DNG 1.7.1, chapter 7: MapTable, MapPolynomial, GainMap, DeltaPerRow, DeltaPerColumn,
/// ScalePerRow, ScalePerColumn and FixVignetteRadial.
struct PointOpcode: Sendable {
  enum Effect: Sendable {
    /// Table for code values of 16 bits; the last entry is repeated.
    case table([UInt16])
    /// Coefficients, beginning with the constant.
    case polynomial([Double])
    case gainMap(OpcodeGainMap)
    case deltaPerRow([Float])
    case deltaPerColumn([Float])
    case scalePerRow([Float])
    case scalePerColumn([Float])
    case vignette(OpcodeVignette)
  }

  /// `nil` for the whole image.
  let area: OpcodeArea?
  let effect: Effect

  /// Whether results are far from the largest number for all samples, so that neither they nor sums and
  /// differences of them are infinite or undefined.
  var isBounded: Bool {
    let largest: Double =
      switch effect {
      case .table: 1
      case .polynomial(let coefficients):
        coefficients.reversed().reduce(0) { $0 * 65_535 + abs($1) }
      case .gainMap(let map): map.largestGain
      case .deltaPerRow(let values), .deltaPerColumn(let values),
        .scalePerRow(let values), .scalePerColumn(let values):
        Double(values.reduce(0) { max($0, abs($1)) })
      case .vignette(let vignette): vignette.largestGain
      }
    return largest < 1e30
  }

  /// Changes samples of a row; results are at most `peak`, and at least its negative.
  ///
  /// - Parameters:
  ///   - row: Samples from `start` on.
  ///   - start: First index in `row`.
  ///   - y: Row of the image.
  ///   - columns: Columns of the image in `row`.
  ///   - plane: Number of the sample in a pixel.
  ///   - size: Size of the image.
  ///   - peak: Largest value; 65535 for stored samples.
  func apply(
    to row: inout [Float], at start: Int, row y: Int, columns: Range<Int>, plane: Int,
    size: (width: Int, height: Int), peak: Float = 1
  ) {
    var index = 0
    let range: StrideTo<Int>
    if let area {
      guard area.planes.contains(plane), let place = area.index(ofRow: y) else { return }
      index = place
      range = area.columns(in: columns)
    } else {
      range = stride(from: columns.lowerBound, to: columns.upperBound, by: 1)
    }
    let shift = start - columns.lowerBound
    func change(_ body: (_ x: Int, _ value: Float) -> Float) {
      for x in range { row[x + shift] = max(-peak, min(body(x, row[x + shift]), peak)) }
    }
    func column(_ x: Int) -> Int { area.map { (x - $0.left) / $0.columnPitch } ?? x }
    switch effect {
    case .table(let table):
      change { _, value in
        let code = Int(clamping: (min(max(value, 0), peak) * (65_535 / peak)).rounded())
        return Float(table[min(code, table.count - 1)]) * peak / 65_535
      }
    case .polynomial(let coefficients):
      change { _, value in
        let x = Double(min(max(value, 0), peak))
        return Float(max(coefficients.reversed().reduce(0) { $0 * x + $1 }, 0))
      }
    case .gainMap(let map):
      let gains = map.row(y, plane: plane - (area?.planes.lowerBound ?? 0), size: size)
      change { x, value in value * gains.gain(atColumn: x) }
    case .deltaPerRow(let deltas): change { _, value in max(value + deltas[index], 0) }
    case .deltaPerColumn(let deltas): change { x, value in max(value + deltas[column(x)], 0) }
    case .scalePerRow(let scales): change { _, value in value * scales[index] }
    case .scalePerColumn(let scales): change { x, value in value * scales[column(x)] }
    case .vignette(let vignette):
      change { x, value in value * vignette.gain(x: x, y: y, size: size) }
    }
  }
}

/// The photosites to which an opcode applies.
///
/// Source: DNG 1.7.1, chapter 7, "Area specification".
struct OpcodeArea: Hashable, Sendable {
  let top: Int
  let left: Int
  let bottom: Int
  let right: Int
  let planes: Range<Int>
  let rowPitch: Int
  let columnPitch: Int

  init(parsing reader: inout ByteReader) throws(ImageError) {
    top = try reader.readInteger()
    left = try reader.readInteger()
    bottom = try reader.readInteger()
    right = try reader.readInteger()
    let (plane, count) = (try reader.readInteger(), try reader.readInteger())
    rowPitch = try reader.readInteger()
    columnPitch = try reader.readInteger()
    guard top <= bottom, left <= right, count > 0, rowPitch > 0, columnPitch > 0 else {
      throw reader.error(
        .invalidValue,
        [
          "field": "area",
          "value": "\(top)...\(bottom) by \(left)...\(right), every \(rowPitch) by \(columnPitch)",
        ])
    }
    planes = plane..<plane + count
  }

  var rowCount: Int { (bottom - top + rowPitch - 1) / rowPitch }
  var columnCount: Int { (right - left + columnPitch - 1) / columnPitch }

  /// Number of samples, which may be outside of the image.
  var sampleCount: Double { Double(rowCount) * Double(columnCount) * Double(planes.count) }

  /// Index of a row in the area; `nil` for other rows.
  func index(ofRow y: Int) -> Int? {
    y >= top && y < bottom && (y - top) % rowPitch == 0 ? (y - top) / rowPitch : nil
  }

  /// The columns of the area in a range.
  func columns(in range: Range<Int>) -> StrideTo<Int> {
    let first = max(range.lowerBound, left)
    let skipped = (first - left) % columnPitch
    let start = skipped == 0 ? first : first + columnPitch - skipped
    return stride(from: start, to: max(min(range.upperBound, right), start), by: columnPitch)
  }
}

/// A rectangle of photosites.
struct RawArea: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var columns: Range<Int> { x..<x + width }
  var rows: Range<Int> { y..<y + height }

  /// The rows and columns of an image with a fraction of the size that this area touches.
  func divided(by divisor: Int) -> RawArea {
    let (left, top) = (x / divisor, y / divisor)
    return RawArea(
      x: left, y: top, width: (x + width + divisor - 1) / divisor - left,
      height: (y + height + divisor - 1) / divisor - top)
  }
}

/// Gains at points of a grid, interpolated linearly.
///
/// Source: DNG 1.7.1, chapter 7, "GainMap".
struct OpcodeGainMap: Sendable {
  private let rows: Int
  private let columns: Int
  private let spacing: (vertical: Double, horizontal: Double)
  private let origin: (vertical: Double, horizontal: Double)
  private let planes: Int
  private let gains: [Float]

  /// Limit of points per side; cameras write some tens.
  private static let maximumPoints = 4096

  init(parsing reader: inout ByteReader) throws(ImageError) {
    rows = try reader.readInteger()
    columns = try reader.readInteger()
    spacing = (try reader.readFiniteDouble(), try reader.readFiniteDouble())
    origin = (try reader.readFiniteDouble(), try reader.readFiniteDouble())
    planes = try reader.readInteger()
    let (points, overflow) = rows.multipliedReportingOverflow(by: columns)
    let (count, overflows) = points.multipliedReportingOverflow(by: planes)
    guard !overflow, !overflows, count > 0, max(rows, columns) <= Self.maximumPoints,
      rows == 1 || spacing.vertical > 0,
      columns == 1 || spacing.horizontal > 0
    else {
      throw reader.error(
        .invalidValue,
        [
          "field": "gain map",
          "value": "\(rows)x\(columns) points, \(planes) planes, spaced \(spacing)",
        ])
    }
    gains = try reader.readFiniteFloats(count)
  }

  /// All numbers except the gains.
  var numbers: [Double] {
    [
      Double(rows), Double(columns), spacing.vertical, spacing.horizontal, origin.vertical,
      origin.horizontal, Double(planes),
    ]
  }

  /// Absolute value of the largest gain.
  var largestGain: Double { Double(gains.reduce(0) { max($0, abs($1)) }) }

  /// Gains of one row of an image.
  struct Row {
    fileprivate let gains: [Float]
    fileprivate let width: Int
    fileprivate let spacing: Double
    fileprivate let origin: Double

    func gain(atColumn x: Int) -> Float {
      let place = OpcodeGainMap.place(
        x, of: width, spacing: spacing, origin: origin, points: gains.count)
      let next = min(place.index + 1, gains.count - 1)
      return gains[place.index] + (gains[next] - gains[place.index]) * place.share
    }
  }

  func row(_ y: Int, plane: Int, size: (width: Int, height: Int)) -> Row {
    let place = Self.place(
      y, of: size.height, spacing: spacing.vertical, origin: origin.vertical, points: rows)
    let (upper, lower) = (place.index, min(place.index + 1, rows - 1))
    let plane = min(plane, planes - 1)
    let mixed = (0..<columns).map { column in
      let a = gains[(upper * columns + column) * planes + plane]
      let b = gains[(lower * columns + column) * planes + plane]
      return a + (b - a) * place.share
    }
    return Row(
      gains: mixed, width: size.width, spacing: spacing.horizontal, origin: origin.horizontal)
  }

  /// The point before a row or column, and the distance to it.
  private static func place(
    _ index: Int, of count: Int, spacing: Double, origin: Double, points: Int
  ) -> (index: Int, share: Float) {
    guard points > 1 else { return (0, 0) }
    let relative = (Double(index) + 0.5) / Double(count)
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    return (Int(clamping: place), Float(place - place.rounded(.down)))
  }
}
