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

  /// What another flavor of the same file says.
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

extension GainMapSpelledRecord {
  init(_ record: GainMapRecord) {
    schema = GainMapRecord.schema
    flavor = record.reading.flavor.rawValue
    map = record.layout.map {
      Map(width: $0.width, height: $0.height, components: $0.componentCount, bits: $0.bits)
    }
    (iso21496, apple) = (Parameters(record.meaning), Apple(record.meaning))
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
    numbers = record.reading.numbers.map(Number.init)
    if !record.others.isEmpty { others = record.others.map(Other.init) }
    xmp = record.xmp.flatMap { String(bytes: $0, encoding: .utf8) }
    makerNote = record.makerNote.map {
      MakerNote(hdrHeadroom: $0.hdrHeadroom, hdrGain: $0.hdrGain)
    }
  }

  var record: GainMapRecord {
    get throws(ImageError) {
      guard schema == GainMapRecord.schema else {
        throw ImageError(
          .jsonValueInvalid, ["value": schema, "expected": GainMapRecord.schema],
          at: .init(path: ["schema"]))
      }
      let meaning = try Self.meaning(iso21496, apple)
      let usual: GainMapFlavor = if case .apple = meaning { .apple } else { .iso }
      var record = GainMapRecord(
        FoundGainMap.Description(
          flavor: flavor.flatMap(GainMapFlavor.init) ?? usual, meaning: meaning,
          numbers: (numbers ?? []).map(\.number)),
        alternate: try alternate?.rendition ?? AlternateRendition(),
        layout: map.map {
          .init(width: $0.width, height: $0.height, componentCount: $0.components, bits: $0.bits)
        })
      for other in others ?? [] { record.others.append(try other.reading) }
      record.xmp = xmp.map { Array($0.utf8) }
      record.makerNote = makerNote.map {
        AppleMakerNote(hdrHeadroom: $0.hdrHeadroom, hdrGain: $0.hdrGain)
      }
      return record
    }
  }

  static func meaning(
    _ parameters: Parameters?, _ apple: Apple?
  ) throws(ImageError) -> GainMapMeaning {
    switch (parameters, apple) {
    case (let parameters?, nil): return .parameters(try parameters.metadata)
    case (nil, let apple?): return .apple(try apple.map)
    default: throw ImageError(.jsonKeysMissing, ["keys": ["iso21496", "apple"]])
    }
  }
}
