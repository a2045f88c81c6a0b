// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

extension GainMapXMP {
  /// Returns the reason why this flavor cannot represent metadata; `nil` if it can.
  ///
  /// - Parameters:
  ///   - metadata: The metadata, not of an Apple gain map.
  ///   - mapIsGray: Whether the samples have one component.
  /// - Returns: The requirement that is not met.
  package static func obstacle(to metadata: GainMapMetadata, mapIsGray: Bool) -> ImageError? {
    let channels = metadata.channels.all
    if channels.contains(where: { $0.baseOffset.value < 0 || $0.alternateOffset.value < 0 }) {
      return ImageError(.invalidArgument, "XMP cannot store negative offsets")
    }
    if !metadata.usesBaseColorSpace, !metadata.hasColorlessGain(mapIsGray: mapIsGray) {
      return ImageError(
        .invalidArgument, "XMP cannot store gain in the primaries of the alternate image")
    }
    if metadata.baseHeadroom.value == metadata.alternateHeadroom.value {
      return ImageError(.invalidArgument, "readers of XMP refuse equal headrooms")
    }
    return nil
  }

  /// Writes metadata into the packet of a gain map, replacing any that it has.
  ///
  /// All numbers are written, since the defaults of readers differ: as attributes, which every reader
  /// parses, or as sequences if components differ.
  ///
  /// - Parameters:
  ///   - metadata: The metadata; see `obstacle(to:mapIsGray:)`.
  ///   - packet: The packet of the gain map.
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func write(
    _ metadata: GainMapMetadata, into packet: inout XMPPacket
  ) throws(ImageError) {
    let isHDR = metadata.isBaseHDR
    try announce(in: &packet)
    try packet.remove(legacyBase)
    try packet.set(isHDR ? "True" : "False", for: isBaseHDR, prefix: prefix)
    let channels = metadata.channels.all
    let headrooms = [metadata.baseHeadroom, metadata.alternateHeadroom].map(\.decimal)
    let baseOffsets = channels.map(\.baseOffset.decimal)
    let alternateOffsets = channels.map(\.alternateOffset.decimal)
    for field in Field.allCases {
      let texts =
        switch field {
        case .minimum: channels.map(\.minimum.decimal)
        case .maximum: channels.map(\.maximum.decimal)
        case .gamma: channels.map(\.gamma.decimal)
        case .offsetSDR: isHDR ? alternateOffsets : baseOffsets
        case .offsetHDR: isHDR ? baseOffsets : alternateOffsets
        case .capacityMinimum: [headrooms[isHDR ? 1 : 0]]
        case .capacityMaximum: [headrooms[isHDR ? 0 : 1]]
        }
      try write(texts, for: field, into: &packet)
    }
  }

  /// Announces a gain map in the packet of the baseline image.
  ///
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func announce(in packet: inout XMPPacket) throws(ImageError) {
    try packet.set(version, for: versionName, prefix: prefix)
  }

  /// Removes all properties of the namespace from a packet, known or not.
  ///
  /// - Throws: `.malformed` if the rest cannot be parsed.
  package static func remove(from packet: inout XMPPacket) throws(ImageError) {
    try packet.remove(
      Set(packet.properties.lazy.map(\.name).filter { $0.namespace == namespace }))
  }

  private static func write(
    _ texts: [String], for field: Field, into packet: inout XMPPacket
  ) throws(ImageError) {
    if Set(texts).count == 1 {
      // An attribute replaces whatever was there.
      if packet[field.name].map({ $0.texts.count > 1 }) == true { try packet.remove(field.name) }
      try packet.set(texts[0], for: field.name, prefix: prefix)
    } else {
      try packet.set(
        .array(texts.map(XMPValue.text)), for: field.name, prefixes: [namespace: prefix])
    }
  }
}
