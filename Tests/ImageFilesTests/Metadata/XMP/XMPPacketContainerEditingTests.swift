// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Editing of container directories") struct XMPPacketContainerEditingTests {
  @Test func addedItemsAreRead() throws {
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    let primary = XMPPacket.ContainerItem(semantic: "Primary", mime: "image/jpeg", padding: 3)
    let map = XMPPacket.ContainerItem(semantic: "GainMap", mime: "image/jpeg", length: 42)
    #expect(throws: ImageError.self) { try packet.insertContainerItem(map, at: 1) }
    try packet.insertContainerItem(primary, at: 0)
    try packet.insertContainerItem(map, at: 1)
    #expect(packet.containerItems == [primary, map])
    let text = String(decoding: packet.bytes, as: UTF8.self)
    #expect(
      text.contains(
        "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" "
          + "Item:Mime=\"image/jpeg\" Item:Length=\"42\"/></rdf:li>"))
    try packet.removeContainerItems(semantic: "GainMap")
    #expect(packet.containerItems.isEmpty)
    #expect(packet.properties.isEmpty)
  }

  /// Properties of the motion photo are removed; other camera properties are kept.
  @Test func directoriesGoWithTheFilm() throws {
    let camera = "http://ns.google.com/photos/1.0/camera/"
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    for (name, value) in [("MotionPhoto", "1"), ("MicroVideoOffset", "9"), ("BurstID", "b")] {
      try packet.set(value, for: XMPName(camera, name), prefix: "GCamera")
    }
    try packet.insertContainerItem(
      .init(semantic: "Primary", mime: "image/heic", padding: 8), at: 0)
    try packet.insertContainerItem(
      .init(semantic: "MotionPhoto", mime: "video/mp4", length: 9), at: 1)
    try packet.removeDirectory()
    #expect(packet.containerItems.isEmpty)
    #expect(packet.properties.map(\.name) == [XMPName(camera, "BurstID")])
  }

  /// Items of other writers are kept in any syntax.
  @Test func otherItemsStay() throws {
    var packet = try XMPPacket(
      parsing: Array(
        """
        <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description
         xmlns:c="http://ns.google.com/photos/1.0/container/"
         xmlns:i="http://ns.google.com/photos/1.0/container/item/"><c:Directory><r:Seq>
        <r:li i:Semantic="Primary" i:Mime="image/jpeg"/>
        <r:li r:parseType="Resource"><c:Item i:Semantic="MotionPhoto" i:Mime="video/mp4" i:Length="7"
         i:Label="film" xmlns:v="urn:vendor" v:x="1"/></r:li></r:Seq></c:Directory></r:Description></r:RDF>
        """.utf8))
    let map = XMPPacket.ContainerItem(semantic: "GainMap", mime: "image/jpeg", length: 9)
    try packet.insertContainerItem(map, at: 1)
    #expect(packet.containerItems.map(\.semantic) == ["Primary", "GainMap", "MotionPhoto"])
    #expect(packet.containerItems.map(\.length) == [0, 9, 7])
    let text = String(decoding: packet.bytes, as: UTF8.self)
    #expect(text.contains("i:Label=\"film\" ns:x=\"1\""))
    try packet.removeContainerItems(semantic: "GainMap")
    #expect(packet.containerItems.map(\.semantic) == ["Primary", "MotionPhoto"])
    try packet.removeContainerItems(semantic: "MotionPhoto")
    #expect(packet.containerItems.isEmpty)
  }
}
