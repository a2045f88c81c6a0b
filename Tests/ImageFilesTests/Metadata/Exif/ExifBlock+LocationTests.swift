// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

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
