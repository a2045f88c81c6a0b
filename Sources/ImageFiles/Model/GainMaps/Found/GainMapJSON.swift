// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import GainMap
package import HDRCore

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
