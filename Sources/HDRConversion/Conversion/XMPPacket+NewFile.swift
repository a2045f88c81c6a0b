// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension XMPPacket {
  /// Returns the packet with its orientation and size, if it has them, updated.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image; `nil` to keep the size.
  ///   - orientation: Orientation of the image.
  /// - Returns: The packet.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func fitted(to layout: ImageLayout?, orientation: Orientation) throws(ImageError) -> XMPPacket {
    var packet = self
    _ = try packet.updateOrientation(orientation)
    if let layout { try packet.updatePixelSize(width: layout.width, height: layout.height) }
    return packet
  }

  /// Returns the packet for a new file of its image: without references to the other images and the
  /// video of the old file, without data of its old samples and of its camera, and without light
  /// levels, which the encoder of the new file writes.
  ///
  /// - Parameters:
  ///   - keepsMakerNotes: Whether data of the camera are kept.
  ///   - notices: Gets a notice about dropped data.
  /// - Returns: The packet; `nil` if no properties are left.
  /// - Throws: `.malformed` if the packet cannot be edited.
  func forNewFile(keepsMakerNotes: Bool, notices: inout [Notice]) throws(ImageError) -> [UInt8]? {
    var packet = self
    try packet.removeGainMapProperties()
    try packet.removeDirectory()
    try packet.setLightLevel(nil)
    let bound = packet.properties.filter { property in
      property.name == Self.thumbnails
        || !keepsMakerNotes
          && (Self.makerNotes.contains(property.name.local.lowercased())
            || property.value.byteCount > MetadataOfNewFile.mostBytes)
    }
    if !bound.isEmpty {
      try packet.remove(Set(bound.map(\.name)))
      notices.append(
        .notCopied(bound.map { MetadataOfNewFile.item($0.name.local, $0.value.byteCount) }))
    }
    return packet.properties.isEmpty ? nil : packet.bytes
  }

  private static let thumbnails = XMPName("http://ns.adobe.com/xap/1.0/", "Thumbnails")
  /// Properties of Google's cameras, in lower case.
  private static let makerNotes: Set<String> = [
    "hdrp_makernote", "hdrplusmakernote", "shot_log_data",
  ]
}

extension XMPValue {
  /// Size of all texts, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .array(let items): items.reduce(0) { $0 + $1.byteCount }
    case .structure(let fields): fields.reduce(0) { $0 + $1.value.byteCount }
    }
  }
}
