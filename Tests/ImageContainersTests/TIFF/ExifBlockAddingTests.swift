import HDRCore
import TestSupport
import Testing

@testable import ImageContainers

@Suite("New entries in Exif") struct ExifBlockAddingTests {
  /// With and without a directory for the exposure, short values and long ones.
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
    // All that was there keeps its place, but for the pointer to the directory that has moved.
    let changed = before.indices.filter { block.bytes[$0] != before[$0] }
    #expect(changed.count <= 4, "\(changed)")
    let tags = block.exposure?.entries.map(\.tag.rawValue) ?? []
    #expect(tags == tags.sorted())
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
