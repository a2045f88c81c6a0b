internal import HDRCore
internal import PixelKernels

/// Camera colors with clipped or reconstructed highlights.
struct HighlightRows: CameraRows {
  let base: any CameraRows
  let highlights: RawDevelopment.Highlights
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LightRow) -> Void
  ) {
    base.make(rows: rows, columns: columns) { y, row in
      apply(to: &row)
      body(y, &row)
    }
  }

  private func apply(to row: inout LightRow) {
    switch highlights {
    case .clip:
      unsafe row.withPointers { red, green, blue, count in
        // SAFETY: the rows have `count` samples.
        unsafe _ = pk_limit(red, green, blue, count, 1)
      }
    case .keep: break
    case .reconstruct:
      unsafe row.withPointers { red, green, blue, count in
        // SAFETY: the rows have `count` samples.
        unsafe pk_raw_reconstruct(red, green, blue, count, gains.x, gains.y, gains.z)
      }
    }
  }
}
