internal import HDRCore

/// Where a camera's colors come from, pixel by pixel: white-balanced, so that white is (1, 1, 1).
protocol CameraRows: Sendable {
  /// Makes a tile of the picture.
  ///
  /// - Parameters:
  ///   - rows: Of the active area.
  ///   - columns: Of the active area.
  ///   - body: Gets each row in turn, to keep or to change as it likes.
  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LightRow) -> Void)
}

/// Pictures that have all components in each pixel; of gray ones, all are alike.
struct LinearRows: CameraRows {
  let reference: LinearReference
  let gains: SIMD3<Float>

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LightRow) -> Void
  ) {
    var row = LightRow(width: columns.count, hasAlpha: false)
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
