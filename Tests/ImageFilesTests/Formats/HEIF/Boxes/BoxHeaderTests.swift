// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Box headers") struct BoxHeaderTests {
  func parse(_ digits: String, available: Int) throws(ImageError) -> BoxHeader {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.span, fileOffset: 100)
    return try BoxHeader(parsing: &reader, available: available)
  }

  @Test func sizes() throws {
    let compact = try parse("00000010 66726565", available: 16)
    #expect(compact.type == "free" && compact.headerSize == 8 && compact.contentSize == 8)
    let large = try parse("00000001 6D646174 00000000 00000014", available: 30)
    #expect(large.sizeForm == .large && large.headerSize == 16 && large.contentSize == 4)
    let toEnd = try parse("00000000 6D646174", available: 30)
    #expect(toEnd.sizeForm == .toEnd && toEnd.contentSize == 22)
    let user = try parse(
      "0000001C 75756964 000102030405060708090A0B0C0D0E0F", available: 28)
    #expect(user.userType == Array(0...15) && user.contentSize == 4)
  }

  @Test(arguments: [
    ("00000010 66726565", 15, ImageError.Category.truncated),
    ("00000007 66726565", 30, .malformed),
    ("00000001 66726565 00000000 0000000F", 30, .malformed),
    ("00000001 66726565 80000000 00000000", 30, .truncated),
    ("00000010 6672", 30, .truncated),
    ("00000017 75756964 000102030405060708090A0B0C0D0E0F", 30, .malformed),
  ])
  func errors(digits: String, available: Int, code: ImageError.Category) {
    #expect {
      try parse(digits, available: available)
    } throws: {
      let error = $0 as? ImageError
      return error?.category == code && (error?.location.offset ?? 0) >= 100
    }
  }

  @Test func writesWhatItReads() throws {
    for digits in [
      "00000010 66726565", "00000001 6D646174 00000000 00000014",
      "0000001C 75756964 000102030405060708090A0B0C0D0E0F",
    ] {
      let header = try parse(digits, available: 30)
      #expect(header.bytes(contentSize: header.contentSize) == hex(digits))
    }
  }
}
