// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Gain table maps") struct GainTableMapTests {
  /// A map of two by one points, with three gains each.
  private struct Writer {
    var order = TIFFFile.ByteOrder.littleEndian
    var sizes = (rows: 1, columns: 2, size: 3)
    var spacing = 0.5
    /// Of the second version: type, gamma, least and largest gain.
    var coding: (type: Int, gamma: Float, least: Float, largest: Float)?
    var gains: [UInt8] = []

    func number(_ bits: some BinaryInteger, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
      return order == .littleEndian ? bytes : bytes.reversed()
    }

    func float(_ value: Float) -> [UInt8] { number(value.bitPattern, 4) }

    var bytes: [UInt8] {
      var bytes = number(sizes.rows, 4) + number(sizes.columns, 4)
      for value in [1, spacing, 0, 0.25] { bytes += number(value.bitPattern, 8) }
      bytes += number(sizes.size, 4)
      for weight in [0.2, 0.3, 0.1, 0.15, 0.25] as [Float] { bytes += float(weight) }
      if let coding {
        bytes += number(coding.type, 4) + float(coding.gamma) + float(coding.least)
        bytes += float(coding.largest)
      }
      return bytes + gains
    }

    var map: GainTableMap {
      get throws { try GainTableMap(bytes, order: order, isSecond: coding != nil) }
    }
  }

  private static let gains: [Float] = [1, 0.5, 0.25, 2, 1.5, 0]

  @Test(
    "all types of gains in both byte orders",
    arguments: [TIFFFile.ByteOrder.littleEndian, .bigEndian])
  func types(order: TIFFFile.ByteOrder) throws {
    var writer = Writer(order: order)
    writer.gains = Self.gains.flatMap(writer.float)
    let first = try writer.map
    #expect(first.gains == Self.gains && first.gamma == 1 && first.columns == 2)
    writer.coding = (3, 2, 0, 0)
    #expect(try writer.map.gains == Self.gains)
    #expect(try writer.map.gamma == 2)
    writer.coding = (2, 1, 0, 0)
    writer.gains = ([0x3C00, 0x3800, 0x3400, 0x4000, 0x3E00, 0] as [Int]).flatMap {
      writer.number($0, 2)
    }
    #expect(try writer.map.gains == Self.gains)
    writer.coding = (1, 1, 0.5, 1.5)
    writer.gains = ([0, 65_535, 13_107, 0, 0, 0] as [Int]).flatMap { writer.number($0, 2) }
    #expect(try writer.map.gains == [0.5, 1.5, 0.7, 0.5, 0.5, 0.5])
    writer.coding = (0, 1, 0, 2)
    writer.gains = [0, 255, 51, 0, 0, 0]
    #expect(try writer.map.gains == [0, 2, 0.4, 0, 0, 0])
  }

  @Test("gains are linear between points, and between tables by the size of the table")
  func interpolation() throws {
    var writer = Writer()
    writer.gains = Self.gains.flatMap(writer.float)
    let map = try writer.map
    #expect(abs(map.brightness(of: SIMD3(0.5, 0.2, 0.4)) - 0.355) < 1e-7)
    #expect(map.brightness(of: SIMD3(9, 9, 9)) == 1)
    let row = map.position(row: 3.5, of: 8)
    // Pixel 3 of 8 is at 0.4375, three eighths from the first point to the second.
    let column = map.position(column: 3.5, of: 8)
    #expect(column.index == 0 && column.next == 1 && abs(column.share - 0.375) < 1e-12)
    let first = map.gain(0.5, row: row, column: map.position(column: 0.5, of: 8))
    #expect(abs(first - 0.375) < 1e-7)
    let between = map.gain(0.5, row: row, column: column)
    #expect(abs(between - (0.375 * 0.625 + 0.75 * 0.375)) < 1e-7)
    #expect(abs(map.gain(1, row: row, column: map.position(column: 7.5, of: 8))) < 1e-7)
    #expect(map.scaled(by: 1) == map)
    #expect(map.scaled(by: 0).gains == [1, 1, 1, 1, 1, 1])
    #expect(map.scaled(by: 2).gains == [1, 0.25, 0.0625, 4, 2.25, 0])
  }

  @Test("invalid maps are errors")
  func broken() {
    func code(_ edit: (inout Writer) -> Void) -> ImageError.Category? {
      var writer = Writer()
      writer.gains = Self.gains.flatMap(writer.float)
      edit(&writer)
      do {
        _ = try writer.map
        return nil
      } catch { return (error as? ImageError)?.category }
    }
    #expect(code { _ in } == nil)
    #expect(code { $0.gains.removeLast() } == .malformed)
    #expect(code { $0.sizes.rows = 0 } == .malformed)
    #expect(code { $0.sizes.size = 0xFFFF_FFFF } == .malformed)
    #expect(code { $0.sizes = (65_536, 65_536, 257) } == .malformed)
    #expect(code { $0.spacing = 0 } == .malformed)
    #expect(code { $0.spacing = .nan } == .malformed)
    #expect(
      code { writer in writer.gains = (0..<6).flatMap { _ in writer.float(-1) } } == .malformed)
    #expect(
      code { writer in writer.gains = (0..<6).flatMap { _ in writer.float(.nan) } } == .malformed)
    #expect(code { $0.coding = (4, 1, 0, 1) } == .malformed)
    #expect(code { $0.coding = (3, 0.1, 0, 1) } == .malformed)
    #expect(code { $0.coding = (3, 1, 2, 1) } == .malformed)
  }
}
