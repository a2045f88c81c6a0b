// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import HDRCore

/// A table of test vectors from an independent program, in the folder `Vectors`.
public struct VectorTable {
  public struct Row: Sendable {
    /// Name of this row in failure messages.
    public let name: String
    fileprivate let cells: [String: String]

    /// The number in `column`; NaN if the column is missing or not a number.
    public subscript(column: String) -> Double { cells[column].flatMap(Double.init) ?? .nan }

    public func text(_ column: String) -> String { cells[column] ?? "" }

    /// The numbers of three columns.
    public func color(_ x: String, _ y: String, _ z: String) -> SIMD3<Double> {
      SIMD3(self[x], self[y], self[z])
    }

    /// The columns m00...m22.
    package var matrix: Matrix3x3 {
      Matrix3x3(color("m00", "m01", "m02"), color("m10", "m11", "m12"), color("m20", "m21", "m22"))
    }
  }

  public let rows: [Row]

  /// Reads `Vectors/<name>.csv`: a header line, no quoting.
  public init(_ name: String) throws {
    let file = Bundle.module.url(
      forResource: name, withExtension: "csv", subdirectory: "Vectors")
    guard let file else { throw ImageError(ErrorCode("test", .missingInput, "no table \(name)")) }
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    guard lines.count > 1 else {
      throw ImageError(ErrorCode("test", .malformed, "the table \(name) is empty"))
    }
    let header = lines[0].split(separator: ",").map(String.init)
    rows = lines.dropFirst().enumerated().map { index, line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Row(
        name: "\(name).csv:\(index + 2)",
        cells: Dictionary(zip(header, cells), uniquingKeysWith: { first, _ in first }))
    }
  }
}
