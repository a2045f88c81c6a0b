// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Multi-picture format") struct MultiPictureFormatTests {
  /// MPF of an iPhone image, without `MPF\0`.
  static let apple = hex(
    """
    4d4d002a00000008 0003 b0000007 00000004 30313030 b0010004 00000001 00000002
    b0020007 00000020 00000032 00000000
    00030000 0000af5b 00000000 0000 0000 00000000 00001773 0000a403 0000 0000
    """)

  @Test func realBytes() throws {
    let format = try MultiPictureFormat(parsing: Self.apple)
    #expect(format.byteOrder == .bigEndian)
    #expect(format.entries.map(\.attributes) == [0x30000, 0])
    #expect(format.entries.map(\.size) == [44891, 6003])
    // The TIFF header is at offset 2834.
    #expect(format.entries.map { 2834 + Int($0.offset) } == [2834, 44821])
    #expect(format.patched(Self.apple) == Self.apple)
  }

  @Test func newDirectoriesAreLikeThem() throws {
    var format = MultiPictureFormat(count: 2)
    format.entries[0].size = 44891
    format.entries[1].size = 0x1773
    format.entries[1].offset = 0xA403
    #expect(format.serialized() == Self.apple)
    let segment = JPEGSegment(.multiPicture, body: format.serialized()).serialized()
    #expect(segment.count == 90)
    #expect(segment.starts(with: hex("FFE2 0058 4D504600")))
  }

  @Test func littleEndianIsKept() throws {
    let body = hex(
      """
      49492A00 08000000 0100 02B0 0700 20000000 1A000000 00000000
      00000300 01000000 00000000 00000000 00000000 02000000 03000000 04000500
      """)
    var format = try MultiPictureFormat(parsing: body)
    #expect(format.entries[1].size == 2 && format.entries[1].offset == 3)
    #expect(format.entries[1].dependents == [4, 5])
    format.entries[1].offset = 0x0102_0304
    let patched = format.patched(body)
    #expect(Array(patched.suffix(8)) == hex("04030201 04000500"))
  }

  @Test(arguments: [
    "", "4D4D002A 00000008 0000 00000000", "4D4D002A 00000008 0001 B002 0007 FFFFFFFF 0000001A",
  ])
  func brokenDirectoriesAreTypedErrors(digits: String) {
    #expect(throws: ImageError.self) { try MultiPictureFormat(parsing: hex(digits)) }
  }
}
