// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("XMP in JPEG") struct JPEGXMPTests {
  typealias F = JPEGFixtures

  static let big = String(repeating: "0123456789", count: 9000)

  /// A packet with a large property as attribute or element, and a property that must not be moved.
  static func packet(isAttribute: Bool) -> [UInt8] {
    let attribute = isAttribute ? " d:Data=\"\(big)\"" : ""
    let element = isAttribute ? "" : "<d:Data>\(big)</d:Data>"
    return F.xmp(
      """
      <rdf:Description rdf:about="" xmlns:d="urn:depth" xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/" \
      g:Version="1.0"\(attribute)><d:Near>1</d:Near>\(element)</rdf:Description>
      """)
  }

  @Test(arguments: [true, false]) func longPacketsAreSplitAndMerged(isAttribute: Bool) throws {
    var image = try JPEGImageTests.parse(F.image(F.segment(.exif, [1])))
    try image.setXMP(Self.packet(isAttribute: isAttribute))
    #expect(F.roles(image).prefix(4) == [.exif, .xmp, .extendedXMP, .extendedXMP])
    let again = try JPEGImageTests.parse(try image.serialized().allBytes())

    let main = try XMPPacket(parsing: try #require(again.segments(.xmp).first).body)
    #expect(main[XMPName("http://ns.adobe.com/hdr-gain-map/1.0/", "Version")]?.text == "1.0")
    #expect(main[XMPName("urn:depth", "Near")]?.text == "1")
    #expect(main[XMPName("urn:depth", "Data")] == nil)

    var notices: [Notice] = []
    let merged = try XMPPacket(parsing: try #require(try again.xmp(notices: &notices)))
    #expect(notices == [])
    #expect(merged[XMPName("urn:depth", "Data")]?.text == Self.big)
    #expect(merged[XMPPacket.hasExtended] == nil)
    #expect(merged.properties.count == 3)

    try image.setXMP(XMPPacket.empty)
    #expect(F.roles(image).prefix(2) == [.exif, .xmp])
    #expect(image.segments(.extendedXMP).isEmpty)
  }

  /// As written by Pixel phones: private camera data are the largest part of the packet.
  @Test func notesOfACameraAreMoved() throws {
    let camera = "http://ns.google.com/photos/1.0/camera/"
    var image = try JPEGImageTests.parse(F.image())
    try image.setXMP(
      F.xmp(
        """
        <rdf:Description rdf:about="" xmlns:GCamera="\(camera)" GCamera:MotionPhoto="1" \
        GCamera:hdrp_makernote="\(Self.big)" GCamera:shot_log_data="\(Self.big)"/>
        """))
    let again = try JPEGImageTests.parse(try image.serialized().allBytes())
    let main = try XMPPacket(parsing: try #require(again.segments(.xmp).first).body)
    #expect(main[XMPName(camera, "MotionPhoto")]?.text == "1")
    #expect(main[XMPName(camera, "hdrp_makernote")] == nil)
    let merged = try #require(try again.readableXMP())
    #expect(merged[XMPName(camera, "hdrp_makernote")]?.text == Self.big)
    #expect(merged[XMPName(camera, "shot_log_data")]?.text == Self.big)
  }

  @Test func paddingIsDroppedWhereItDoesNotFit() throws {
    var image = try JPEGImageTests.parse(F.image())
    let padding = String(repeating: " ", count: 70_000)
    let packet = Array(
      String(decoding: XMPPacket.empty, as: UTF8.self)
        .replacing("<?xpacket end", with: "\(padding)<?xpacket end").utf8)
    try image.setXMP(packet)
    let body = try #require(image.segments(.xmp).first).body
    #expect(body.count < 1000)
    #expect(try XMPPacket(parsing: body).properties.count == 1)
  }

  @Test func brokenExtensionsAreLeftOut() throws {
    var image = try JPEGImageTests.parse(F.image())
    try image.setXMP(Self.packet(isAttribute: true))
    let index = try #require(image.parts.lastIndex { $0.role == .extendedXMP })
    var missing = image
    missing.parts.remove(at: index)
    var notices: [Notice] = []
    let packet = try XMPPacket(parsing: try #require(try missing.xmp(notices: &notices)))
    #expect(packet[XMPName("urn:depth", "Near")]?.text == "1")
    #expect(notices.map(\.category) == [.dropped])

    // The order of chunks and duplicate chunks do not matter.
    var shuffled = image
    shuffled.parts.insert(shuffled.parts.remove(at: index), at: 0)
    shuffled.parts.insert(shuffled.parts[0], at: 0)
    notices = []
    #expect(try #require(try shuffled.xmp(notices: &notices)).count > 90_000)
    #expect(notices == [])
  }

  @Test func packetsThatCannotBeSplitAreRefused() throws {
    var image = try JPEGImageTests.parse(F.image())
    let comment = F.xmp("<rdf:Description/><!-- \(Self.big) -->")
    #expect { try image.setXMP(comment) } throws: {
      ($0 as? ImageError)?.category == .invalidArgument
    }
    #expect(image.segments(.xmp).isEmpty)
  }

  @Test func containerDirectory() throws {
    let packet = try XMPPacket(parsing: F.directory(length: 42, padding: 7))
    #expect(packet.containerItems.map(\.semantic) == ["Primary", "GainMap"])
    #expect(packet.containerItems.map(\.length) == [0, 42])
    #expect(packet.containerItems.map(\.padding) == [7, 0])
    var edited = packet
    try edited.setContainerLength(1234, ofItem: 1)
    #expect(edited.bytes == F.directory(length: 1234, padding: 7))
    try edited.setContainerLength(1, ofItem: 0)  // It does not have a length.
    #expect(edited.bytes == F.directory(length: 1234, padding: 7))
  }
}
