import Foundation
import HDRCore
import Testing

/// A table of numbers that an independent program made, from the folder `Vectors`.
struct VectorTable {
  struct Row {
    /// What failure messages call this row.
    let name: String
    fileprivate let cells: [String: String]

    /// The number in `column`; NaN, which equals nothing, if there is none.
    subscript(column: String) -> Double { cells[column].flatMap(Double.init) ?? .nan }

    func text(_ column: String) -> String { cells[column] ?? "" }

    /// The numbers of three columns.
    func color(_ x: String, _ y: String, _ z: String) -> SIMD3<Double> {
      SIMD3(self[x], self[y], self[z])
    }

    /// The columns m00...m22.
    var matrix: Matrix3x3 {
      Matrix3x3(color("m00", "m01", "m02"), color("m10", "m11", "m12"), color("m20", "m21", "m22"))
    }
  }

  let rows: [Row]

  /// Reads `Vectors/<name>.csv`: a header line, no quoting.
  init(_ name: String) throws {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Vectors"))
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    let header = try #require(lines.first).split(separator: ",").map(String.init)
    rows = lines.dropFirst().enumerated().map { index, line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Row(
        name: "\(name).csv:\(index + 2)",
        cells: Dictionary(zip(header, cells), uniquingKeysWith: { first, _ in first }))
    }
    try #require(!rows.isEmpty)
  }
}

/// Whether `value` equals `expected` within a relative or an absolute tolerance.
func isClose(
  _ value: Double, _ expected: Double, relative: Double = 1e-12, absolute: Double = 0
) -> Bool {
  abs(value - expected) <= max(relative * abs(expected), absolute)
}

/// Whether all components are close; relative to the largest of them.
func isClose(
  _ value: SIMD3<Double>, _ expected: SIMD3<Double>, relative: Double = 1e-12, absolute: Double = 0
) -> Bool {
  let size = expected.indices.reduce(0) { max($0, abs(expected[$1])) }
  return expected.indices.allSatisfy {
    isClose(value[$0], expected[$0], relative: 0, absolute: max(relative * size, absolute))
  }
}

/// Whether all elements are equal within an absolute tolerance.
func isClose(_ value: Matrix3x3, _ expected: Matrix3x3, absolute: Double = 1e-12) -> Bool {
  zip(value.elements, expected.elements).allSatisfy {
    isClose($0, $1, relative: 0, absolute: absolute)
  }
}
