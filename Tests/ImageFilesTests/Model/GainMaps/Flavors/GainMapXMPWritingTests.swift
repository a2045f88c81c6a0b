// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Writing hdrgm") struct GainMapXMPWritingTests {
  private func read(_ packet: XMPPacket) throws -> GainMapMetadata {
    var notices: [Notice] = []
    return try GainMapXMP.description(of: packet, notices: &notices).metadata
  }

  @Test func announcementIsNoDescription() throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try GainMapXMP.announce(in: &packet)
    #expect(packet[GainMapXMP.versionName]?.text == "1.0")
    #expect(!GainMapXMP.describesMap(packet))
    try GainMapXMP.remove(from: &packet)
    #expect(packet.properties.isEmpty)
  }

  /// One channel is written as attributes only, which libultrahdr requires.
  @Test func oneChannelIsAttributes() throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    let metadata = try metadata(
      minimum: -0.57609993, maximum: 4.7090998, gamma: 1, alternateHeadroom: 4.7090998)
    try GainMapXMP.write(metadata, into: &packet)
    let text = String(decoding: packet.bytes, as: UTF8.self)
    for attribute in [
      "Version=\"1.0\"", "BaseRenditionIsHDR=\"False\"", "Gamma=\"1\"", "OffsetSDR=\"0.015625\"",
      "OffsetHDR=\"0.015625\"", "HDRCapacityMin=\"0\"",
    ] {
      #expect(text.contains(" hdrgm:\(attribute)"))
    }
    #expect(!text.contains("<hdrgm:"))
    #expect(try read(packet).disagreements(with: metadata) == [])
  }

  /// ISO to XMP and back preserves the values; XMP to ISO and back preserves the text.
  @Test func roundTrips() throws {
    for (name, item) in ISO21496PayloadTests.items {
      var notices: [Notice] = []
      let metadata = try ISO21496Payload(parsingToneMapItem: item, notices: &notices).metadata
      var packet = try XMPPacket(parsing: XMPPacket.empty)
      try GainMapXMP.write(metadata, into: &packet)
      let back = try read(packet)
      for (ours, theirs) in zip(back.channels.all, metadata.channels.all) {
        #expect(ours.hasSameValues(as: theirs), "\(name)")
      }
      var again = packet
      try GainMapXMP.write(back, into: &again)
      #expect(again.bytes == packet.bytes, "\(name)")
    }
  }

  /// Rewriting replaces sequences by attributes and vice versa, without leftover properties.
  @Test func rewritingReplaces() throws {
    var notices: [Notice] = []
    let three = try ISO21496Payload(
      parsingToneMapItem: ISO21496PayloadTests.items[1].bytes, notices: &notices
    ).metadata
    let one = try metadata()
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    let odd = XMPName(GainMapXMP.namespace, "Odd")
    try packet.set("1", for: odd, prefix: "g")
    for wanted in [three, one, three, one] {
      try GainMapXMP.write(wanted, into: &packet)
      #expect(try read(packet).disagreements(with: wanted) == [])
      #expect(packet[odd]?.text == "1")
    }
  }

  @Test func parametersThatXMPCannotStore() throws {
    #expect(GainMapXMP.obstacle(to: try metadata(), mapIsGray: false) == nil)
    let other = try metadata(usesBaseColorSpace: false)
    #expect(GainMapXMP.obstacle(to: other, mapIsGray: true) == nil)
    #expect(GainMapXMP.obstacle(to: other, mapIsGray: false) != nil)
    let offsets = try metadata(baseOffset: 0.01, alternateOffset: 0.02, usesBaseColorSpace: false)
    #expect(GainMapXMP.obstacle(to: offsets, mapIsGray: true) != nil)
    #expect(GainMapXMP.obstacle(to: try metadata(baseOffset: -0.1), mapIsGray: true) != nil)
  }
}
