// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Testing

@testable import ImageFiles

@Suite("XMP") struct XMPPacketTests {
  static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  static let container = "http://ns.google.com/photos/1.0/container/"
  static let item = "http://ns.google.com/photos/1.0/container/item/"

  static func packet(_ body: String) throws(ImageError) -> XMPPacket {
    try XMPPacket(
      parsing: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(body)</rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  static func text(_ packet: XMPPacket) -> String { String(decoding: packet.bytes, as: UTF8.self) }

  @Test func attributesAndElementsAreTheSame() throws {
    let packet = try Self.packet(
      """
      <rdf:Description rdf:about="" xmlns:g="\(Self.gainMap)" g:Version='1.0' g:Odd="&#x41;&amp;&lt;">
        <g:GainMapMax><rdf:Seq><rdf:li>1.5</rdf:li><rdf:li>2</rdf:li></rdf:Seq></g:GainMapMax>
        <g:Gamma>0.<!-- half -->5</g:Gamma><g:Raw><![CDATA[<&>]]></g:Raw>
      </rdf:Description>
      <rdf:Description xmlns="\(Self.gainMap)"><Late rdf:resource="urn:x"/></rdf:Description>
      """)
    func name(_ local: String) -> XMPName { XMPName(Self.gainMap, local) }
    #expect(packet[name("Version")]?.text == "1.0")
    #expect(packet[name("Odd")]?.text == "A&<")
    #expect(packet[name("GainMapMax")]?.texts == ["1.5", "2"])
    #expect(packet[name("GainMapMax")]?.text == nil)
    #expect(packet[name("Gamma")]?.text == "0.5")
    #expect(packet[name("Raw")]?.text == "<&>")
    #expect(packet[name("Late")]?.text == "urn:x")
    #expect(packet[name("None")] == nil)
    #expect(
      packet.properties.map(\.name.local)
        == ["Version", "Odd", "GainMapMax", "Gamma", "Raw", "Late"])
  }

  /// The directory of an Ultra HDR JPEG, in the syntaxes that phones write.
  @Test(arguments: [
    """
    <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="GainMap" I:Length="42"/></rdf:li>
    """,
    """
    <rdf:li rdf:parseType="Resource"><C:Item rdf:parseType="Resource"
     ><I:Semantic>GainMap</I:Semantic><I:Length>42</I:Length></C:Item></rdf:li>
    """,
    """
    <rdf:li><rdf:Description><C:Item><rdf:Description I:Semantic="GainMap"><I:Length
    >42</I:Length></rdf:Description></C:Item></rdf:Description></rdf:li>
    """,
  ])
  func nestedStructures(item: String) throws {
    let packet = try Self.packet(
      """
      <rdf:Description xmlns:C="\(Self.container)" xmlns:I="\(Self.item)"><C:Directory><rdf:Seq>
      \(item)</rdf:Seq></C:Directory></rdf:Description>
      """)
    let items = packet[XMPName(Self.container, "Directory")]?.items ?? []
    #expect(items.count == 1)
    let found = items.first?[XMPName(Self.container, "Item")]
    #expect(found?[XMPName(Self.item, "Semantic")]?.text == "GainMap")
    #expect(found?[XMPName(Self.item, "Length")]?.text == "42")
  }

  @Test func qualifiedValues() throws {
    let packet = try Self.packet(
      """
      <rdf:Description xmlns:d="urn:d"><d:a rdf:parseType="Resource"><rdf:value>v</rdf:value><d:q>1</d:q
      ></d:a><d:t><rdf:Alt><rdf:li xml:lang="x-default">hello</rdf:li></rdf:Alt></d:t></rdf:Description>
      """)
    #expect(packet[XMPName("urn:d", "a")] == .text("v"))
    #expect(packet[XMPName("urn:d", "t")]?.text == "hello")
  }

  @Test(arguments: [
    ("<a:b/>", "prefix \"{prefix}\" is not declared"),
    ("<rdf:Description><x></rdf:Description></x>", "end tag without a start tag"),
    ("<rdf:Description a='1' a='2'/>", "duplicate {element}"), ("&nbsp;", "unknown reference"),
    ("&#xFFFFFFFF;", "unknown reference"),
    ("<rdf:Description xmlns::a='u'/>", "\"{name}\" is not a name"),
    ("<rdf:Description a=1/>", "syntax error: {detail}"),
    ("<rdf:Description a='<'/>", "syntax error: {detail}"),
    ("<!DOCTYPE x>", "a document type declaration is not allowed in XMP"),
    ("<!-- ", "\"{literal}\" is missing"), ("<1/>", "syntax error: {detail}"),
    ("<a", "{element} is not terminated"), ("<x b='1'c='2'/>", "{element} is not terminated"),
  ])
  func brokenTextIsATypedError(body: String, text: String) {
    #expect { try Self.packet(body) } throws: { error in
      guard let error = error as? ImageError else { return false }
      return error.category == .malformed && error.code.english == text
    }
  }

  @Test func limitsHold() {
    let deep = String(repeating: "<rdf:x>", count: 40)
    #expect { try Self.packet(deep) } throws: { ($0 as? ImageError)?.category == .limitExceeded }
    let many = (0..<300).map { " xmlns:p\($0)='u'" }.joined()
    #expect { try Self.packet("<rdf:x\(many)/>") } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
    #expect(throws: ImageError.self) { try XMPPacket(parsing: [0xC3, 0x28]) }
    #expect(throws: ImageError.self) { try XMPPacket(parsing: []) }
    #expect(throws: ImageError.self) { try XMPPacket(parsing: Array("<a/><b/>".utf8)) }
    #expect(throws: ImageError.self) { try XMPPacket(parsing: Array("<a/>text".utf8)) }
  }

  @Test func utf16IsConverted() throws {
    let text = String(decoding: XMPPacket.packet(diffuseWhite: 100), as: UTF8.self)
    for (mark, isBig) in [([UInt8]([0xFE, 0xFF]), true), ([0xFF, 0xFE], false), ([], true)] {
      let units = ("<?xml version='1.0' encoding='UTF-16'?>" + text).utf16.flatMap {
        isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      let packet = try XMPPacket(parsing: mark + units)
      var notices: [Notice] = []
      #expect(Self.text(packet) == text)
      #expect(packet.diffuseWhite(notices: &notices) == 100)
      #expect(packet.notices.count == 1)
    }
  }

  @Test func diffuseWhiteIsAdded() throws {
    var packet = try Self.packet(
      "<rdf:Description a:b=\"1\" xmlns:a=\"urn:a\" ><a:c/> </rdf:Description>\n")
    let before = Self.text(packet)
    try packet.setDiffuseWhite(203.5)
    #expect(
      Self.text(packet)
        == before.replacing(
          "\"urn:a\"",
          with: "\"urn:a\" xmlns:hdrc=\"urn:x-hdrconvert:xmp:1.0/\" hdrc:DiffuseWhite=\"203.5\""))
    var notices: [Notice] = []
    #expect(packet.diffuseWhite(notices: &notices) == 203.5)
    try packet.setDiffuseWhite(nil)
    #expect(
      Self.text(packet)
        == before.replacing("\"urn:a\"", with: "\"urn:a\" xmlns:hdrc=\"urn:x-hdrconvert:xmp:1.0/\"")
    )
    #expect(notices == [])
  }

  @Test(arguments: [
    ("<rdf:Description xmlns:p=\"urn:x-hdrconvert:xmp:1.0/\" p:DiffuseWhite='1' />", "'1'", "'9'"),
    (
      "<rdf:Description><h:DiffuseWhite xmlns:h='urn:x-hdrconvert:xmp:1.0/'\n>1</h:DiffuseWhite> </rdf:Description>",
      "'\n>1<", "'>9<"
    ),
    (
      "<rdf:Description><h:DiffuseWhite xmlns:h='urn:x-hdrconvert:xmp:1.0/' xml:lang='en'/></rdf:Description>",
      " xml:lang='en'/>", ">9</h:DiffuseWhite>"
    ),
    (
      "<rdf:Description xmlns:p=\"urn:x-hdrconvert:xmp:1.0/\"/>", "xmp:1.0/\"",
      "xmp:1.0/\" p:DiffuseWhite=\"9\""
    ),
    (
      "<rdf:Description xmlns:hdrc=\"urn:other\"/>", "\"urn:other\"",
      "\"urn:other\" xmlns:hdrc2=\"urn:x-hdrconvert:xmp:1.0/\" hdrc2:DiffuseWhite=\"9\""
    ),
    (
      " ", "#\"> ",
      "#\"><rdf:Description rdf:about=\"\" xmlns:hdrc=\"urn:x-hdrconvert:xmp:1.0/\" hdrc:DiffuseWhite=\"9\"/> "
    ),
    (
      "<rdf:Description xmlns:p=\"urn:x-hdrconvert:xmp:1.0/\" p:DiffuseWhite='1'><p:DiffuseWhite>2</p:DiffuseWhite></rdf:Description>",
      "'1'><p:DiffuseWhite>2</p:DiffuseWhite>", "'9'>"
    ),
  ])
  func diffuseWhiteIsSetInItsPlace(body: String, old: String, new: String) throws {
    var packet = try Self.packet(body)
    let before = Self.text(packet)
    #expect(before.contains(old))
    try packet.setDiffuseWhite(9)
    #expect(Self.text(packet) == before.replacing(old, with: new))
  }

  @Test func emptyRDFIsOpened() throws {
    var packet = try XMPPacket(
      parsing: Array("<r:RDF xmlns:r='\(XMPName.rdfNamespace)'/>\n\0\0".utf8))
    try packet.setDiffuseWhite(48)
    var notices: [Notice] = []
    #expect(packet.diffuseWhite(notices: &notices) == 48)
    #expect(Self.text(packet).hasSuffix("</r:RDF>\n\0\0"))
    var other = try XMPPacket(parsing: Array("<html/>".utf8))
    #expect(throws: ImageError.self) { try other.setDiffuseWhite(48) }
  }

  @Test(arguments: [
    (0, "0"), (203, "203"), (203.5, "203.5"), (0.0001, "0.0001"), (100.0625, "100.0625"),
    (10_000, "10000"),
  ])
  func decimals(luminance: Double, text: String) throws {
    let packet = try XMPPacket(parsing: XMPPacket.packet(diffuseWhite: luminance))
    #expect(packet[XMPPacket.diffuseWhite]?.text == text)
    var notices: [Notice] = []
    #expect(packet.diffuseWhite(notices: &notices) == luminance)
    #expect(notices.isEmpty)
  }

  @Test func lightLevels() throws {
    var notices: [Notice] = []
    #expect(try XMPPacket(parsing: XMPPacket.empty).lightLevel(notices: &notices) == nil)
    let level = LightMetadata.ContentLightLevel(maximum: 1000.5, maximumAverage: 80)
    let bytes = try XMPPacket.consistent(
      XMPPacket.packet(diffuseWhite: 203), withLightLevel: level)
    var packet = try XMPPacket(parsing: try #require(bytes))
    #expect(packet.lightLevel(notices: &notices) == level)
    #expect(packet.diffuseWhite(notices: &notices) == 203)
    let text = Self.text(packet)
    #expect(text.contains("hdrc:MaxCLL=\"1000.5\"") && text.contains("hdrc:MaxFALL=\"80\""))
    #expect(notices == [])
    let name = XMPName(XMPPacket.diffuseWhite.namespace, "MaxCLL")
    try packet.set("bright", for: name, prefix: "hdrc")
    #expect(packet.lightLevel(notices: &notices) == nil)
    #expect(notices.map(\.code.english) == ["ignored: {name} {value} is not a luminance"])
    try packet.remove(name)
    #expect(packet.lightLevel(notices: &notices) == .init(maximum: 0, maximumAverage: 80))
    try packet.setLightLevel(nil)
    #expect(packet.lightLevel(notices: &notices) == nil)
    #expect(try XMPPacket.consistent(nil, withLightLevel: nil) == nil)
  }

  @Test(arguments: ["", "bright", "-1", "nan", "10001", "1e999", "1e-120", "0.00009"])
  func senselessLuminances(text: String) throws {
    var packet = try XMPPacket(parsing: XMPPacket.packet(diffuseWhite: 1))
    try packet.set(text, for: XMPPacket.diffuseWhite, prefix: "hdrc")
    var notices: [Notice] = []
    #expect(packet.diffuseWhite(notices: &notices) == nil)
    #expect(notices.count == 1)
  }

  @Test func textIsEscaped() throws {
    let name = XMPName("urn:a", "b")
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try packet.set("<\"'&\n>é", for: name, prefix: "a")
    #expect(packet[name]?.text == "<\"'&\n>é")
    try packet.remove(name)
    #expect(packet[name] == nil)
  }

  /// Elements share inherited namespaces: memory is proportional to the number of declarations.
  @Test func namespacesAreShared() throws {
    let declarations = (0..<200).map { " xmlns:p\($0)=\"urn:\($0)\"" }.joined()
    let items = String(repeating: "<p1:a xmlns:q=\"urn:q\"/>", count: 20_000)
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\
      <rdf:Description\(declarations)>\(items)</rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let packet = try XMPPacket(parsing: Array(text.utf8))
    #expect(packet.tree.elements.count == 20_003)
    let element = try #require(packet.tree.elements.last)
    #expect(element.name == XMPName("urn:1", "a"))
    #expect(element.namespaces["q"] == "urn:q" && element.namespaces["p199"] == "urn:199")
    #expect(element.namespaces.count == 204)
  }

  @Test func tooManyNamespacesAreRefused() {
    func error(_ count: Int, nested: Bool) -> ImageError? {
      let declarations = (0..<count).map { " xmlns:p\($0)=\"urn:\($0)\"" }
      let text =
        nested
        ? declarations.prefix(30).map { "<a\($0)>" }.joined()
          + "<b\(declarations.dropFirst(30).joined())/>"
          + String(repeating: "</a>", count: min(30, count))
        : "<a\(declarations.joined())/>"
      do throws(ImageError) {
        _ = try XMPPacket(parsing: Array(text.utf8))
        return nil
      } catch { return error }
    }
    for nested in [false, true] {
      #expect(error(255, nested: nested) == nil)
      #expect(error(256, nested: nested)?.category == .limitExceeded)
    }
  }

  @Test func tooManyAttributesAreRefused() {
    let element = "<a" + (0..<4000).map { " b\($0)=''" }.joined() + "/>"
    let text = "<r>" + String(repeating: element, count: 66) + "</r>"
    let error = #expect(throws: ImageError.self) { try XMPPacket(parsing: Array(text.utf8)) }
    #expect(error?.category == .limitExceeded)
  }

  @Test func manyPropertiesGoInOnePass() throws {
    let names = (0..<4000).map { XMPName("urn:many", "p\($0)") }
    let attributes = names.prefix(2000).map { " m:\($0.local)=\"1\"" }.joined()
    let elements = names.suffix(2000).map { "<m:\($0.local)>2</m:\($0.local)>" }.joined()
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\
      <rdf:Description rdf:about="" xmlns:m="urn:many" m:kept="3"\(attributes)>\(elements)\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    var packet = try XMPPacket(parsing: Array(text.utf8))
    #expect(packet.properties.count == 4001)
    let start = ContinuousClock.now
    try packet.remove(Set(names))
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(packet.properties.map(\.name) == [XMPName("urn:many", "kept")])
  }

  @Test func survivesDamage() throws {
    let bytes = XMPPacket.packet(diffuseWhite: 203)
    for broken in Damage.truncations(of: bytes) + Damage.mutations(of: bytes, count: 2000) {
      guard var packet = try? XMPPacket(parsing: broken) else { continue }
      var notices: [Notice] = []
      if (try? packet.setDiffuseWhite(7)) != nil {
        #expect(packet.diffuseWhite(notices: &notices) == 7)
      }
    }
  }
}
