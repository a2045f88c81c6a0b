// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Added Exif entries") struct ExifBlockAddingTests {
  /// Blocks with and without an Exif directory, short and long values.
  @Test(arguments: [false, true])
  func entriesAreAdded(hasExposure: Bool) throws {
    var block = try ExifBlock(parsing: ExifBlock.minimal(orientation: .rotated90))
    if hasExposure { try block.addToExposure(.isoSpeed, .short, [0, 100]) }
    let before = block.bytes
    let note = Array("a note of 16 byte".utf8)
    try block.addToExposure(.makerNote, .undefined, note)
    let entry = try #require(block.exposure?[.makerNote])
    #expect(try block.structure.bytes(of: entry) == note)
    #expect(block.orientation == .rotated90)
    #expect(block.number(.isoSpeed) == (hasExposure ? 100 : nil))
    // Existing data keep their offsets; only the pointer to the moved directory changes.
    let changed = before.indices.filter { block.bytes[$0] != before[$0] }
    #expect(changed.count <= 4, "\(changed)")
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
