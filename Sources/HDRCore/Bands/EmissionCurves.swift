// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Transfer functions of premultiplied alpha that keep luminance without coverage.
///
/// With a linear component p, alpha a and the transfer function E, the signal of a component up to a
/// times the peak is a E(p / a), as readers of premultiplied alpha expect. What exceeds it, e, adds
/// (1 - a) E(e), so that signals do not exceed 1; it is E(p) without coverage, which readers that
/// add the signal to the background show exactly on black. Signals above a are always such pixels.
struct EmissionCurves: Sendable {
  /// Curves of the components, in the direction of the conversion.
  let curves: [ComponentCurve]
  /// Largest value before the curves.
  let peak: Float
  /// Whether the curves yield signals; linear values otherwise.
  let yieldsSignal: Bool

  /// Converts premultiplied values to premultiplied values.
  ///
  /// - Parameter row: A row with alpha.
  func apply(to row: inout LinearRow) {
    var emitted = row
    let (before, after): (Float, Float) = yieldsSignal ? (0, 1) : (1, 0)
    row.red.splitEmission(into: &emitted.red, by: row.alpha, peak: peak, uncovered: before)
    row.green.splitEmission(into: &emitted.green, by: row.alpha, peak: peak, uncovered: before)
    row.blue.splitEmission(into: &emitted.blue, by: row.alpha, peak: peak, uncovered: before)
    row.apply(curves)
    emitted.apply(curves)
    row.red.joinEmission(emitted.red, by: row.alpha, uncovered: after)
    row.green.joinEmission(emitted.green, by: row.alpha, uncovered: after)
    row.blue.joinEmission(emitted.blue, by: row.alpha, uncovered: after)
  }
}

extension ColorEncoding {
  /// Whether premultiplied alpha of this encoding keeps luminance without coverage: PQ of RGB or of
  /// Y'CbCr with constant coefficients.
  var keepsEmission: Bool {
    transfer == .pq
      && (matrix == .identity || YCbCr(matrix: matrix, primaries: primaries) != nil)
  }
}

extension [Float] {
  fileprivate mutating func splitEmission(
    into emitted: inout [Float], by alpha: [Float], peak: Float, uncovered: Float
  ) {
    precondition(emitted.count == count && alpha.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_split_emission(&self, &emitted, alpha, count, peak, uncovered)
  }

  fileprivate mutating func joinEmission(
    _ emitted: [Float], by alpha: [Float], uncovered: Float
  ) {
    precondition(emitted.count == count && alpha.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_join_emission(&self, emitted, alpha, count, uncovered)
  }
}
