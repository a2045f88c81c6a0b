// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
internal import Platform

/// JSON of gain map metadata; fields of ISO 21496-1 have its names as keys.
package struct GainMapJSON: Codable {
  struct Map: Codable {
    var width: Int
    var height: Int
    var components: Int?
    var bits: Int?
    /// Orientation of the samples as in Exif, 1...8.
    var orientation: Int?

    enum CodingKeys: String, CodingKey {
      case width, height, orientation
      case components = "componentCount"
      case bits = "bitsPerSample"
    }
  }

  struct Parameters: Codable {
    var baseHeadroom: Fraction<UInt32>
    var alternateHeadroom: Fraction<UInt32>
    var usesBaseColorSpace: Bool
    var channels: [Channel]

    enum CodingKeys: String, CodingKey {
      case baseHeadroom = "base_hdr_headroom"
      case alternateHeadroom = "alternate_hdr_headroom"
      case usesBaseColorSpace = "use_base_colour_space"
      case channels
    }
  }

  struct Channel: Codable {
    var minimum: Fraction<Int32>
    var maximum: Fraction<Int32>
    var gamma: Fraction<UInt32>
    var baseOffset: Fraction<Int32>
    var alternateOffset: Fraction<Int32>

    enum CodingKeys: String, CodingKey {
      case minimum = "gain_map_min"
      case maximum = "gain_map_max"
      case gamma = "gain_map_gamma"
      case baseOffset = "base_offset"
      case alternateOffset = "alternate_offset"
    }
  }

  struct Apple: Codable {
    /// A ratio.
    var headroom: Double
    var curve: String

    enum CodingKeys: String, CodingKey {
      case headroom = "headroomRatio"
      case curve
    }
  }

  struct Alternate: Codable {
    /// Primaries, transfer, matrix, and 1 for full range.
    var cicp: [UInt16]?
    /// Base 64.
    var icc: Data?
    var maxCLL: Double?
    var maxFALL: Double?

    enum CodingKeys: String, CodingKey {
      case cicp, icc
      case maxCLL = "maxCLLNits"
      case maxFALL = "maxFALLNits"
    }
  }

  /// Metadata of another flavor.
  struct Other: Codable {
    var flavor: String
    var iso21496: Parameters?
    var apple: Apple?
    var numbers: [Number]?
  }

  struct MakerNote: Codable {
    var hdrHeadroom: Double?
    var hdrGain: Double?
  }

  struct Number: Codable {
    var name: String
    var text: String
    var source: String
    var origin: String

    enum CodingKeys: String, CodingKey {
      case name, source, origin
      case text = "value"
    }
  }

  var schema: String
  var flavor: String?
  var map: Map?
  var iso21496: Parameters?
  var apple: Apple?
  var alternate: Alternate?
  var numbers: [Number]?
  var others: [Other]?
  var xmp: String?
  var makerNote: MakerNote?
}

extension GainMapJSON {
  /// - Throws: `.invalidArgument` if no metadata can be read.
  package init(_ gainMap: FoundGainMap) throws(ImageError) {
    guard let map = gainMap.detached, let description = map.description else {
      throw ImageError(.gainMapDescriptionMissing)
    }
    schema = FoundGainMap.jsonSchema
    flavor = description.flavor.rawValue
    self.map = map.layout.map {
      Map(
        width: $0.width, height: $0.height, components: $0.componentCount, bits: $0.bits,
        orientation: gainMap.orientation?.rawValue)
    }
    (iso21496, apple) = (Parameters(description.metadata), Apple(description.metadata))
    alternate = Alternate(map.alternate)
    numbers = description.numbers.map(Number.init)
    let others = map.carriers.dropFirst().compactMap(\.description)
    if !others.isEmpty { self.others = others.map(Other.init) }
    xmp = gainMap.xmp.flatMap { String(bytes: $0, encoding: .utf8) }
    makerNote = gainMap.makerNote.map {
      MakerNote(hdrHeadroom: $0.hdrHeadroom, hdrGain: $0.hdrGain)
    }
  }

  var gainMap: FoundGainMap {
    get throws(ImageError) {
      guard schema == FoundGainMap.jsonSchema else {
        throw ImageError(
          .jsonValueInvalid, ["value": schema, "expected": FoundGainMap.jsonSchema],
          at: .init(path: ["schema"]))
      }
      let metadata = try Self.metadata(iso21496, apple)
      var descriptions = [
        FoundGainMap.Description(
          flavor: flavor.flatMap(GainMapFlavor.init) ?? (metadata.isApple ? .apple : .iso),
          metadata: metadata, numbers: (numbers ?? []).map(\.number))
      ]
      for other in others ?? [] { descriptions.append(try other.description) }
      var gainMap = FoundGainMap(
        descriptions,
        layout: map.map {
          .init(width: $0.width, height: $0.height, componentCount: $0.components, bits: $0.bits)
        }, alternate: try alternate?.image ?? FoundGainMap.AlternateImage())
      gainMap.orientation = try map?.orientation.map { value throws(ImageError) in
        guard let orientation = Orientation(rawValue: value) else {
          throw ImageError(
            .jsonValueInvalid, ["value": "\(value)", "expected": "an orientation of Exif, 1 to 8"],
            at: .init(path: ["map", "orientation"]))
        }
        return orientation
      }
      gainMap.xmp = xmp.map { Array($0.utf8) }
      gainMap.makerNote = makerNote.map {
        AppleMakerNote(hdrHeadroom: $0.hdrHeadroom, hdrGain: $0.hdrGain)
      }
      return gainMap
    }
  }

  static func metadata(
    _ parameters: Parameters?, _ apple: Apple?
  ) throws(ImageError) -> GainMapMetadata {
    switch (parameters, apple) {
    case (let parameters?, nil): return try parameters.metadata
    case (nil, let apple?): return try apple.metadata
    default:
      throw ImageError(.malformed, "one of {keys} is required", ["keys": ["iso21496", "apple"]])
    }
  }
}

extension GainMapJSON.Other {
  init(_ description: FoundGainMap.Description) {
    flavor = description.flavor.rawValue
    iso21496 = GainMapJSON.Parameters(description.metadata)
    apple = GainMapJSON.Apple(description.metadata)
    numbers = description.numbers.map(GainMapJSON.Number.init)
  }

  var description: FoundGainMap.Description {
    get throws(ImageError) {
      guard let flavor = GainMapFlavor(rawValue: flavor) else {
        throw ImageError(
          .jsonValueInvalid, ["value": flavor, "expected": "iso, xmp or apple"],
          at: .init(path: ["others", "flavor"]))
      }
      do throws(ImageError) {
        return FoundGainMap.Description(
          flavor: flavor, metadata: try GainMapJSON.metadata(iso21496, apple),
          numbers: (numbers ?? []).map(\.number))
      } catch {
        throw error.inside("others")
      }
    }
  }
}

extension GainMapJSON.Number {
  init(_ number: FoundGainMap.Description.Number) {
    (name, text) = (number.name, number.text)
    (source, origin) = (number.source.rawValue, number.origin)
  }

  var number: FoundGainMap.Description.Number {
    .init(
      name, text, FoundGainMap.Description.Number.Source(rawValue: source) ?? .assumed, from: origin
    )
  }
}

extension GainMapJSON.Apple {
  init?(_ metadata: GainMapMetadata) {
    guard let appleCurve = metadata.appleCurve else { return nil }
    (headroom, curve) = (Headroom(metadata.alternateHeadroom).ratio, appleCurve.rawValue)
  }

  var metadata: GainMapMetadata {
    get throws(ImageError) {
      guard let curve = GainMapMetadata.AppleCurve(rawValue: curve) else {
        throw ImageError(
          .jsonValueInvalid, ["value": curve, "expected": "srgb or bt709"],
          at: .init(path: ["apple", "curve"]))
      }
      guard headroom.isFinite, headroom >= 1 else {
        throw ImageError(
          .jsonValueInvalid, ["value": "\(headroom)", "expected": "a ratio from 1"],
          at: .init(path: ["apple", "headroomRatio"]))
      }
      return try GainMapMetadata(appleHeadroom: Headroom(ratio: headroom), curve: curve)
    }
  }
}

extension GainMapJSON.Parameters {
  init?(_ metadata: GainMapMetadata) {
    guard !metadata.isApple else { return nil }
    self.init(
      baseHeadroom: GainMapJSON.Fraction(value: metadata.baseHeadroom),
      alternateHeadroom: GainMapJSON.Fraction(value: metadata.alternateHeadroom),
      usesBaseColorSpace: metadata.usesBaseColorSpace,
      channels: metadata.channels.all.map(GainMapJSON.Channel.init))
  }

  var metadata: GainMapMetadata {
    get throws(ImageError) {
      let all = channels.map(\.channel)
      let channels: GainMapMetadata.Channels
      switch all.count {
      case 1: channels = .one(all[0])
      case 3: channels = .three(red: all[0], green: all[1], blue: all[2])
      default:
        throw ImageError(
          .jsonValueInvalid, ["value": "\(all.count) channels", "expected": "1 or 3 channels"],
          at: .init(path: ["iso21496", "channels"]))
      }
      do throws(ImageError) {
        return try GainMapMetadata(
          channels: channels, baseHeadroom: baseHeadroom.value,
          alternateHeadroom: alternateHeadroom.value,
          usesBaseColorSpace: usesBaseColorSpace)
      } catch {
        throw error.inside("iso21496")
      }
    }
  }
}

extension GainMapJSON.Channel {
  init(_ channel: GainMapMetadata.Channel) {
    minimum = GainMapJSON.Fraction(value: channel.minimum)
    maximum = GainMapJSON.Fraction(value: channel.maximum)
    gamma = GainMapJSON.Fraction(value: channel.gamma)
    baseOffset = GainMapJSON.Fraction(value: channel.baseOffset)
    alternateOffset = GainMapJSON.Fraction(value: channel.alternateOffset)
  }

  var channel: GainMapMetadata.Channel {
    GainMapMetadata.Channel(
      minimum: minimum.value, maximum: maximum.value, gamma: gamma.value,
      baseOffset: baseOffset.value, alternateOffset: alternateOffset.value)
  }
}

extension GainMapJSON.Alternate {
  init?(_ alternate: FoundGainMap.AlternateImage) {
    guard alternate != FoundGainMap.AlternateImage() else { return nil }
    cicp = alternate.cicp.map {
      [$0.primaries.rawValue, $0.transfer.rawValue, $0.matrix.rawValue, $0.isFullRange ? 1 : 0]
    }
    icc = alternate.icc.map { Data($0) }
    maxCLL = alternate.light.contentLightLevel?.maximum
    maxFALL = alternate.light.contentLightLevel?.maximumAverage
  }

  var image: FoundGainMap.AlternateImage {
    get throws(ImageError) {
      var image = FoundGainMap.AlternateImage(icc: icc.map { Array($0) })
      if let cicp {
        guard cicp.count == 4, cicp[3] <= 1 else {
          throw ImageError(
            .jsonValueInvalid,
            ["value": "\(cicp)", "expected": "four code points, the last 0 or 1"],
            at: .init(path: ["alternate", "cicp"]))
        }
        image.cicp = CICP(
          primaries: .init(rawValue: cicp[0]), transfer: .init(rawValue: cicp[1]),
          matrix: .init(rawValue: cicp[2]), isFullRange: cicp[3] == 1)
      }
      for level in [maxCLL, maxFALL] {
        guard let level else { continue }
        guard level.isFinite, (0...65_535).contains(level) else {
          throw ImageError(
            .jsonValueInvalid, ["value": "\(level)", "expected": "a light level in cd/m²"],
            at: .init(path: ["alternate"]))
        }
      }
      if maxCLL != nil || maxFALL != nil {
        image.light.contentLightLevel = LightMetadata.ContentLightLevel(
          maximum: maxCLL ?? 0, maximumAverage: maxFALL ?? 0)
      }
      return image
    }
  }
}

extension GainMapJSON {
  /// A fraction as text: `531343/200000`; decimals are parsed as well.
  struct Fraction<Numerator: FixedWidthInteger & Sendable>: Codable {
    var value: Rational<Numerator>

    init(value: Rational<Numerator>) { self.value = value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text: String
      if let given = try? container.decode(String.self) {
        text = given
      } else {
        text = "\(try container.decode(Double.self))"
      }
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let fraction: Rational<Numerator>? =
        switch parts.count {
        case 1: Rational(decimal: parts[0])
        case 2:
          if let numerator = Numerator(parts[0]), let denominator = UInt32(parts[1]) {
            Rational(numerator, denominator)
          } else {
            nil
          }
        default: nil
        }
      guard let fraction else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "'\(text)' is not a fraction in range")
      }
      value = fraction
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("\(value.numerator)/\(value.denominator)")
    }
  }
}
