// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("HEVC NAL units") struct HEVCNALUnitTests {
  @Test func header() throws {
    let unit = try HEVCNALUnit(hex("4219 AA")[...])
    #expect(unit.type == .sequenceParameterSet && unit.layerID == 3)
    #expect(throws: ImageError.self) { try HEVCNALUnit([0x42]) }
    #expect(throws: ImageError.self) { try HEVCNALUnit([0xC2, 0x01]) }
  }

  /// Source: ITU-T H.265, 7.4.2: the four sequences that require emulation prevention.
  @Test(arguments: [
    ("00000080", "0000030080"), ("00000180", "0000030180"), ("00000280", "0000030280"),
    ("00000380", "0000030380"), ("000003", "00000303"), ("000004", "000004"),
    ("0000000080", "000003000080"), ("000000000080", "00000300000300 80"),
    ("01000003", "0100000303"),
  ])
  func emulationPrevention(payload: String, coded: String) throws {
    let unit = try HEVCNALUnit(header: [0x42, 0x01], rbsp: hex(payload))
    #expect(Array(unit.bytes) == hex("4201" + coded))
    #expect(unit.rbsp == hex(payload))
  }

  @Test func lengths() throws {
    let units = try HEVCNALUnit.split(hex("0003 4201AA 0002 4401"), lengthSize: 2)
    #expect(units.map(\.type) == [.sequenceParameterSet, .pictureParameterSet])
    #expect(units[0].rbsp == [0xAA])
    #expect(throws: ImageError.self) { try HEVCNALUnit.split(hex("0004 4201AA"), lengthSize: 2) }
    #expect(throws: ImageError.self) { try HEVCNALUnit.split(hex("0000 4201AA"), lengthSize: 2) }
    #expect(try HEVCNALUnit.split([], lengthSize: 4).isEmpty)
    // Lengths of 4 bytes, whatever 'hvcC' declares.
    for size in 1...4 {
      let units = try HEVCNALUnit.split(hex("00000003 4201AA 00000002 4401"), lengthSize: size)
      #expect(units.map { Array($0.bytes) } == [hex("4201AA"), hex("4401")])
    }
  }

}
