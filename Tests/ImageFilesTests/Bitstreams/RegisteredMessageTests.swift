// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// ITU-T T.35 messages in bitstreams.
@Suite("Registered messages") struct RegisteredMessageTests {
  /// Messages with zeros that require emulation prevention, and with sizes beyond one byte.
  private static let messages: [Named<[UInt8]>] = [
    Named("short", [0xB5, 0x00, 0x90, 0x00, 0x01, 0x00, 0x00]),
    Named("zeros", [0xB5] + [UInt8](repeating: 0, count: 254)),
    Named("all values", [0xB5] + (0..<255).map { UInt8($0) }),
    Named("long", [0xB5] + [UInt8](repeating: 3, count: 900)),
  ]

  @Test(arguments: messages) func hevc(named: Named<[UInt8]>) throws {
    let message = named.value
    let unit = try HEVCSEIMessage.unit(ofRegistered: message)
    #expect(unit.type == .prefixSEI && unit.layerID == 0)
    let found = try HEVCSEIMessage.split(unit)
    #expect(found == [HEVCSEIMessage(type: 4, payload: message)])
  }

  /// Bytes derived by hand from the syntax.
  ///
  /// Source: ITU-T H.265, 7.3.2.4 and 7.3.5.
  @Test func hevcByHand() throws {
    let message: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01, 0x00, 0x00]
    let unit = try HEVCSEIMessage.unit(ofRegistered: message)
    // Header, type, size, message with an emulation prevention byte, trailing bits.
    #expect(
      Array(unit.bytes) == [
        0x4E, 0x01, 0x04, 0x07, 0xB5, 0x00, 0x90, 0x00, 0x01, 0x00, 0x00, 0x80,
      ])
    // Two messages, the first of type 300.
    let two = try HEVCNALUnit([0x4E, 0x01, 0xFF, 0x2D, 0x01, 0x07, 0x04, 0x02, 0xB5, 0x09, 0x80])
    #expect(
      try HEVCSEIMessage.split(two) == [
        HEVCSEIMessage(type: 300, payload: [7]), HEVCSEIMessage(type: 4, payload: [0xB5, 9]),
      ])
    let short = try HEVCNALUnit([0x4E, 0x01, 0x04, 0x09, 0xB5, 0x80])
    let error = #expect(throws: ImageError.self) { try HEVCSEIMessage.split(short) }
    #expect(error?.category == .truncated)
  }

  @Test(arguments: messages) func av1(named: Named<[UInt8]>) throws {
    let message = named.value
    let units = try AV1OBU.split(AV1Metadata.unit(ofRegistered: message))
    #expect(units.map(\.type) == [.metadata])
    // The trailing bits are kept, because only the format of the message defines its end.
    #expect(try AV1Metadata(parsing: units[0]) == .registered(message + [0x80]))
  }

  /// Bytes derived by hand from the syntax.
  ///
  /// Source: AV1 bitstream specification, 5.3.1, 5.8.1 and 5.8.2.
  @Test func av1ByHand() {
    #expect(
      AV1Metadata.unit(ofRegistered: [0xB5, 0x00, 0x90]) == [0x2A, 5, 4, 0xB5, 0x00, 0x90, 0x80])
    let long = AV1Metadata.unit(ofRegistered: [UInt8](repeating: 1, count: 200))
    #expect(long.prefix(4) == [0x2A, 0xCA, 0x01, 4])
  }

  /// Units are parsed up to the coded image, whose data may be truncated.
  @Test func beforePicture() throws {
    let message: [UInt8] = [0xB5, 1, 2, 3]
    let metadata = AV1Metadata.unit(ofRegistered: message)
    // A padding unit, and the header of a frame of 200 bytes that are missing.
    let av1 = [0x7A, 0x01, 0x80] + metadata + [0x32, 0xC8, 0x01, 0xFF]
    #expect(try AV1OBU.beforePicture(av1).map(\.type) == [.padding, .metadata])
    let sei = try HEVCSEIMessage.unit(ofRegistered: message).bytes
    let hevc =
      [0, 0, 0, UInt8(sei.count)] + Array(sei) + [0, 0, 0xC8, 0x00] + [0x26, 0x01, 0xFF]
    #expect(try HEVCNALUnit.beforePicture(hevc, lengthSize: 4).map(\.type) == [.prefixSEI])
    for count in 0..<av1.count - 3 {
      let error = #expect(throws: ImageError.self) {
        try AV1OBU.beforePicture(Array(av1.prefix(count)))
      }
      #expect(error?.category == .truncated)
    }
    for count in 0..<hevc.count - 1 {
      let error = #expect(throws: ImageError.self) {
        try HEVCNALUnit.beforePicture(Array(hevc.prefix(count)), lengthSize: 4)
      }
      #expect(error?.category == .truncated)
    }
  }
}
