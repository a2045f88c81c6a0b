// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
