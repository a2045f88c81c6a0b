// SPDX-License-Identifier: Apache-2.0
import HDRCore
@testable import ImageFiles
import Testing
import TestSupport

@Suite("Exif") struct ExifBlockTests {
  /// Bytes according to TIFF 6.0, section 2.
  @Test func minimal() throws {
    let bytes = ExifBlock.minimal(orientation: .rotated90)
    #expect(bytes == hex("4D4D002A 00000008 0001 0112 0003 00000001 00060000 00000000"))
    #expect(try ExifBlock(parsing: bytes).orientation == .rotated90)
    #expect(try ExifBlock(parsing: Array("Exif\0\0".utf8) + bytes).bytes == bytes)
  }

  @Test(arguments: Orientation.allCases) func setOrientationInPlace(orientation: Orientation) throws
  {
    let before = hex("49492A00 08000000 0100 1201 0300 01000000 0300BEEF 00000000")
    var exif = try ExifBlock(parsing: before)
    #expect(exif.orientation == .flipped || exif.orientation == .rotated180)
    try exif.setOrientation(orientation)
    var expected = before
    expected[18] = UInt8(orientation.rawValue)
    #expect(exif.bytes == expected)
    #expect(exif.orientation == orientation)
  }

  @Test func odditiesOfTheEntryAreRepaired() throws {
    // A LONG, as written by some programs.
    var exif = try ExifBlock(
      parsing: hex("49492A00 08000000 0100 1201 0400 01000000 06000000 00000000"))
    #expect(exif.orientation == .rotated90)
    try exif.setOrientation(.upright)
    #expect(
      exif.bytes == hex("49492A00 08000000 0100 1201 0300 01000000 01000000 00000000"))
    // A text is not a valid orientation.
    let text = try ExifBlock(
      parsing: hex("49492A00 08000000 0100 1201 0200 01000000 06000000 00000000"))
    #expect(text.orientation == nil)
  }

  /// An Exif directory with ColorSpace 1, as written by cameras.
  @Test func colorThatIsNotSRGBIsUncalibrated() throws {
    let before = hex(
      """
      49492A00 08000000 0100 6987 0400 01000000 1A000000 00000000
      0100 01A0 0300 01000000 01000000 00000000
      """)
    #expect(try ExifBlock(parsing: before).isMarkedSRGB)
    for isSRGB in [true, nil] {
      #expect(try ExifBlock.consistent(before, with: .upright, isSRGB: isSRGB) == before)
    }
    let after = try #require(try ExifBlock.consistent(before, with: .upright, isSRGB: false))
    var expected = before
    expected.replaceSubrange(36..<38, with: [0xFF, 0xFF])
    #expect(after == expected)
    #expect(try ExifBlock(parsing: after).number(.colorSpace) == 65_535)
    // A missing ColorSpace is not added.
    let silent = ExifBlock.minimal(orientation: .upright)
    #expect(try ExifBlock.consistent(silent, with: .upright, isSRGB: false) == silent)
  }

  /// Make "A\0", then a second directory: both must keep their offsets.
  @Test func newEntryMovesNothing() throws {
    let before = hex(
      """
      4D4D002A 00000008 0001 010F 0002 00000002 41000000 0000001A
      0000 00000000
      """)
    var exif = try ExifBlock(parsing: before)
    #expect(try exif.orientation == nil && exif.text(.make) == "A")
    try exif.setOrientation(.upright)
    #expect(exif.bytes == before)
    try exif.setOrientation(.mirrored)
    #expect(try exif.orientation == .mirrored && exif.text(.make) == "A")
    // Of the directory that was copied, nothing remains.
    #expect(exif.bytes[8..<26].allSatisfy { $0 == 0 })
    #expect(try exif.bytes[26..<32] == before[26...] && exif.unreadValues.isEmpty)
    #expect(exif.structure.directories.map(\.offset) == [32, 26])
    #expect(exif.main.entries.map(\.tag) == [.make, .orientation])
  }

  @Test func locationAndTexts() throws {
    // Directory with an Exif and a GPS pointer; GPS contains a version and a latitude reference.
    let bytes = hex(
      """
      4D4D002A 00000008
      0002 8769 0004 00000001 00000026 8825 0004 00000001 00000038 00000000
      0001 A001 0003 00000001 00010000 00000000
      0002 0000 0001 00000004 02030000 0001 0002 00000002 4E000000 00000000
      """)
    let exif = try ExifBlock(parsing: bytes)
    #expect(try exif.hasLocation)
    #expect(exif.isMarkedSRGB)
    #expect(try !ExifBlock(parsing: ExifBlock.minimal(orientation: .upright)).hasLocation)
  }

  @Test func survivesDamage() throws {
    let bytes = hex(
      """
      4D4D002A 00000008
      0002 8769 0004 00000001 00000026 8825 0004 00000001 00000038 00000000
      0001 A001 0003 00000001 00010000 00000000
      0002 0000 0001 00000004 02030000 0001 0002 00000002 4E000000 00000000
      """)
    for broken in Damage.truncations(of: bytes, count: bytes.count)
      + Damage.mutations(of: bytes, count: 2000)
    {
      guard var exif = try? ExifBlock(parsing: broken) else { continue }
      _ = (try exif.hasLocation, exif.isMarkedSRGB, try exif.text(.make), exif.orientation)
      if (try? exif.setOrientation(.transposed)) != nil { #expect(exif.orientation == .transposed) }
    }
  }
}

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
    #expect(try block.unreadValues.isEmpty)
    #expect(block.bytes.count == hex(Self.block).count - 4)
    #expect(block.number(.init(rawValue: 0xA003)) == 3024)
    // Empty strips do not matter.
    var empty = try ExifBlock(
      parsing: hex(
        """
        4D4D002A 00000008 0000 0000000E
        0004 0111 0004 00000001 00000000 0117 0004 00000001 00000000
        0201 0004 00000001 00000044 0202 0004 00000001 00000004 00000000
        FFD8FFD9
        """))
    #expect(try empty.removeThumbnail() && empty.bytes.allSatisfy { $0 != 0xFF })
    // A thumbnail inside the block is overwritten with zeros.
    var longer = try ExifBlock(parsing: hex(Self.block) + [1, 2])
    try longer.removeThumbnail()
    #expect(longer.bytes.suffix(6) == [0, 0, 0, 0, 1, 2])
  }
}

@Suite("Added Exif entries") struct ExifBlockAddingTests {
  /// Blocks with and without an Exif directory, short and long values.
  @Test(arguments: [false, true])
  func entriesAreAdded(hasExposure: Bool) throws {
    var block = try ExifBlock(parsing: ExifBlock.minimal(orientation: .rotated90))
    if hasExposure { try block.addToExposure(.isoSpeed, .short, [0, 100]) }
    let before = block.bytes
    let moved = block.tableRange(of: block.exposure ?? block.main)
    let note = Array("a note of 16 byte".utf8)
    try block.addToExposure(.makerNote, .undefined, note)
    let entry = try #require(block.exposure?[.makerNote])
    #expect(try block.structure.bytes(of: entry) == note)
    #expect(block.orientation == .rotated90)
    #expect(block.number(.isoSpeed) == (hasExposure ? 100 : nil))
    // Existing data keep their offsets; only the pointer to the moved directory changes, and its old bytes.
    let changed = before.indices.filter { block.bytes[$0] != before[$0] && !moved.contains($0) }
    #expect(changed.count <= 4, "\(changed)")
    #expect(block.bytes[moved].allSatisfy { $0 == 0 })
    let tags = block.exposure?.entries.map(\.tag.rawValue) ?? []
    #expect(tags == tags.sorted())
  }

  /// Completed Exif has each mandatory entry once and keeps existing values.
  @Test func completedForJPEG() throws {
    let minimal = ExifBlock.minimal(orientation: .rotated90)
    let bytes = try ExifBlock.completed(
      minimal, width: 640, height: 480, isGray: false, isSRGB: false)
    let block = try ExifBlock(parsing: bytes)
    #expect(block.main.entries.map(\.tag.rawValue) == [0x112, 0x11A, 0x11B, 0x128, 0x213, 0x8769])
    #expect(
      block.exposure?.entries.map(\.tag.rawValue)
        == [0x9000, 0x9101, 0xA000, 0xA001, 0xA002, 0xA003])
    #expect(block.orientation == .rotated90 && block.number(.xResolution) == 72)
    #expect(block.number(.pixelYDimension) == 480 && block.number(.colorSpace) == 0xFFFF)
    let again = try ExifBlock.completed(bytes, width: 1, height: 1, isGray: true, isSRGB: true)
    #expect(again == bytes)
  }

  @Test func littleEndian() throws {
    let bytes = hex("4949 2a00 08000000 0100 1201 0300 01000000 0600 0000 00000000")
    var block = try ExifBlock(parsing: bytes)
    try block.addToExposure(.makerNote, .undefined, [1, 2, 3, 4, 5])
    #expect(block.orientation == .rotated90)
    let entry = try #require(block.exposure?[.makerNote])
    #expect(try block.structure.bytes(of: entry) == [1, 2, 3, 4, 5])
  }
}
