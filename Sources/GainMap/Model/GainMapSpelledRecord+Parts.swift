internal import Foundation
internal import HDRCore

extension GainMapSpelledRecord.Other {
  init(_ reading: FoundGainMap.Description) {
    flavor = reading.flavor.rawValue
    iso21496 = GainMapSpelledRecord.Parameters(reading.meaning)
    apple = GainMapSpelledRecord.Apple(reading.meaning)
    numbers = reading.numbers.map(GainMapSpelledRecord.Number.init)
  }

  var reading: FoundGainMap.Description {
    get throws(ImageError) {
      guard let flavor = GainMapFlavor(rawValue: flavor) else {
        throw ImageError(
          .jsonValueInvalid, ["value": flavor, "expected": "iso, xmp or apple"],
          at: .init(path: ["others", "flavor"]))
      }
      do throws(ImageError) {
        return FoundGainMap.Description(
          flavor: flavor, meaning: try GainMapSpelledRecord.meaning(iso21496, apple),
          numbers: (numbers ?? []).map(\.number))
      } catch {
        throw error.inside("others")
      }
    }
  }
}

extension GainMapSpelledRecord.Number {
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

extension GainMapSpelledRecord.Apple {
  init?(_ meaning: GainMapMeaning) {
    guard case .apple(let map) = meaning else { return nil }
    (headroom, curve) = (map.headroom.ratio, map.curve.rawValue)
  }

  var map: AppleGainMap {
    get throws(ImageError) {
      guard let curve = AppleGainMap.Curve(rawValue: curve) else {
        throw ImageError(
          .jsonValueInvalid, ["value": curve, "expected": "srgb or bt709"],
          at: .init(path: ["apple", "curve"]))
      }
      guard headroom.isFinite, headroom >= 1 else {
        throw ImageError(
          .jsonValueInvalid, ["value": "\(headroom)", "expected": "a ratio from 1"],
          at: .init(path: ["apple", "headroom"]))
      }
      return try AppleGainMap(headroom: Headroom(ratio: headroom), curve: curve)
    }
  }
}

extension GainMapSpelledRecord.Parameters {
  init?(_ meaning: GainMapMeaning) {
    guard case .parameters(let metadata) = meaning else { return nil }
    self.init(
      baseHeadroom: GainMapSpelledFraction(value: metadata.baseHeadroom),
      alternateHeadroom: GainMapSpelledFraction(value: metadata.alternateHeadroom),
      usesBaseColorSpace: metadata.usesBaseColorSpace,
      channels: metadata.channels.all.map(GainMapSpelledRecord.Channel.init))
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
            .jsonValueInvalid,
            ["value": "\(cicp)", "expected": "four code points, the last 0 or 1"],
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
            .jsonValueInvalid, ["value": "\(level)", "expected": "a light level in cd/m²"],
            at: .init(path: ["alternate"]))
        }
      }
      if maxCLL != nil || maxFALL != nil {
        rendition.hdr.contentLightLevel = LightMetadata.ContentLightLevel(
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
