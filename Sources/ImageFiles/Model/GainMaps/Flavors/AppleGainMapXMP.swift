// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

/// Apple XMP of a gain map: its version, and the headroom from version 131072 on.
///
/// Source: files of iOS 14 to 18; the headroom is a ratio, not stops.
package struct AppleGainMapXMP: Hashable, Sendable {
  static let namespace = "http://ns.apple.com/HDRGainMap/1.0/"
  static let pixelDataNamespace = "http://ns.apple.com/pixeldatainfo/1.0/"
  static let versionName = XMPName(namespace, "HDRGainMapVersion")
  static let headroomName = XMPName(namespace, "HDRGainMapHeadroom")
  static let auxiliaryTypeName = XMPName(pixelDataNamespace, "AuxiliaryImageType")

  /// 65536 with the headroom in the maker note, or 131072 with the headroom in XMP.
  package var version: Int?
  /// Headroom as a ratio.
  package var headroom: Double?
  /// Type of the auxiliary image, in JPEG; the `auxC` property of HEIF.
  package var auxiliaryType: String?

  /// The version with a headroom.
  package static let versionWithHeadroom = 131_072

  /// Parses the packet of a gain map; `nil` if it contains none of the properties.
  package init?(_ packet: XMPPacket) {
    version = packet[Self.versionName]?.text.flatMap { Int($0) }
    headroom = packet[Self.headroomName]?.text.flatMap(Double.init)
    auxiliaryType = packet[Self.auxiliaryTypeName]?.text
    guard version != nil || headroom != nil || auxiliaryType == GainMapAuxiliary.appleType
    else { return nil }
  }
}

extension FoundGainMap.Description {
  /// Combines Apple XMP and maker note; XMP has precedence.
  ///
  /// - Parameters:
  ///   - xmp: Apple XMP of the gain map.
  ///   - makerNote: Apple maker note of the file.
  ///   - curve: Curve between samples and gain, which files do not specify.
  ///   - notices: Receives contradictions.
  /// - Throws: `.malformed` without a valid headroom.
  package init(
    _ xmp: AppleGainMapXMP?, _ makerNote: AppleMakerNote?, curve: GainMapMetadata.AppleCurve,
    notices: inout [Notice]
  ) throws(ImageError) {
    var numbers: [FoundGainMap.Description.Number] = []
    if let version = xmp?.version {
      numbers.append(.init("version", "\(version)", .xmp, from: "HDRGainMap:HDRGainMapVersion"))
    }
    var specified: Headroom?
    if let ratio = xmp?.headroom {
      if ratio >= 1, Headroom(ratio: ratio).stops <= GainMapMetadata.largestStops {
        let headroom = Headroom(ratio: ratio)
        specified = headroom
        numbers.append(
          .init("headroom", headroom.ratio.rounded6, .xmp, from: "HDRGainMap:HDRGainMapHeadroom"))
      } else {
        notices.append(
          Notice(
            .irregular, "ignored: HDRGainMapHeadroom is {value}", ["value": "\(ratio)"],
            at: .init(path: ["XMP"])))
      }
    }
    numbers += makerNote?.numbers ?? []
    let noted = makerNote?.headroom
    if let specified, let noted,
      abs(specified.stops - noted.stops) > GainMapMetadata.onePercentInStops
    {
      notices.append(
        Notice(
          .conflict, "headroom {xmp} in Apple XMP, {makerNote} in the maker note; using XMP",
          ["xmp": specified.ratio, "makerNote": noted.ratio]))
    }
    guard let headroom = specified ?? noted else {
      throw ImageError(.malformed, "no headroom in Apple XMP or in the maker note")
    }
    let metadata = try GainMapMetadata(appleHeadroom: headroom, curve: curve)
    numbers.append(
      .init("curve", curve.rawValue, .assumed, from: "assumed (not specified by the file)"))
    self.init(flavor: .apple, metadata: metadata, numbers: numbers)
  }
}

extension AppleGainMapXMP {
  /// Writes Apple's metadata into the packet of a gain map.
  ///
  /// Properties are elements and not attributes, as Apple writes them.
  ///
  /// - Parameters:
  ///   - headroom: Headroom of the image with full gain.
  ///   - packet: The packet of the gain map.
  ///   - isJPEG: Whether to write the type of the auxiliary image, which JPEG specifies in XMP.
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func write(
    _ headroom: Headroom, into packet: inout XMPPacket, isJPEG: Bool
  ) throws(ImageError) {
    try write(headroom, into: &packet)
    guard isJPEG else { return }
    for (name, text) in [
      ("ImageLayout", eightBitGray), ("NativeFormat", eightBitGray),
      ("AuxiliaryImageType", GainMapAuxiliary.appleType),
    ] {
      try packet.set(.text(text), for: XMPName(pixelDataNamespace, name), prefixes: prefixes)
    }
  }

  /// Writes the headroom alone, into the packet of a gain map that has the other properties.
  ///
  /// - Throws: `.malformed` if the packet contains no RDF.
  package static func write(_ headroom: Headroom, into packet: inout XMPPacket) throws(ImageError) {
    // Each is inserted before the existing ones.
    let ratio = (headroom.ratio * 1e6).rounded() / 1e6
    try packet.set(.text(ratio.plainDecimal), for: headroomName, prefixes: prefixes)
    try packet.set(.text("\(versionWithHeadroom)"), for: versionName, prefixes: prefixes)
  }

  private static let prefixes = [namespace: "HDRGainMap", pixelDataNamespace: "apdi"]

  /// Removes Apple's gain map metadata from a packet.
  ///
  /// - Throws: `.malformed` if the rest cannot be parsed.
  package static func remove(from packet: inout XMPPacket) throws(ImageError) {
    try packet.remove(versionName)
    try packet.remove(headroomName)
    guard packet[auxiliaryTypeName]?.text == GainMapAuxiliary.appleType else { return }
    for name in ["ImageLayout", "NativeFormat", "AuxiliaryImageType"] {
      try packet.remove(XMPName(pixelDataNamespace, name))
    }
  }

  /// The pixel format `L008`.
  private static let eightBitGray = "1278226488"
}
