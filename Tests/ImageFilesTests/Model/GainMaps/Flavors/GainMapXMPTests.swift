// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain maps in XMP") struct GainMapXMPTests {
  static func packet(_ body: String) throws(ImageError) -> XMPPacket {
    try XMPPacket(
      parsing: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:g="\(GainMapXMP.namespace)" \(body)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  static func read(_ packet: XMPPacket) throws -> (GainMapMetadata, [Notice]) {
    var notices: [Notice] = []
    let description = try GainMapXMP.description(of: packet, notices: &notices)
    let metadata = description.metadata
    #expect(description.flavor == .xmp)
    return (metadata, notices)
  }

  /// The sample of a Pixel 6 Pro; missing values have the defaults of v1.0.
  @Test func worked2a() throws {
    let (metadata, notices) = try Self.read(
      try Self.packet(
        """
        g:Version="1.0" g:GainMapMin="0.000000" g:GainMapMax="2.656715" g:HDRCapacityMin="0.000000"
        g:HDRCapacityMax="2.656715" g:OffsetHDR="0.000000" g:OffsetSDR="0.000000">
        """))
    #expect(notices == [])
    #expect(
      ISO21496Payload(metadata).serialized
        == hex(
          """
          00000000 40 0000000000000001 00081b8f00030d40 0000000000000001 00081b8f00030d40
          0000000100000001 0000000000000001 0000000000000001
          """))
  }

  /// Photoshop's AVIF with an HDR baseline image: sequences, and swapped images.
  @Test func worked2b() throws {
    func sequence(_ name: String, _ values: String...) -> String {
      let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      return "<g:\(name)><rdf:Seq>\(items)</rdf:Seq></g:\(name)>"
    }
    let packet = try Self.packet(
      """
      g:Version="1.0" g:BaseRenditionIsHDR="True" g:HDRCapacityMin="0" g:HDRCapacityMax="1.3"
      g:OffsetSDR="0.015625" g:OffsetHDR="0.015625">
      \(sequence("GainMapMin", "-0.256907", "-0.261365", "-0.280284"))
      \(sequence("GainMapMax", "1.277177", "1.277203", "1.277969"))
      \(sequence("Gamma", "0.953784", "0.941095", "0.919422"))
      """)
    let (metadata, notices) = try Self.read(packet)
    #expect(notices == [])
    #expect(metadata.isBaseHDR)
    #expect(
      ISO21496Payload(metadata).serialized
        == hex(
          """
          00000000 c0 0000000d0000000a 0000000000000001
          fffc1475000f4240 00137cf9000f4240 0001d1b70001e848 0000000100000040 0000000100000040
          ffff33cf00030d40 00137d13000f4240 0002df3b00030d40 0000000100000040 0000000100000040
          fffeee490003d090 00138011000f4240 000703bf0007a120 0000000100000040 0000000100000040
          """))
  }

  @Test func absentNumbersHaveDefaults() throws {
    var notices: [Notice] = []
    let packet = try Self.packet(
      "g:Version=\"1.0\"><g:GainMapMax>2</g:GainMapMax><g:HDRCapacityMax> 3 </g:HDRCapacityMax>")
    let description = try GainMapXMP.description(of: packet, notices: &notices)
    let metadata = description.metadata
    let channel = metadata.channels[0]
    #expect(channel.minimum == SignedRational(0))
    #expect(channel.gamma == UnsignedRational(1))
    #expect(channel.baseOffset == SignedRational(1, 64))
    #expect(channel.alternateOffset == SignedRational(1, 64))
    #expect(metadata.baseHeadroom == UnsignedRational(0))
    #expect(metadata.alternateHeadroom == UnsignedRational(3))
    #expect(notices == [])
    let origins = Dictionary(
      description.numbers.map { ($0.name, $0.origin) }, uniquingKeysWith: { first, _ in first })
    #expect(origins["Gamma"] == "hdrgm:Gamma is absent")
    #expect(origins["GainMapMax"] == "hdrgm:GainMapMax")
    #expect(description.numbers.map(\.source.rawValue).filter { $0 == "default" }.count == 6)
  }

  /// Unusual forms: one value for some properties, three for others; three in one text.
  @Test func irregularValues() throws {
    let mixed = try Self.packet(
      """
      g:Gamma="0.5" g:HDRCapacityMax="4" g:GainMapMax="1, 2,3" g:OffsetSDR="1e-07">
      <g:OffsetHDR><rdf:Seq><rdf:li>0.25</rdf:li></rdf:Seq></g:OffsetHDR>
      """)
    let (metadata, notices) = try Self.read(mixed)
    #expect(notices.count == 1)  // The version is missing.
    #expect(metadata.channels.all.map(\.maximum.value) == [1, 2, 3])
    #expect(metadata.channels.all.map(\.gamma.value) == [0.5, 0.5, 0.5])
    #expect(metadata.channels[2].alternateOffset.value == 0.25)
    #expect(metadata.channels[1].baseOffset == SignedRational(1, 10_000_000))
    let start = "g:Version=\"1.0\" g:GainMapMax=\"1\" g:HDRCapacityMax=\"1\""
    #expect(try Self.read(try Self.packet(start + " g:BaseRenditionIsHDR=\"true\">")).0.isBaseHDR)
    #expect(try Self.read(try Self.packet(start + " g:BaseRendition=\"HDR\">")).0.isBaseHDR)
    #expect(try !Self.read(try Self.packet(start + " g:BaseRendition=\"SDR\">")).0.isBaseHDR)
    #expect(try Self.read(try Self.packet(start + " g:OffsetSDR=\"-1\">")).1.count == 1)
  }

  @Test(arguments: [
    "g:Version='1.0' g:GainMapMax='1'>", "g:Version='1.0' g:HDRCapacityMax='1'>",
    "g:Version='2.0' g:GainMapMax='1' g:HDRCapacityMax='1'>",
    "g:GainMapMax='one' g:HDRCapacityMax='1'>", "g:GainMapMax='1,2' g:HDRCapacityMax='1'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1' g:HDRCapacityMin='2'>",
    "g:GainMapMax='1' g:HDRCapacityMax='-1'>", "g:GainMapMax='1' g:HDRCapacityMax='1,2,3'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1' g:Gamma='0'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1' g:Gamma='-1'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1' g:GainMapMin='2'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1' g:BaseRenditionIsHDR='maybe'>",
    "g:GainMapMax='1e9' g:HDRCapacityMax='1'>",
    "g:GainMapMax='1' g:HDRCapacityMax='1'><g:Gamma><rdf:Seq><rdf:li>1</rdf:li><rdf:li>1</rdf:li></rdf:Seq></g:Gamma>",
    "g:GainMapMax='1' g:HDRCapacityMax='1'><g:Gamma><rdf:Seq/></g:Gamma>",
  ])
  func nonsenseIsATypedError(body: String) throws {
    let packet = try Self.packet(body)
    var notices: [Notice] = []
    #expect(throws: ImageError.self) { try GainMapXMP.description(of: packet, notices: &notices) }
  }

  /// Attributes, elements and sequences, in one description or several, are equivalent.
  @Test func formsAreEquivalent() throws {
    let attributes = try Self.packet(
      "g:Version='1.0' g:GainMapMin='0.5' g:GainMapMax='2' g:Gamma='0.5' g:HDRCapacityMax='2'>")
    let elements = try Self.packet(
      """
      g:Version='1.0'><g:GainMapMin>0.5</g:GainMapMin><g:HDRCapacityMax>2</g:HDRCapacityMax>
      </rdf:Description><rdf:Description xmlns:other="\(GainMapXMP.namespace)" other:Gamma="0.5">
      <other:GainMapMax><rdf:Seq><rdf:li>2</rdf:li></rdf:Seq></other:GainMapMax>
      """)
    #expect(try Self.read(attributes).0 == Self.read(elements).0)
  }

  @Test func announcementIsNoDescription() throws {
    #expect(!GainMapXMP.describesMap(try Self.packet("g:Version='1.0'>")))
    #expect(!GainMapXMP.describesMap(try XMPPacket(parsing: XMPPacket.empty)))
    #expect(GainMapXMP.describesMap(try Self.packet("g:OffsetSDR='1.0'>")))
  }
}
