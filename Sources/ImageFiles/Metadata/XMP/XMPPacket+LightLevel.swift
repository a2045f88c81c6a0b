// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Light levels, for containers that cannot store them otherwise.
extension XMPPacket {
  /// Properties with MaxCLL and MaxFALL in cd/m², as decimal numbers.
  private static let lightLevel = (
    maximum: XMPName(diffuseWhite.namespace, "MaxCLL"),
    average: XMPName(diffuseWhite.namespace, "MaxFALL")
  )

  /// Returns XMP for a container that cannot store light levels otherwise.
  ///
  /// - Parameters:
  ///   - packet: The packet to edit; `nil` if missing.
  ///   - level: The light levels; `nil` to remove them.
  /// - Returns: The packet with these light levels; `nil` if XMP is not needed.
  /// - Throws: `.malformed` if the packet cannot be edited.
  package static func consistent(
    _ packet: [UInt8]?, withLightLevel level: LightMetadata.ContentLightLevel?
  ) throws(ImageError) -> [UInt8]? {
    guard packet != nil || level != nil else { return nil }
    var xmp = try XMPPacket(parsing: packet ?? empty)
    if level == nil, xmp[lightLevel.maximum] == nil, xmp[lightLevel.average] == nil {
      return packet
    }
    try xmp.setLightLevel(level)
    return xmp.bytes
  }

  /// Returns MaxCLL and MaxFALL, each 0...65 535 cd/m² as in `clli`; one that is missing is 0.
  ///
  /// `nil` if both are missing, and with a notice if one is invalid.
  package func lightLevel(notices: inout [Notice]) -> LightMetadata.ContentLightLevel? {
    guard self[Self.lightLevel.maximum] != nil || self[Self.lightLevel.average] != nil else {
      return nil
    }
    guard let maximum = level(Self.lightLevel.maximum, &notices),
      let average = level(Self.lightLevel.average, &notices)
    else { return nil }
    return .init(maximum: maximum, maximumAverage: average)
  }

  private func level(_ name: XMPName, _ notices: inout [Notice]) -> Double? {
    guard let value = self[name] else { return 0 }
    guard let luminance = value.text.flatMap(Double.init), (0...65_535).contains(luminance) else {
      notices.append(
        Notice(
          .irregular, "ignored: {name} {value} is not a luminance",
          ["name": name.local, "value": "\(value)"],
          at: .init(path: ["XMP", name.local])))
      return nil
    }
    return luminance
  }

  /// Sets MaxCLL and MaxFALL, rounded to 0.0001 cd/m²; `nil` removes them.
  ///
  /// - Throws: `.malformed` if the packet does not contain RDF.
  package mutating func setLightLevel(
    _ level: LightMetadata.ContentLightLevel?
  ) throws(ImageError) {
    guard let level else { return try remove([Self.lightLevel.maximum, Self.lightLevel.average]) }
    try set(Self.decimal(level.maximum), for: Self.lightLevel.maximum, prefix: "hdrc")
    try set(Self.decimal(level.maximumAverage), for: Self.lightLevel.average, prefix: "hdrc")
  }
}
