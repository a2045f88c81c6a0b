// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A source of white-balanced camera colors, in which white is (1, 1, 1).
protocol CameraRows: Sendable {
  /// Computes a tile of the image.
  ///
  /// - Parameters:
  ///   - rows: Rows of the active area.
  ///   - columns: Columns of the active area.
  ///   - body: Receives each row in order, which it may change.
  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void)
}

/// Images with all components in each pixel; gray images yield equal components.
struct LinearRows: CameraRows {
  let reference: LinearReference
  let gains: SIMD3<Float>

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    var row = LinearRow(width: columns.count, hasAlpha: false)
    let last = reference.planes - 1
    for y in rows {
      reference.read(row: y, columns: columns, plane: 0, into: &row.red, at: 0)
      reference.read(row: y, columns: columns, plane: min(1, last), into: &row.green, at: 0)
      reference.read(row: y, columns: columns, plane: last, into: &row.blue, at: 0)
      row.multiply(
        by: [gains.x, 0, 0, 0, gains.y, 0, 0, 0, gains.z])
      body(y, &row)
    }
  }
}
