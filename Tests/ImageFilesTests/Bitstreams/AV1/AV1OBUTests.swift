// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("AV1 units") struct AV1OBUTests {
  @Test func split() throws {
    let units = try AV1OBU.split(hex("1200 0A02ABCD 2E9003 010203 30FF"))
    #expect(units.map(\.type) == [.temporalDelimiter, .sequenceHeader, .metadata, .frame])
    #expect(Array(units[1].payload) == [0xAB, 0xCD])
    #expect(units[2].temporalID == 4 && units[2].spatialID == 2)
    // Without a size, a unit extends to the end of the data.
    #expect(Array(units[3].payload) == [0xFF])
    #expect(try AV1OBU.split(hex("1200 0A02ABCD FF"), through: .sequenceHeader).count == 2)
    #expect(throws: ImageError.self) {
      try AV1OBU.split(hex("120012001200"), limits: ImageLimits(items: 2))
    }
  }

  @Test(arguments: ["92", "0A05AB", "0A8080808080808080", "2E", "0AFFFFFFFFFF01AB"])
  func errors(digits: String) {
    #expect(throws: ImageError.self) { try AV1OBU.split(hex(digits)) }
  }

  /// Source: AV1 bitstream specification, 4.10.5.
  @Test(arguments: [("00", 0), ("7F", 127), ("8001", 128), ("E58E26", 624_485), ("8100", 1)])
  func leb128(digits: String, value: UInt32) throws {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.span)
    #expect(try reader.readLEB128() == value)
  }

  @Test func metadata() throws {
    let level = try AV1Metadata(parsing: AV1OBU.split(hex("2A05 01 03E8 00CB"))[0])
    #expect(
      level
        == .contentLightLevel(LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203)))
    let display = try AV1Metadata(
      parsing: AV1OBU.split(
        hex("2A19 02 B53F 4AC1 4396 B0A4 2190 0F5C 500D 543A 0003E800 00000008"))[0])
    guard case .masteringDisplay(let mastering) = display else {
      Issue.record("\(display)")
      return
    }
    #expect(abs(mastering.primaries.red.x - 0.708) < 1e-5)
    #expect(abs(mastering.primaries.white.y - 0.329) < 2e-5)
    #expect(mastering.maximumLuminance == 1000 && abs(mastering.minimumLuminance - 5e-4) < 2e-5)
    #expect(try AV1Metadata(parsing: AV1OBU.split(hex("2A02 04 B5"))[0]) == .registered([0xB5]))
    #expect(try AV1Metadata(parsing: AV1OBU.split(hex("2A02 05 B5"))[0]) == .other(5))
    #expect(throws: ImageError.self) {
      try AV1Metadata(parsing: AV1OBU.split(hex("2A02 01 03"))[0])
    }
  }
}
