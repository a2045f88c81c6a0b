// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

@Suite("Resampling in tiles") struct ResamplerTileTests {
  private static let size = (width: 61, height: 43)
  private static let newSize = (width: 23, height: 17)

  private static func light(_ x: Int, _ y: Int) -> Float {
    var random = SplitMix(seed: UInt64(1000 * y + x))
    return Float.random(in: -0.1...2, using: &random)
  }

  private static func resampler(
    from size: (width: Int, height: Int), to newSize: (width: Int, height: Int)
  ) -> Resampler {
    Resampler(
      Resampling(
        part: PixelRectangle(x: 0, y: 0, width: size.width, height: size.height),
        width: newSize.width, height: newSize.height))
  }

  /// Red components of a tile; green and blue are two and three times red.
  private static func part(_ rows: Range<Int>, _ columns: Range<Int>) -> [[Float]] {
    var tile = resampler(from: size, to: newSize).tile(rows: rows, columns: columns)
    for y in tile.sourceRows {
      var row = LinearRow(width: tile.sourceColumns.count, hasAlpha: false)
      for (index, x) in tile.sourceColumns.enumerated() {
        row.red[index] = light(x, y)
        row.green[index] = 2 * light(x, y)
        row.blue[index] = 3 * light(x, y)
      }
      tile.append(row)
    }
    return rows.map { y in
      var row = LinearRow(width: columns.count, hasAlpha: false)
      tile.read(row: y, into: &row)
      for x in row.red.indices {
        #expect(row.green[x] == 2 * row.red[x] && abs(row.blue[x] - 3 * row.red[x]) < 1e-5)
      }
      return row.red
    }
  }

  @Test("the whole image equals the definition")
  func definition() {
    let columns = FilterTaps(from: Self.size.width, to: Self.newSize.width)
    let rows = FilterTaps(from: Self.size.height, to: Self.newSize.height)
    let narrow = (0..<Self.size.height).map { y in
      columns.filtered((0..<Self.size.width).map { Double(Self.light($0, y)) })
    }
    let found = Self.part(0..<Self.newSize.height, 0..<Self.newSize.width)
    for x in 0..<Self.newSize.width {
      let expected = rows.filtered(narrow.map { $0[x] })
      for y in 0..<Self.newSize.height { #expect(abs(Double(found[y][x]) - expected[y]) < 1e-5) }
    }
  }

  @Test("tiles are identical to the whole image", arguments: [(0, 5), (4, 9), (11, 17), (16, 17)])
  func parts(first: Int, end: Int) {
    let whole = Self.part(0..<Self.newSize.height, 0..<Self.newSize.width)
    for columns in [0..<7, 6..<15, 14..<23] {
      let part = Self.part(first..<end, columns)
      #expect(part == whole[first..<end].map { Array($0[columns]) })
    }
  }

  @Test("an image of the same size is unchanged")
  func identity() {
    var tile = Self.resampler(from: (9, 2), to: (9, 2)).tile(rows: 0..<2, columns: 2..<7)
    var rows: [[Float]] = []
    for y in tile.sourceRows {
      var row = LinearRow(width: tile.sourceColumns.count, hasAlpha: false)
      for (index, x) in tile.sourceColumns.enumerated() { row.red[index] = Self.light(x, y) }
      tile.append(row)
    }
    for y in 0..<2 {
      var row = LinearRow(width: 5, hasAlpha: false)
      tile.read(row: y, into: &row)
      rows.append(row.red)
    }
    #expect(rows == (0..<2).map { y in (2..<7).map { Self.light($0, y) } })
  }
}
