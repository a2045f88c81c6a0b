internal import Foundation
internal import HDRCore

/// The keys of a record in JSON, those of ISO 21496-1 under their names there.
struct GainMapSpelledRecord: Codable {
  struct Map: Codable {
    var width: Int
    var height: Int
    var components: Int?
    var bits: Int?
  }

  struct Parameters: Codable {
    var baseHeadroom: GainMapSpelledFraction<UInt32>
    var alternateHeadroom: GainMapSpelledFraction<UInt32>
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
    var minimum: GainMapSpelledFraction<Int32>
    var maximum: GainMapSpelledFraction<Int32>
    var gamma: GainMapSpelledFraction<UInt32>
    var baseOffset: GainMapSpelledFraction<Int32>
    var alternateOffset: GainMapSpelledFraction<Int32>

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
  }

  struct Alternate: Codable {
    /// Primaries, transfer, matrix, and 1 for full range.
    var cicp: [UInt16]?
    /// Base 64.
    var icc: Data?
    var maxCLL: Double?
    var maxFALL: Double?
  }

  struct Number: Codable {
    var name: String
    var text: String
    var source: String
    var origin: String
  }

  var schema: String
  var flavor: String?
  var map: Map?
  var iso21496: Parameters?
  var apple: Apple?
  var alternate: Alternate?
  var numbers: [Number]?
}

extension GainMapSpelledRecord {
  init(_ record: GainMapRecord) {
    schema = GainMapRecord.schema
    flavor = record.reading.flavor.rawValue
    map = record.layout.map {
      Map(width: $0.width, height: $0.height, components: $0.componentCount, bits: $0.bits)
    }
    switch record.meaning {
    case .parameters(let metadata):
      iso21496 = Parameters(
        baseHeadroom: GainMapSpelledFraction(value: metadata.baseHeadroom),
        alternateHeadroom: GainMapSpelledFraction(value: metadata.alternateHeadroom),
        usesBaseColorSpace: metadata.usesBaseColorSpace,
        channels: metadata.channels.all.map(Channel.init))
    case .apple(let map):
      apple = Apple(headroom: map.headroom.ratio, curve: map.curve.rawValue)
    }
    let rendition = record.alternate
    if rendition != AlternateRendition() {
      alternate = Alternate(
        cicp: rendition.cicp.map {
          [
            $0.primaries.rawValue, $0.transfer.rawValue, $0.matrix.rawValue,
            $0.isFullRange ? 1 : 0,
          ]
        }, icc: rendition.icc.map { Data($0) },
        maxCLL: rendition.hdr.contentLightLevel?.maximum,
        maxFALL: rendition.hdr.contentLightLevel?.maximumAverage)
    }
    numbers = record.reading.numbers.map {
      Number(name: $0.name, text: $0.text, source: $0.source.rawValue, origin: $0.origin)
    }
  }

  var record: GainMapRecord {
    get throws(ImageError) {
      guard schema == GainMapRecord.schema else {
        throw ImageError(
          .malformed, "the schema is '\(schema)', not '\(GainMapRecord.schema)'",
          at: .init(path: ["schema"]))
      }
      let meaning = try meaning
      let usual: GainMapFlavor = if case .apple = meaning { .apple } else { .iso }
      return GainMapRecord(
        GainMapReading(
          flavor: flavor.flatMap(GainMapFlavor.init) ?? usual, meaning: meaning,
          numbers: (numbers ?? []).map {
            .init(
              $0.name, $0.text, GainMapReading.Number.Source(rawValue: $0.source) ?? .assumed,
              from: $0.origin)
          }),
        alternate: try alternate?.rendition ?? AlternateRendition(),
        layout: map.map {
          .init(width: $0.width, height: $0.height, componentCount: $0.components, bits: $0.bits)
        })
    }
  }

  private var meaning: GainMapMeaning {
    get throws(ImageError) {
      switch (iso21496, apple) {
      case (let parameters?, nil): return .parameters(try parameters.metadata)
      case (nil, let apple?):
        guard let curve = AppleGainMap.Curve(rawValue: apple.curve) else {
          throw ImageError(
            .malformed, "the curve '\(apple.curve)'; it is srgb or bt709",
            at: .init(path: ["apple", "curve"]))
        }
        guard apple.headroom.isFinite, apple.headroom >= 1 else {
          throw ImageError(
            .malformed, "a headroom of \(apple.headroom), which is a ratio from 1",
            at: .init(path: ["apple", "headroom"]))
        }
        return .apple(
          try AppleGainMap(headroom: Headroom(ratio: apple.headroom), curve: curve))
      default:
        throw ImageError(.malformed, "one of 'iso21496' and 'apple' says what samples mean")
      }
    }
  }
}

extension GainMapSpelledRecord.Parameters {
  var metadata: GainMapMetadata {
    get throws(ImageError) {
      let all = channels.map(\.channel)
      let channels: GainMapMetadata.Channels
      switch all.count {
      case 1: channels = .one(all[0])
      case 3: channels = .three(red: all[0], green: all[1], blue: all[2])
      default:
        throw ImageError(
          .malformed, "\(all.count) channels; there are 1 or 3",
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

extension GainMapSpelledRecord.Channel {
  init(_ channel: GainMapMetadata.Channel) {
    minimum = GainMapSpelledFraction(value: channel.minimum)
    maximum = GainMapSpelledFraction(value: channel.maximum)
    gamma = GainMapSpelledFraction(value: channel.gamma)
    baseOffset = GainMapSpelledFraction(value: channel.baseOffset)
    alternateOffset = GainMapSpelledFraction(value: channel.alternateOffset)
  }

  var channel: GainMapMetadata.Channel {
    GainMapMetadata.Channel(
      minimum: minimum.value, maximum: maximum.value, gamma: gamma.value,
      baseOffset: baseOffset.value, alternateOffset: alternateOffset.value)
  }
}

extension GainMapSpelledRecord.Alternate {
  var rendition: AlternateRendition {
    get throws(ImageError) {
      var rendition = AlternateRendition(icc: icc.map { Array($0) })
      if let cicp {
        guard cicp.count == 4, cicp[3] <= 1 else {
          throw ImageError(
            .malformed, "code points \(cicp); there are four, the last is 0 or 1",
            at: .init(path: ["alternate", "cicp"]))
        }
        rendition.cicp = CICP(
          primaries: .init(rawValue: cicp[0]), transfer: .init(rawValue: cicp[1]),
          matrix: .init(rawValue: cicp[2]), isFullRange: cicp[3] == 1)
      }
      for level in [maxCLL, maxFALL] {
        guard let level else { continue }
        guard level.isFinite, (0...65_535).contains(level) else {
          throw ImageError(
            .malformed, "a light level of \(level) cd/m²", at: .init(path: ["alternate"]))
        }
      }
      if maxCLL != nil || maxFALL != nil {
        rendition.hdr.contentLightLevel = ContentLightLevel(
          maximum: maxCLL ?? 0, maximumAverage: maxFALL ?? 0)
      }
      return rendition
    }
  }
}

/// A fraction as text: `531343/200000`; a decimal is taken too.
struct GainMapSpelledFraction<Numerator: FixedWidthInteger & Sendable>: Codable {
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
        in: container, debugDescription: "'\(text)' is no fraction in range")
    }
    value = fraction
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(value.numerator)/\(value.denominator)")
  }
}
