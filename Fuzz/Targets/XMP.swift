// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

private let rating = XMPName("http://ns.adobe.com/xap/1.0/", "Rating")

/// Parses XMP in all its serializations, edits it, and parses it again.
func exerciseXMP(_ bytes: [UInt8]) throws {
  let packet = try XMPPacket(parsing: bytes)
  var notices: [Notice] = []
  _ = (packet.properties, packet.containerItems, packet.diffuseWhite(notices: &notices))
  _ = AppleGainMapXMP(packet)
  _ = try? GainMapXMP.description(of: packet, notices: &notices)

  try edit(packet, "set") { packet throws(ImageError) in
    try packet.set("4 < 5 & \"6\"", for: rating, prefix: "xmp")
  } check: {
    $0[rating]?.text == "4 < 5 & \"6\""
  }
  try edit(packet, "set a list") { packet throws(ImageError) in
    try packet.set(
      .array([.text("1"), .text("2")]), for: rating, prefixes: [rating.namespace: "xmp"])
  } check: {
    $0[rating]?.texts == ["1", "2"]
  }
  if let name = packet.properties.first?.name {
    try edit(packet, "remove") { packet throws(ImageError) in
      try packet.remove(name)
    } check: {
      $0[name] == nil
    }
  }
  try edit(packet, "remove the location") { packet throws(ImageError) in
    _ = try packet.removeLocation()
  } check: {
    !$0.hasLocation
  }
  try edit(packet, "add to a directory") { packet throws(ImageError) in
    try packet.insertContainerItem(.init(semantic: "GainMap", mime: "image/jpeg", length: 7), at: 0)
  } check: {
    $0.containerItems.first?.length == 7
  }
  try edit(packet, "update the size") { packet throws(ImageError) in
    try packet.updatePixelSize(width: 8, height: 4)
  } check: {
    $0.properties.isEmpty == packet.properties.isEmpty
  }
  try edit(packet, "set diffuse white") { packet throws(ImageError) in
    try packet.setDiffuseWhite(203)
  } check: {
    var notices: [Notice] = []
    return $0.diffuseWhite(notices: &notices) == 203
  }
}

/// Edits a copy; if the edit succeeds, the result must be readable and contain the change.
private func edit(
  _ packet: XMPPacket, _ name: String, _ change: (inout XMPPacket) throws(ImageError) -> Void,
  check: (XMPPacket) -> Bool
) throws {
  var edited = packet
  do throws(ImageError) { try change(&edited) } catch { return }
  let again = try must("\(name): the packet is readable") { try XMPPacket(parsing: edited.bytes) }
  try require(check(again), "\(name): the packet shows it")
}
