// SPDX-License-Identifier: Apache-2.0
import HDRCore
@testable import ImageFiles
import Testing
import TestSupport

@Suite("Removal of the location from Exif") struct ExifBlockLocationTests {
  @Test func removed() throws {
    var block = try ExifBlock(parsing: LocationFixtures.exif)
    #expect(try block.hasLocation)
    let before = block.bytes
    #expect(try block.removeLocation())
    #expect(try !block.hasLocation)
    #expect(block.main[.gpsDirectory] == nil)
    #expect(try block.text(.make) == "Camer" && block.orientation == .rotated90)
    #expect(block.bytes.count == before.count)
    #expect(!LocationFixtures.isShown(in: block.bytes))
    // Texts of the main directory keep their offsets; all bytes of the location are zero.
    #expect(block.bytes[50..<56] == before[50..<56])
    #expect(block.bytes[56...].allSatisfy { $0 == 0 })
    #expect(try block.removeLocation() == false)
  }

  @Test func little() throws {
    let exif = hex(
      """
      49492A00 08000000 0100 2588 0400 01000000 1A000000 00000000
      0100 0200 0500 01000000 2C000000 00000000 CAFEBABE 11223344
      """)
    var block = try ExifBlock(parsing: exif)
    #expect(try block.removeLocation())
    #expect(block.bytes[8...].allSatisfy { $0 == 0 })
  }

  /// A location with a value that overlaps the camera's name.
  @Test func sharedBytes() throws {
    var exif = LocationFixtures.exif
    exif.replaceSubrange(90..<94, with: hex("00000030"))
    var block = try ExifBlock(parsing: exif)
    let error = #expect(throws: ImageError.self) { _ = try block.removeLocation() }
    #expect(error?.category == .malformed)
    #expect(block.bytes == exif)
  }

  @Test func unreadable() throws {
    var exif = LocationFixtures.exif
    exif.replaceSubrange(42..<46, with: hex("00FFFFFF"))
    var block = try ExifBlock(parsing: exif)
    #expect(throws: ImageError.self) { _ = try block.removeLocation() }
  }

  /// Corrupt blocks do not trap, and edited blocks can be parsed.
  @Test func damage() throws {
    for index in LocationFixtures.exif.indices {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var exif = LocationFixtures.exif
        exif[index] = value
        guard var block = try? ExifBlock(parsing: exif), (try? block.removeLocation()) == true
        else { continue }
        let isFound = try block.hasLocation
        #expect(block.bytes.count == exif.count && !isFound)
      }
    }
  }
}

@Suite("Exif of cropped images") struct ExifBlockGeometryTests {
  /// A main directory with a pointer to PixelXDimension (SHORT) and PixelYDimension (LONG), and a
  /// second directory with a thumbnail of four bytes at the end.
  private static let block = """
    4D4D002A 00000008
    0001 8769 0004 00000001 0000001A 00000038
    0002 A002 0003 00000001 0FC00000 A003 0004 00000001 00000BD0 00000000
    0002 0201 0004 00000001 00000056 0202 0004 00000001 00000004 00000000
    FFD8FFD9
    """

  @Test func containsTheNewSize() throws {
    var block = try ExifBlock(parsing: hex(Self.block))
    #expect(block.number(.init(rawValue: 0xA002)) == 4032)
    let size = block.bytes.count
    try block.updatePixelSize(width: 70_000, height: 20)
    #expect(block.number(.init(rawValue: 0xA002)) == 70_000)
    #expect(block.number(.init(rawValue: 0xA003)) == 20)
    #expect(block.bytes.count == size)
  }

  @Test func sizesAreNotAdded() throws {
    let before = ExifBlock.minimal(orientation: .rotated90)
    var block = try ExifBlock(parsing: before)
    try block.updatePixelSize(width: 3, height: 4)
    try block.removeThumbnail()
    #expect(block.bytes == before)
  }

  /// A block of 56 bytes whose thumbnail range covers the first directory up to the end.
  @Test func thumbnailOverTheFirstDirectory() throws {
    let bytes = hex(
      """
      4D4D002A 00000026
      0002 0201 0004 00000001 00000026 0202 0004 00000001 00000012 00000000
      0001 0112 0003 00000001 00060000 00000008
      """)
    #expect(bytes.count == 56)
    var block = try ExifBlock(parsing: bytes)
    #expect(try !block.removeThumbnail())
    #expect(block.orientation == .rotated90)
    #expect(block.structure.directories.count == 1)
  }

  /// A thumbnail that overlaps kept data is not cleared, which is reported.
  @Test(arguments: [8, 0x16, 0x1A, 0x30] as [UInt8])
  func overlappingThumbnails(start: UInt8) throws {
    var bytes = hex(Self.block)
    let size = UInt8(bytes.count) - start
    bytes.replaceSubrange(0x42..<0x46, with: [0, 0, 0, start])
    bytes.replaceSubrange(0x4E..<0x52, with: [0, 0, 0, size])
    var block = try ExifBlock(parsing: bytes)
    #expect(block.thumbnailRange == Int(start)..<bytes.count)
    #expect(try !block.removeThumbnail())
    #expect(block.bytes.count == bytes.count)
    #expect(block.number(.init(rawValue: 0xA003)) == 3024)
    #expect(block.structure.directories.count == 1)
    var notices: [Notice] = []
    let fitted = try ExifBlock.fitted(
      bytes, width: 10, height: 20, keepsThumbnail: false, notices: &notices)
    #expect(notices.map(\.category) == [.dropped, .irregular])
    #expect(try ExifBlock(parsing: fitted).number(.init(rawValue: 0xA003)) == 20)
  }

  @Test func thumbnailsLeaveNothing() throws {
    var block = try ExifBlock(parsing: hex(Self.block))
    #expect(block.thumbnail == [0xFF, 0xD8, 0xFF, 0xD9])
    try block.removeThumbnail()
    #expect(block.thumbnail == nil && block.structure.directories.count == 1)
    #expect(block.bytes.count == hex(Self.block).count - 4)
    #expect(block.number(.init(rawValue: 0xA003)) == 3024)
    // A thumbnail inside the block is overwritten with zeros.
    var longer = try ExifBlock(parsing: hex(Self.block) + [1, 2])
    try longer.removeThumbnail()
    #expect(longer.bytes.suffix(6) == [0, 0, 0, 0, 1, 2])
  }
}
