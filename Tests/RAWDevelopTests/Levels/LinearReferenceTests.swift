// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Linear reference values") struct LinearReferenceTests {
  private static func reference(_ file: SyntheticDNG) throws -> LinearReference {
    let dng = try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
    let layout = try RawLayout(of: dng.raw, version: dng.version, limits: ImageLimits())
    return LinearReference(try dng.decodeRaw(), try RawLevels(of: dng.raw, layout))
  }

  private static func rows(_ reference: LinearReference, plane: Int = 0) -> [[Float]] {
    (0..<reference.area.height).map { y in
      var row = [Float](repeating: 0, count: reference.area.width)
      reference.read(
        row: y, columns: 0..<reference.area.width, plane: plane, into: &row, at: 0)
      return row
    }
  }

  /// An image whose samples are 100 times the row plus the column.
  private static func file(width: Int, height: Int, planes: Int = 1) -> SyntheticDNG {
    var file = SyntheticDNG(width: width, height: height, planes: planes)
    file.main.chunks = [
      (0..<height).flatMap { y in
        (0..<width * planes).flatMap { file.number(100 * y + $0 + 1000, 2) }
      }
    ]
    return file
  }

  @Test("black levels by pattern, column and row of the active area")
  func blackLevels() throws {
    var file = Self.file(width: 6, height: 5)
    file.main.entries[50_829] = .longs([1, 2, 5, 6])
    file.main.entries[50_713] = .shorts([2, 2])
    file.main.entries[50_714] = .rationals([10, 20, 30, 40.5])
    file.main.entries[50_715] = .signedRationals([0, 1, 2, -3])
    file.main.entries[50_716] = .signedRationals([0, -5, 5, 7])
    file.main.entries[50_717] = .longs([2000])
    let rows = Self.rows(try Self.reference(file))
    // The highest black is 40.5 with 2 of a column and 7 of a row.
    let scale = 1 / (2000 - 49.5)
    let pattern = [[10, 20], [30, 40.5]]
    let (columns, lines) = ([0.0, 1, 2, -3], [0.0, -5, 5, 7])
    for y in 0..<4 {
      for x in 0..<4 {
        let sample = Double(1000 + 100 * (y + 1) + x + 2)
        let black = pattern[y % 2][x % 2] + columns[x] + lines[y]
        #expect(abs(Double(rows[y][x]) - (sample - black) * scale) < 1e-6)
      }
    }
  }

  @Test("three planes with separate levels, clipped at white")
  func planes() throws {
    var file = Self.file(width: 4, height: 2, planes: 3)
    file.main.entries[50_714] = .shorts([1000, 0, 500])
    file.main.entries[50_717] = .shorts([1100, 2000, 1000])
    let reference = try Self.reference(file)
    #expect(Self.rows(reference)[0][1] == 0.03)
    #expect(Self.rows(reference)[1][1] == 1)
    #expect(abs(Self.rows(reference, plane: 1)[1][2] - 1107 / 2000) < 1e-6)
    #expect(Self.rows(reference, plane: 2)[0][0] == 1)
  }

  @Test("code values are linearized by the table, whose last entry is repeated")
  func linearization() throws {
    var file = Self.file(width: 3, height: 2)
    file.main.entries[50_712] = .shorts((0..<1002).map { min($0 * 50, 65_535) })
    file.main.entries[50_717] = .longs([50_100])
    let rows = Self.rows(try Self.reference(file))
    let expected: [Float] = [50_000 / 50_100, 50_050 / 50_100, 50_050 / 50_100]
    #expect(zip(rows[0], expected).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(rows[1] == Array(repeating: rows[0][2], count: 3))
  }

  @Test("values below black are negative")
  func negatives() throws {
    var file = Self.file(width: 2, height: 1)
    file.main.entries[50_714] = .shorts([1001])
    file.main.entries[50_717] = .shorts([1002])
    #expect(Self.rows(try Self.reference(file)) == [[-1, 0]])
  }

  @Test("levels that contradict each other are errors")
  func contradictions() throws {
    func fails(_ tag: UInt16, _ value: SyntheticDNG.Value) {
      var file = Self.file(width: 4, height: 4)
      file.main.entries[tag] = value
      let error = #expect(throws: ImageError.self, "tag \(tag)") { try Self.reference(file) }
      #expect(error?.category == .malformed)
      #expect(error?.location.path == ["IFD0", "tag \(tag)"])
    }
    fails(50_717, .shorts([0]))
    fails(50_717, .rationals([.zero]))
    fails(50_713, .shorts([0, 1]))
    fails(50_714, .shorts([1, 2, 3]))
    fails(50_715, .signedRationals([1, 2]))
    fails(50_829, .longs([0, 0, 5, 4]))
    fails(50_829, .longs([2, 0, 2, 4]))
  }
}
