import Foundation
import HDRCore
import Testing

@testable import GainMap

/// A table of numbers that an independent program made, from the folder `Vectors`.
struct VectorTable {
  struct Row {
    /// What failure messages call this row.
    let name: String
    fileprivate let cells: [String: String]

    /// The number in `column`; NaN, which equals nothing, if there is none.
    subscript(column: String) -> Double { cells[column].flatMap(Double.init) ?? .nan }
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

/// Bytes from hexadecimal digits, blanks between them ignored.
func hex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count - 1, by: 2).map {
    UInt8(values[$0] << 4 | values[$0 + 1])
  }
}

/// Metadata from doubles, for tests that care about values and not about their spelling.
func metadata(
  minimum: Double = 0, maximum: Double = 2, gamma: Double = 1, baseOffset: Double = 1 / 64.0,
  alternateOffset: Double = 1 / 64.0, baseHeadroom: Double = 0, alternateHeadroom: Double = 2,
  usesBaseColorSpace: Bool = true
) throws -> GainMapMetadata {
  let channel = GainMapMetadata.Channel(
    minimum: try #require(SignedRational(approximating: minimum)),
    maximum: try #require(SignedRational(approximating: maximum)),
    gamma: try #require(UnsignedRational(approximating: gamma)),
    baseOffset: try #require(SignedRational(approximating: baseOffset)),
    alternateOffset: try #require(SignedRational(approximating: alternateOffset)))
  return try GainMapMetadata(
    channels: .one(channel), baseHeadroom: try #require(.init(approximating: baseHeadroom)),
    alternateHeadroom: try #require(.init(approximating: alternateHeadroom)),
    usesBaseColorSpace: usesBaseColorSpace)
}
