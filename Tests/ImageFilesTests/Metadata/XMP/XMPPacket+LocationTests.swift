// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Removal of the location from XMP") struct XMPPacketLocationTests {
  @Test func removed() throws {
    var packet = try XMPPacket(parsing: LocationFixtures.xmp)
    #expect(try packet.hasLocation)
    #expect(try packet.removeLocation())
    #expect(try !packet.hasLocation && !LocationFixtures.isShown(in: packet.bytes))
    #expect(packet[XMPName("http://purl.org/dc/elements/1.1/", "format")]?.text == "image/x")
    #expect(try packet.removeLocation() == false)
  }

  @Test(arguments: [
    #"<rdf:Description xmlns:d="http://www.dji.com/drone-dji/1.0/" d:GpsLongtitude="8.1"/>"#,
    #"<rdf:Description xmlns:g="http://www.w3.org/2003/01/geo/wgs84_pos#"><g:lat>1</g:lat></rdf:Description>"#,
    #"<rdf:Description xmlns:d="http://x/"><d:a rdf:parseType="Resource"><d:decimalLatitude>1</d:decimalLatitude></d:a></rdf:Description>"#,
    #"<rdf:Description xmlns:c="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" c:Location="x"/>"#,
    #"<rdf:Description xmlns:i="http://ns.google.com/photos/1.0/container/item/" i:GPSLatitude="1"/>"#,
    #"<rdf:Description xmlns:x="http://x/" x:lat="1"/>"#,
    #"<rdf:Description xmlns:x="http://x/"><x:a>+48.8577+002.2950/</x:a></rdf:Description>"#,
    #"<rdf:Description rdf:about="+48.8577+002.2950/"/>"#,
  ])
  func forms(body: String) throws {
    var packet = try XMPPacket(parsing: JPEGFixtures.xmp(body))
    #expect(try packet.removeLocation())
    #expect(try !packet.hasLocation)
  }

  @Test(arguments: [
    #"<rdf:Description xmlns:p="http://ns.google.com/photos/1.0/panorama/" p:PoseHeadingDegrees="8"/>"#,
    #"<rdf:Description xmlns:x="http://x/" x:City="of god" x:Location="of the part"/>"#,
  ])
  func otherMeanings(body: String) throws {
    let before = JPEGFixtures.xmp(body)
    var packet = try XMPPacket(parsing: before)
    #expect(try packet.removeLocation() == false)
    #expect(packet.bytes == before)
  }
}

@Suite("XMP properties required for decoding") struct XMPPacketStructureTests {
  private func texts(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  @Test func droppedButForStructure() throws {
    var notices: [Notice] = []
    let old = JPEGFixtures.directory(length: 42)
    let kept = try XMPPacket.replacing(old, with: nil, notices: &notices)
    #expect(try XMPPacket(parsing: #require(kept)).containerItems.map(\.length) == [0, 42])
    #expect(notices.count == 1)
    #expect(try XMPPacket.replacing(LocationFixtures.xmp, with: nil, notices: &notices) == nil)
    #expect(notices.count == 1)
  }

  @Test func replacedButForStructure() throws {
    var notices: [Notice] = []
    let new = try XMPPacket.replacing(
      JPEGFixtures.directory(length: 42), with: LocationFixtures.xmp, notices: &notices)
    let packet = try XMPPacket(parsing: #require(new))
    #expect(packet.containerItems.map(\.length) == [0, 42])
    #expect(packet[XMPName("http://purl.org/dc/elements/1.1/", "format")]?.text == "image/x")
    // The directory of the new packet is replaced by the old one.
    let other = try XMPPacket.replacing(
      JPEGFixtures.directory(length: 42), with: JPEGFixtures.directory(length: 7),
      notices: &notices)
    #expect(try XMPPacket(parsing: #require(other)).containerItems.map(\.length) == [0, 42])
  }

  /// Without other metadata, a packet keeps the numbers and words of a gain map in any spelling that is read.
  @Test func spellingsOfGainMaps() throws {
    let attributes = [
      "GainMapMax": " 2.5", "GainMapMin": "0,0.5, 1", "BaseRenditionIsHDR": "TRUE",
      "BaseRendition": "HighDynamicRange", "Gamma": "1e0", "OffsetSDR": "Anna", "OffsetHDR": "1,x",
    ]
    let body = attributes.map { "h:\($0)=\"\($1)\"" }.joined(separator: " ")
    let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    let packet = try XMPPacket(
      parsing: JPEGFixtures.xmp("<rdf:Description xmlns:h=\"\(namespace)\" \(body)/>"))
    let kept = try XMPPacket(parsing: try #require(try packet.structureOnly()))
    for (name, text) in attributes {
      let isText = name == "OffsetSDR" || name == "OffsetHDR"
      #expect(kept[XMPName(namespace, name)]?.text == (isText ? nil : text), "\(name)")
    }
  }
}
