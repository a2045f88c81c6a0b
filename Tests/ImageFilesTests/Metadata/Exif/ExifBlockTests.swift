// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

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
    #expect(Array(exif.bytes[8..<before.count]) == Array(before[8...]))
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
