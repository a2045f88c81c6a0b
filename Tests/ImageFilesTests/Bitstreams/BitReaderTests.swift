// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Bit reader") struct BitReaderTests {
  @Test func fields() throws {
    var reader = BitReader([0b1010_0110, 0xFF, 0x00, 0x12])
    #expect(try reader.read(3) == 0b101)
    #expect(try reader.readFlag() == false)
    #expect(try reader.read(12) == 0b0110_1111_1111)
    #expect(try reader.read(0) == 0)
    try reader.skip(11)
    #expect(try reader.read(5) == 0b10010)
    #expect(throws: ImageError.self) { try reader.read(1) }
    #expect(throws: ImageError.self) { try reader.skip(1) }
  }

  /// Source: ITU-T H.265, table 9-2.
  @Test(arguments: [
    ("1", 0), ("010", 1), ("011", 2), ("00100", 3), ("00111", 6), ("0001000", 7), ("0001001", 8),
  ])
  func expGolomb(code: String, value: UInt32) throws {
    var writer = BitWriter()
    writer.writeExpGolomb(value)
    #expect(writer.bits.map { $0 ? "1" : "0" }.joined() == code)
    var reader = BitReader(writer.bytes)
    #expect(try reader.readExpGolomb() == value)
    #expect(reader.position == code.count)
  }

  @Test func largeExpGolomb() throws {
    var largest = BitReader([0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try largest.readExpGolomb() == UInt32.max - 1)
    var tooLarge = BitReader([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: ImageError.self) { try tooLarge.readExpGolomb() }
    var limited = BitReader([0b0010_0000])
    #expect(throws: ImageError.self) { try limited.readExpGolomb(upTo: 2, "field") }
  }
}
