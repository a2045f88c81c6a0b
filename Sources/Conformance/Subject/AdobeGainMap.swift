internal import GainMap
internal import HDRCore
internal import ImageContainers

/// The words of `hdrgm` XMP, as they are written.
///
/// Source: Ultra HDR Image Format v1.0, "HDR gain map metadata".
struct AdobeGainMap: Sendable {
  static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// Numbers of a map, with what their absence means.
  static let numbers: [(name: String, fallback: String?)] = [
    ("GainMapMin", "0"), ("GainMapMax", nil), ("Gamma", "1"), ("OffsetSDR", "0.015625"),
    ("OffsetHDR", "0.015625"), ("HDRCapacityMin", "0"), ("HDRCapacityMax", nil),
  ]

  let version: String?
  let baseIsHDR: String?
  private let texts: [String: [String]]

  /// Nothing if the packet has no property of the namespace.
  init?(_ packet: XMPPacket) {
    func value(_ name: String) -> XMPValue? { packet[XMPName(Self.namespace, name)] }
    version = value("Version")?.text
    baseIsHDR = value("BaseRenditionIsHDR")?.text
    texts = Self.numbers.reduce(into: [:]) { texts, number in
      texts[number.name] = value(number.name)?.texts
    }
    guard version != nil || baseIsHDR != nil || !texts.isEmpty else { return nil }
  }

  /// Whether it describes a map, rather than announces one.
  var isMap: Bool { texts["GainMapMax"] != nil || texts["HDRCapacityMax"] != nil }

  var missing: [String] {
    Self.numbers.filter { $0.fallback == nil && texts[$0.name] == nil }.map(\.name)
  }

  /// The numbers of a property, one or three; `nil` if it is absent.
  ///
  /// - Throws: `.malformed` for what is no number.
  func values(_ name: String) throws(ImageError) -> [SignedRational]? {
    guard let words = texts[name] else { return nil }
    let values = words.compactMap { SignedRational(decimal: $0) }
    guard values.count == words.count, values.count == 1 || values.count == 3 else {
      throw ImageError(.malformed, "\(name) is \"\(words.joined(separator: ", "))\"")
    }
    return values
  }

  /// The map with an SDR base, as ISO 21496-1 would put it.
  ///
  /// - Throws: `.malformed` for numbers that make no map.
  func metadata() throws(ImageError) -> GainMapMetadata {
    var values: [String: [SignedRational]] = [:]
    for (name, fallback) in Self.numbers {
      let stated =
        try self.values(name) ?? fallback.flatMap { SignedRational(decimal: $0) }.map { [$0] }
      guard let stated else { throw ImageError(.malformed, "no \(name)") }
      values[name] = stated
    }
    func number(_ name: String, _ channel: Int) -> SignedRational {
      let all = values[name] ?? []
      return all.count == 3 ? all[channel] : all.first ?? SignedRational(0)
    }
    func unsigned(_ name: String, _ channel: Int) throws(ImageError) -> UnsignedRational {
      let value = number(name, channel)
      guard let numerator = UInt32(exactly: value.numerator),
        let unsigned = UnsignedRational(numerator, value.denominator)
      else { throw ImageError(.malformed, "\(name) is \(value.value)") }
      return unsigned
    }
    var channels: [GainMapMetadata.Channel] = []
    for index in 0..<3 {
      channels.append(
        GainMapMetadata.Channel(
          minimum: number("GainMapMin", index), maximum: number("GainMapMax", index),
          gamma: try unsigned("Gamma", index), baseOffset: number("OffsetSDR", index),
          alternateOffset: number("OffsetHDR", index)))
    }
    let isOne = values.values.allSatisfy { $0.count == 1 }
    return try GainMapMetadata(
      channels: isOne
        ? .one(channels[0]) : .three(red: channels[0], green: channels[1], blue: channels[2]),
      baseHeadroom: try unsigned("HDRCapacityMin", 0),
      alternateHeadroom: try unsigned("HDRCapacityMax", 0), usesBaseColorSpace: true)
  }
}
