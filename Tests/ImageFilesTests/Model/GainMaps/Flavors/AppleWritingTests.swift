// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Writing Apple metadata") struct AppleWritingTests {
  /// Every headroom up to 3 stops is written so that the rule yields the same value.
  @Test func numbersForHeadrooms() throws {
    for step in 0...300 {
      let stops = Double(step) / 100
      let note = AppleMakerNote(headroom: Headroom(stops: stops))
      let back = try #require(AppleMakerNote(parsing: note.serialized)?.headroom)
      #expect(isClose(back.stops, stops, absolute: 1e-4), "\(stops)")
    }
    #expect(AppleMakerNote(headroom: Headroom(stops: 4)).headroom?.stops == 3)
  }

  @Test func makerNoteInExif() throws {
    let note = AppleMakerNote(headroom: Headroom(stops: 1.25))
    var exif: [UInt8] = []
    try note.write(into: &exif)
    func stops() throws -> Double {
      try #require(AppleMakerNote(try ExifBlock(parsing: exif))?.headroom).stops
    }
    #expect(isClose(try stops(), 1.25, absolute: 1e-6))
    let size = exif.count
    try AppleMakerNote(headroom: Headroom(stops: 2.5)).write(into: &exif)
    #expect(isClose(try stops(), 2.5, absolute: 1e-6))
    #expect(exif.count == size)
  }

  /// The maker notes of other manufacturers are not modified.
  @Test func foreignNotesStay() throws {
    var other = try ExifBlock(parsing: ExifBlock.minimal(orientation: .upright))
    try other.addToExposure(.makerNote, .undefined, Array("Nikon\0".utf8))
    var bytes = other.bytes
    #expect(throws: ImageError.self) {
      try AppleMakerNote(headroom: Headroom(stops: 1)).write(into: &bytes)
    }
    #expect(bytes == other.bytes)
  }

  @Test(arguments: [false, true])
  func xmp(isJPEG: Bool) throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try AppleGainMapXMP.write(Headroom(ratio: 4.880772), into: &packet, isJPEG: isJPEG)
    let xmp = try #require(AppleGainMapXMP(packet))
    #expect(xmp.version == 131_072)
    #expect(xmp.headroom == 4.880772)
    #expect((xmp.auxiliaryType == GainMapAuxiliary.appleType) == isJPEG)
    try AppleGainMapXMP.remove(from: &packet)
    #expect(AppleGainMapXMP(packet) == nil)
    #expect(packet.properties.isEmpty)
  }
}
