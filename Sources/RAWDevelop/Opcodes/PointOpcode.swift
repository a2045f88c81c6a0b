// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

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
