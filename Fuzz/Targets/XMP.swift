// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

private let rating = XMPName("http://ns.adobe.com/xap/1.0/", "Rating")
private let directory = XMPName("http://ns.google.com/photos/1.0/container/", "Directory")
/// Properties with the size of an image of 8 by 4 pixels.
private let sizes: [XMPName: String] = [
  XMPName("http://ns.adobe.com/tiff/1.0/", "ImageWidth"): "8",
  XMPName("http://ns.adobe.com/tiff/1.0/", "ImageLength"): "4",
  XMPName("http://ns.adobe.com/exif/1.0/", "PixelXDimension"): "8",
  XMPName("http://ns.adobe.com/exif/1.0/", "PixelYDimension"): "4",
]

/// Parses XMP in all its serializations, edits it, and parses it again.
func exerciseXMP(_ bytes: [UInt8]) throws {
  let packet = try XMPPacket(parsing: bytes)
  var notices: [Notice] = []
  _ = (packet.properties, packet.containerItems, packet.diffuseWhite(notices: &notices))
  _ = AppleGainMapXMP(packet)
  _ = try? GainMapXMP.description(of: packet, notices: &notices)

  try edit(packet, "set", changing: [rating]) { packet throws(ImageError) in
    try packet.set("4 < 5 & \"6\"", for: rating, prefix: "xmp")
  } check: {
    $0[rating]?.text == "4 < 5 & \"6\""
  }
  try edit(packet, "set a list", changing: [rating]) { packet throws(ImageError) in
    try packet.set(
      .array([.text("1"), .text("2")]), for: rating, prefixes: [rating.namespace: "xmp"])
  } check: {
    $0[rating]?.texts == ["1", "2"]
  }
  if let name = packet.properties.first?.name {
    try edit(packet, "remove", changing: [name]) { packet throws(ImageError) in
      try packet.remove(name)
    } check: {
      $0[name] == nil
    }
  }
  // Any property can contain a location.
  try edit(packet, "remove the location", changing: nil) { packet throws(ImageError) in
    _ = try packet.removeLocation()
  } check: {
    try !$0.hasLocation
  }
  try edit(packet, "add to a directory", changing: [directory]) { packet throws(ImageError) in
    try packet.insertContainerItem(.init(semantic: "GainMap", mime: "image/jpeg", length: 7), at: 0)
  } check: {
    $0.containerItems.first?.length == 7
  }
  try edit(packet, "update the size", changing: Set(sizes.keys)) { packet throws(ImageError) in
    try packet.updatePixelSize(width: 8, height: 4)
  } check: { edited in
    sizes.allSatisfy { name, text in
      packet[name]?.text == nil ? edited[name] == packet[name] : edited[name]?.text == text
    }
  }
  try edit(packet, "set diffuse white", changing: [XMPPacket.diffuseWhite]) {
    packet throws(ImageError) in
    try packet.setDiffuseWhite(203)
  } check: {
    var notices: [Notice] = []
    return $0.diffuseWhite(notices: &notices) == 203
  }
}

/// Edits a copy; if the edit succeeds, the result must be readable, contain the change, and have all
/// other properties, in their order; `names` is `nil` if any property may change.
private func edit(
  _ packet: XMPPacket, _ name: String, changing names: Set<XMPName>?,
  _ change: (inout XMPPacket) throws(ImageError) -> Void, check: (XMPPacket) throws -> Bool
) throws {
  var edited = packet
  do throws(ImageError) { try change(&edited) } catch { return }
  let again = try must("\(name): the packet is readable") { try XMPPacket(parsing: edited.bytes) }
  try require(try check(again), "\(name): the packet shows it")
  guard let names else { return }
  func others(_ packet: XMPPacket) -> [XMPProperty] {
    packet.properties.filter { !names.contains($0.name) }
  }
  try require(others(again) == others(packet), "\(name): other properties are unchanged")
}
