// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Camera colors with clipped or reconstructed highlights.
struct HighlightRows: CameraRows {
  let base: any CameraRows
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Colors from which highlights are reconstructed; `nil` to clip them.
  let colors: HighlightColors?

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    base.make(rows: rows, columns: columns) { y, row in
      if let colors {
        reconstruct(&row, from: colors.row(y, columns: columns))
      } else {
        clip(&row)
      }
      body(y, &row)
    }
  }

  private func clip(_ row: inout LinearRow) {
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe _ = pk_limit(red, green, blue, count, 1)
    }
  }

  private func reconstruct(_ row: inout LinearRow, from colors: LinearRow) {
    precondition(colors.width == row.width)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all six rows have `count` samples.
      unsafe pk_raw_reconstruct(
        red, green, blue, count, gains.x, gains.y, gains.z, colors.red, colors.green, colors.blue)
    }
  }
}
