// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Sharpening") struct DetailTests {
  private static let size = (width: 48, height: 40)

  /// Two fields with an edge between them, and noise.
  private struct Fields: CameraRows {
    var levels: (Float, Float) = (0.1, 0.4)
    var noise: Float = 0

    func make(
      rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
    ) {
      for y in rows {
        var row = LinearRow(width: columns.count, hasAlpha: false)
        for x in columns {
          var random = SplitMix(seed: UInt64(1000 * y + x))
          let level = x < 24 ? levels.0 : levels.1
          func sample() -> Float { level * (1 + noise * Float.random(in: -1...1, using: &random)) }
          let index = x - columns.lowerBound
          (row.red[index], row.green[index], row.blue[index]) = (sample(), sample(), sample())
        }
        body(y, &row)
      }
    }
  }

  private static func rows(_ base: any CameraRows) -> [[Float]] {
    var rows: [[Float]] = []
    base.make(rows: 0..<size.height, columns: 0..<size.width) { _, row in
      rows.append(row.red)
      rows.append(row.green)
      rows.append(row.blue)
    }
    return rows
  }

  private static func detailed(_ base: Fields, _ sharpness: Double) -> DetailRows {
    DetailRows(base: base, sharpness: sharpness, size: size)
  }

  @Test("uniform areas do not change")
  func flat() {
    let fields = Fields(levels: (0.3, 0.3))
    for (before, after) in zip(Self.rows(fields), Self.rows(Self.detailed(fields, 0.6))) {
      for (before, after) in zip(before, after) { #expect(abs(before - after) < 1e-6) }
    }
  }

  @Test("edges get steeper, with halos of at most a tenth")
  func halos() {
    let fields = Fields()
    let after = Self.rows(Self.detailed(fields, 4))
    let (dark, bright): (Float, Float) = (Float(0.1).squareRoot(), Float(0.4).squareRoot())
    let slack = 0.1 * (bright - dark) + 1e-5
    for value in after.joined() {
      #expect(value.squareRoot() > dark - slack && value.squareRoot() < bright + slack)
    }
    let row = after[60]
    #expect(row[23] < 0.099 && row[24] > 0.401)
    #expect(abs(row[10] - 0.1) < 1e-6 && abs(row[40] - 0.4) < 1e-6)
  }

  @Test("tiles equal the whole image")
  func tiles() {
    let rows = Self.detailed(Fields(noise: 0.2), 0.6)
    let whole = Self.rows(rows)
    rows.make(rows: 11..<23, columns: 9..<37) { y, row in
      #expect(row.red == Array(whole[3 * y][9..<37]))
      #expect(row.green == Array(whole[3 * y + 1][9..<37]))
    }
  }
}
