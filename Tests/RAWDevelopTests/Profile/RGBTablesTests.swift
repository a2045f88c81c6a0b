// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Color tables with masks") struct RGBTablesTests {
  private static func tables(_ method: RGBTables.Method, _ masks: [String?]) -> RGBTables {
    let changes: [(SIMD3<Double>) -> SIMD3<Double>] = [
      { $0 * SIMD3(1, 0.5, 0.25) }, { SIMD3($0.y, $0.z, $0.x) }, { _ in SIMD3(1, 0, 0.5) },
    ]
    return RGBTables(
      method: method,
      tables: zip(masks, changes).map { mask, change in
        .init(mask: mask, table: RGBTableTests.table { change($0) })
      })
  }

  private static func expect(
    _ tables: RGBTables, _ coverage: [String: Double], _ expected: SIMD3<Double>,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let found = tables.color(SIMD3(0.8, 0.4, 0.2), coverage: coverage, isHDR: false)
    let error = found - expected
    #expect(
      max(error.max(), -error.min()) < 1e-7, "\(found), not \(expected)", sourceLocation: place)
  }

  /// The color is (0.8, 0.4, 0.2); tables make (0.8, 0.2, 0.05), (0.4, 0.2, 0.8) and (1, 0, 0.5) of
  /// it.
  @Test(
    "a weighted sum gives the background the remaining weight, and is a mean in overlaps")
  func weightedSum() {
    let three = Self.tables(.weightedSum, ["skin", "sky", nil])
    Self.expect(three, ["skin": 1, "sky": 0], SIMD3(0.8, 0.2, 0.05))
    Self.expect(three, [:], SIMD3(1, 0, 0.5))
    Self.expect(three, ["skin": 0.25, "sky": 0.5], SIMD3(0.65, 0.15, 0.5375))
    Self.expect(three, ["skin": 1, "sky": 1], SIMD3(0.6, 0.2, 0.425))
    Self.expect(three, ["skin": 1, "sky": 0.5], SIMD3(2, 0.6, 0.9) / 3)
    let two = Self.tables(.weightedSum, ["skin", "sky"])
    Self.expect(two, [:], SIMD3(0.8, 0.4, 0.2))
    Self.expect(two, ["skin": 0.5], SIMD3(0.8, 0.3, 0.125))
    Self.expect(two, ["Skin": 1], SIMD3(0.8, 0.4, 0.2))
  }

  @Test("in sequence each table applies to the result of the preceding one")
  func sequential() {
    let three = Self.tables(.sequential, ["skin", "sky", nil])
    Self.expect(three, ["skin": 1, "sky": 1], SIMD3(0.2, 0.05, 0.8))
    // Half of the first: (0.8, 0.3, 0.125); half of the second: (0.55, 0.2125, 0.4625).
    Self.expect(three, ["skin": 0.5, "sky": 0.5], SIMD3(0.55, 0.2125, 0.4625))
    Self.expect(three, ["skin": 0.5], SIMD3(0.9, 0.15, 0.3125))
    Self.expect(three, [:], SIMD3(1, 0, 0.5))
    let first = Self.tables(.sequential, [nil, "sky"])
    // The background comes first where it stands first.
    Self.expect(first, ["sky": 0.5], SIMD3(0.55, 0.2125, 0.4625))
  }

  /// The value of the tag: tables of the same size and codes, with the names of their masks.
  static func bytes(
    _ file: SyntheticDNG, names: [String] = [""], method: Int = 0, divisions: Int = 2,
    sampleType: Int = 1, codes: [UInt8] = [0, 4, 0], entry: (_ table: Int, _ index: Int) -> Double
  ) -> [UInt8] {
    names.enumerated().reduce(file.number(names.count, 4) + file.number(method, 4)) {
      bytes, named in
      let samples = (0..<3 * divisions * divisions * divisions).flatMap { index in
        let value = entry(named.offset, index)
        switch sampleType {
        case 0: return [UInt8(clamping: (value * 255).rounded())]
        case 1: return file.number(Int(clamping: (value * 65_535).rounded()), 2)
        default: return file.number(Int(Float(value).bitPattern), 4)
        }
      }
      let name = file.number(named.element.utf8.count, 2) + Array(named.element.utf8)
      return bytes + name + [UInt8(divisions), UInt8(sampleType)] + codes + samples
    }
  }

  @Test("tables of all types in both byte orders", arguments: [0, 1, 2])
  func parsing(sampleType: Int) throws {
    for order in [TIFFFile.ByteOrder.littleEndian, .bigEndian] {
      let file = SyntheticDNG(width: 2, height: 2, order: order)
      let bytes = Self.bytes(
        file, names: ["skin", "", "sky"], method: 1, divisions: 3, sampleType: sampleType,
        codes: [2, 3, 1]
      ) { table, index in Double((index + table) % 52) / 51 }
      let tables = try #require(try RGBTables(bytes, order: order))
      #expect(tables.method == .sequential && tables.tables.map(\.mask) == ["skin", nil, "sky"])
      for (number, masked) in tables.tables.enumerated() {
        let table = masked.table
        #expect(table.divisions == 3 && table.encoding == .power18 && table.isExtending)
        #expect(table.primaries == .bt2020)
        for (index, value) in table.entries.enumerated() {
          #expect(abs(Double(value) - Double((index + number) % 52) / 51) < 1e-5)
        }
      }
    }
  }

  @Test("invalid tables are errors")
  func refusals() throws {
    let file = SyntheticDNG(width: 2, height: 2)
    func error(_ bytes: [UInt8]) -> ImageError? {
      do {
        _ = try RGBTables(bytes, order: .littleEndian)
        return nil
      } catch { return error }
    }
    let good = Self.bytes(file, names: ["sky", ""]) { _, _ in 0.5 }
    #expect(error(good) == nil)
    #expect(try RGBTables(file.number(0, 4) + file.number(0, 4), order: .littleEndian) == nil)
    #expect(error(good + [0])?.category == .malformed)
    #expect(error(Array(good.dropLast()))?.category == .truncated)
    #expect(error(Array(good.prefix(9)))?.category == .truncated)
    let many = [String](repeating: "sky", count: 21)
    #expect(error(Self.bytes(file, names: many) { _, _ in 0 })?.category == .malformed)
    #expect(error(Self.bytes(file, names: many.dropLast()) { _, _ in 0 }) == nil)
    #expect(error(Self.bytes(file, names: ["", "sky", ""]) { _, _ in 0 })?.category == .malformed)
    #expect(error(Self.bytes(file, method: 2) { _, _ in 0 })?.category == .malformed)
    for codes in [[5, 0, 0], [0, 5, 0], [0, 0, 2]] as [[UInt8]] {
      #expect(error(Self.bytes(file, codes: codes) { _, _ in 0 })?.category == .malformed)
    }
    #expect(error(Self.bytes(file, sampleType: 2) { _, _ in .nan })?.category == .malformed)
  }
}
