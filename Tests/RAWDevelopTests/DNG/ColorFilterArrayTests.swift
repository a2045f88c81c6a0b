// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Color filters") struct ColorFilterArrayTests {
  /// A camera whose colors are mixtures of XYZ, with planes in a given order.
  private static func file(order: [Int] = [0, 1, 2]) -> SyntheticDNG {
    var file = SyntheticDNG(width: 24, height: 16)
    let rows = [[0.9, 0.1, 0.05], [0.1, 0.8, 0.1], [0, 0.2, 0.7]]
    file.main.entries[50_721] = .signedRationals(order.flatMap { rows[$0] })
    file.main.entries[50_728] = .rationals(order.map { [0.5, 1, 0.7][$0] })
    file.main.entries[50_729] = nil
    var bytes: [UInt8] = []
    for y in 0..<16 {
      for x in 0..<24 {
        let corner = x % 2 * (y % 2)
        bytes += file.number(2000 + 900 * x + 300 * y + 5000 * corner, 2)
      }
    }
    file.main.chunks = [bytes]
    return file
  }

  @Test("a repeated Bayer pattern is a Bayer pattern", arguments: [(4, 4), (2, 4), (6, 6), (8, 2)])
  func repeated(rows: Int, columns: Int) throws {
    var file = Self.file()
    let expected = try file.document().light()
    file.main.entries[33_421] = .shorts([rows, columns])
    file.main.entries[33_422] = .bytes(
      (0..<rows * columns).map { [0, 1, 1, 2][$0 / columns % 2 * 2 + $0 % columns % 2] })
    #expect(try SyntheticDNG.parsed(file).rawType == .bayer)
    #expect(try file.document().light() == expected)
  }

  @Test("planes that begin with blue, also in matrices and neutral")
  func blueFirst() throws {
    let expected = try Self.file().document().light()
    var file = Self.file(order: [2, 1, 0])
    file.main.entries[50_710] = .bytes([2, 1, 0])
    for (a, b) in zip(try file.document().light().joined(), expected.joined()) {
      for (left, right) in zip(a, b) { #expect(abs(left - right) < 1e-5) }
    }
  }

  @Test("a quad Bayer pattern is not a Bayer pattern")
  func quad() throws {
    var file = Self.file()
    file.main.entries[33_421] = .shorts([4, 4])
    file.main.entries[33_422] = .bytes([0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2])
    let error = #expect(throws: ImageError.self) { try file.document() }
    #expect(error?.category == .unsupported)
    #expect(error?.parameters["filters"] == .text("red, green, blue in 4 x 4 filters"))
  }
}
