// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("XMP values") struct XMPPacketValuesTests {
  static let prefixes = ["urn:a": "a", "urn:b": "b"]
  static let name = XMPName("urn:a", "List")

  static let values: [XMPValue] = [
    .text("<1> & 2"), .array([.text("1"), .text("2"), .text("3")]),
    .structure([.init(name: XMPName("urn:b", "x"), value: .text("1"))]),
    .array([
      .structure([
        .init(
          name: XMPName("urn:a", "Item"),
          value: .structure([
            .init(name: XMPName("urn:b", "x"), value: .text("1")),
            .init(name: XMPName("urn:b", "y"), value: .text("\"2\"")),
          ]))
      ]),
      .structure([
        .init(name: XMPName("urn:b", "list"), value: .array([.text("1"), .text("2")])),
        .init(name: XMPName("urn:b", "y"), value: .text("")),
      ]),
    ]),
  ]

  /// A value that was set is read back from any packet, and other properties are unchanged.
  @Test(arguments: [
    "<rdf:Description rdf:about=''/>", "", "<rdf:Description rdf:about='' a:List='1'/>",
    "<rdf:Description rdf:about='' ><a:List>1</a:List><b:z>7</b:z></rdf:Description>",
    "<rdf:Description xmlns:b='urn:other' b:z='1'/>",
    "<rdf:Description><b:z/></rdf:Description><rdf:Description a:List='2'/>",
  ])
  func setValuesAreRead(body: String) throws {
    for value in Self.values {
      var packet = try Self.packet(body)
      let others = packet.properties.filter { $0.name != Self.name }
      try packet.set(value, for: Self.name, prefixes: Self.prefixes)
      #expect(packet[Self.name] == value, "\(body)")
      #expect(packet.properties.filter { $0.name != Self.name } == others)
      try packet.set(.text("done"), for: Self.name, prefixes: [:])
      #expect(packet[Self.name] == .text("done"))
    }
  }

  /// Some readers require namespaces to be declared on the description.
  @Test func namespacesAreDeclaredOnTheDescription() throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try packet.set(Self.values[3], for: Self.name, prefixes: Self.prefixes)
    let text = String(decoding: packet.bytes, as: UTF8.self)
    #expect(
      text.contains(
        "<rdf:Description rdf:about=\"\" xmlns:a=\"urn:a\" xmlns:b=\"urn:b\"><a:List><rdf:Seq>"
          + "<rdf:li rdf:parseType=\"Resource\"><a:Item b:x=\"1\" b:y=\"&quot;2&quot;\"/></rdf:li>")
    )
  }

  @Test func unknownNamespacesGetAPrefix() throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try packet.set(.text("1"), for: Self.name, prefixes: [:])
    #expect(packet[Self.name] == .text("1"))
    var empty = try XMPPacket(parsing: Array("<x/>".utf8))
    #expect(throws: ImageError.self) {
      try empty.set(.text("1"), for: Self.name, prefixes: Self.prefixes)
    }
  }

  private static func packet(_ body: String) throws(ImageError) -> XMPPacket {
    try XMPPacket(
      parsing: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:a="urn:a" xmlns:b="urn:b"
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(body)</rdf:RDF></x:xmpmeta>
        """.utf8))
  }
}
