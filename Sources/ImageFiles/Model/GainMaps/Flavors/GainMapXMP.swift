// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore

/// Adobe's gain-map metadata in XMP, with the prefix `hdrgm`: that of Ultra HDR JPEG, of Camera Raw,
/// and of auxiliary images in HEIF and AVIF.
///
/// Names refer to SDR and HDR renditions, those of ISO 21496-1 to baseline and alternate image; a
/// property specifies which of the two the baseline image is.
///
/// Source: Ultra HDR Image Format v1.0, "XMP attributes"; Adobe, "Gain map 1.0".
package enum GainMapXMP {
  /// Namespace of the properties.
  package static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// Usual prefix of the namespace.
  package static let prefix = "hdrgm"
  /// The version that is parsed.
  package static let version = "1.0"

  /// The property that announces a gain map in the packet of the baseline image.
  package static let versionName = name("Version")

  static func name(_ local: String) -> XMPName { XMPName(namespace, local) }

  /// The numbers of the format.
  enum Field: String, CaseIterable {
    case minimum = "GainMapMin"
    case maximum = "GainMapMax"
    case gamma = "Gamma"
    case offsetSDR = "OffsetSDR"
    case offsetHDR = "OffsetHDR"
    case capacityMinimum = "HDRCapacityMin"
    case capacityMaximum = "HDRCapacityMax"

    /// Default of a missing number; `nil` for required ones.
    var defaultText: String? {
      switch self {
      case .maximum, .capacityMaximum: nil
      case .gamma: "1"
      case .minimum, .capacityMinimum: "0"
      case .offsetSDR, .offsetHDR: "0.015625"
      }
    }

    var name: XMPName { GainMapXMP.name(rawValue) }
  }

  static let isBaseHDR = name("BaseRenditionIsHDR")
  /// Used by early Adobe files.
  static let legacyBase = name("BaseRendition")

  /// Whether a packet contains gain map metadata, and does not only announce a gain map.
  package static func describesMap(_ packet: XMPPacket) -> Bool {
    Field.allCases.contains { packet[$0.name] != nil }
  }
}

extension GainMapXMP {
  /// Parses the metadata of a gain map in any of their forms.
  ///
  /// Missing values are the defaults of Ultra HDR v1.0.
  ///
  /// - Parameters:
  ///   - packet: The packet of the gain map, not that of the baseline image.
  ///   - notices: Receives irregularities.
  /// - Returns: The metadata.
  /// - Throws: `.malformed` for missing or invalid numbers, `.unsupported` for another version.
  package static func description(
    of packet: XMPPacket, notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.Description {
    var reader = Reader(packet: packet)
    do throws(ImageError) {
      let description = try reader.read()
      notices += reader.notices
      return description
    } catch {
      throw error.inside("XMP \(prefix)")
    }
  }

  private struct Reader {
    let packet: XMPPacket
    var notices: [Notice] = []
    private var numbers: [FoundGainMap.Description.Number] = []

    init(packet: XMPPacket) { self.packet = packet }

    mutating func read() throws(ImageError) -> FoundGainMap.Description {
      try checkVersion()
      let isBaseHDR = try readBaseIsHDR()
      let capacityMinimum: UnsignedRational = try scalar(.capacityMinimum)
      let capacityMaximum: UnsignedRational = try scalar(.capacityMaximum)
      guard capacityMinimum.value <= capacityMaximum.value else {
        throw ImageError(
          .malformed, "HDRCapacityMin {minimum} is above HDRCapacityMax {maximum}",
          ["minimum": capacityMinimum.value, "maximum": capacityMaximum.value])
      }
      let minimum: [SignedRational] = try components(.minimum)
      let maximum: [SignedRational] = try components(.maximum)
      let gamma: [UnsignedRational] = try components(.gamma)
      let offsetSDR: [SignedRational] = try components(.offsetSDR)
      let offsetHDR: [SignedRational] = try components(.offsetHDR)
      let (baseOffset, alternateOffset) =
        isBaseHDR ? (offsetHDR, offsetSDR) : (offsetSDR, offsetHDR)
      func channel(_ index: Int) -> GainMapMetadata.Channel {
        GainMapMetadata.Channel(
          minimum: minimum[min(index, minimum.count - 1)],
          maximum: maximum[min(index, maximum.count - 1)],
          gamma: gamma[min(index, gamma.count - 1)],
          baseOffset: baseOffset[min(index, baseOffset.count - 1)],
          alternateOffset: alternateOffset[min(index, alternateOffset.count - 1)])
      }
      let isMultichannel =
        [minimum.count, maximum.count, gamma.count, offsetSDR.count, offsetHDR.count].max() == 3
      let metadata = try GainMapMetadata(
        channels: isMultichannel
          ? .three(red: channel(0), green: channel(1), blue: channel(2)) : .one(channel(0)),
        baseHeadroom: isBaseHDR ? capacityMaximum : capacityMinimum,
        alternateHeadroom: isBaseHDR ? capacityMinimum : capacityMaximum,
        usesBaseColorSpace: true)
      for notice in metadata.peculiarities { note(notice.code, notice.parameters) }
      return FoundGainMap.Description(flavor: .xmp, metadata: metadata, numbers: numbers)
    }

    private mutating func checkVersion() throws(ImageError) {
      guard let version = packet[versionName]?.text else { return note(.gainMapXMPVersionMissing) }
      guard version == GainMapXMP.version || version.hasPrefix("1.") else {
        throw ImageError(
          .unsupportedValue, ["field": "hdrgm:Version", "value": version.prefix(20)])
      }
    }

    private mutating func readBaseIsHDR() throws(ImageError) -> Bool {
      let isHDR: Bool
      let source: FoundGainMap.Description.Number.Source
      let origin: String
      if let text = packet[GainMapXMP.isBaseHDR]?.text {
        guard let value = Bool(text.lowercased()) else {
          throw ImageError(
            .invalidValue, ["field": "BaseRenditionIsHDR", "value": text.prefix(20)])
        }
        if text != "True", text != "False" { note(.gainMapBaseRenditionSpelling, ["value": text]) }
        (isHDR, source, origin) = (value, .xmp, "hdrgm:BaseRenditionIsHDR")
      } else if let text = packet[legacyBase]?.text {
        isHDR = ["HDR", "HighDynamicRange"].contains(text)
        (source, origin) = (.xmp, "hdrgm:BaseRendition")
      } else {
        (isHDR, source, origin) = (false, .formatDefault, "hdrgm:BaseRenditionIsHDR is absent")
      }
      numbers.append(.init("base", isHDR ? "HDR" : "SDR", source, from: origin))
      return isHDR
    }

    private mutating func scalar<Numerator>(
      _ field: Field
    ) throws(ImageError) -> Rational<Numerator> {
      let values: [Rational<Numerator>] = try components(field)
      guard values.count == 1 else {
        throw ImageError(
          .invalidValue, ["field": "number of values of \(field.rawValue)", "value": values.count])
      }
      return values[0]
    }

    /// Parses one or three numbers.
    private mutating func components<Numerator>(
      _ field: Field
    ) throws(ImageError) -> [Rational<Numerator>] {
      guard let texts = texts(field) else {
        guard let defaultText = field.defaultText,
          let value = Rational<Numerator>(decimal: defaultText)
        else { throw ImageError(.missingElement, ["element": field.rawValue]) }
        numbers.append(
          .init(
            field.rawValue, defaultText, .formatDefault, from: "hdrgm:\(field.rawValue) is absent"))
        return [value]
      }
      numbers.append(
        .init(
          field.rawValue, texts.map { String($0.prefix(40)) }.joined(separator: ", "), .xmp,
          from: "hdrgm:\(field.rawValue)"))
      guard texts.count == 1 || texts.count == 3 else {
        throw ImageError(
          .invalidValue, ["field": "number of values of \(field.rawValue)", "value": texts.count])
      }
      var values: [Rational<Numerator>] = []
      for text in texts {
        guard let value = Rational<Numerator>(decimal: text) else {
          throw ImageError(.invalidValue, ["field": field.rawValue, "value": text.prefix(40)])
        }
        values.append(value)
      }
      return values
    }

    private func texts(_ field: Field) -> [String]? {
      guard let value = packet[field.name] else { return nil }
      guard case .text(let text) = value, text.contains(",") else { return value.texts }
      // Some writers store three numbers in one text.
      return text.split(separator: ",").map(String.init)
    }

    private mutating func note(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
      notices.append(Notice(code, parameters, at: .init(path: ["XMP \(prefix)"])))
    }
  }
}

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
    try packet.remove(Set(packet.properties.lazy.map(\.name).filter { $0.namespace == namespace }))
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
