// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Metadata of the output.
struct MetadataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Content light level (default: measured by convert, kept by tag).",
      valueName: "auto|keep|none|MAXCLL,MAXFALL"))
  var clli: String?

  @Option(
    help: ArgumentHelp(
      "Mastering display, cd/m².", valueName: "keep|none|PRIMARIES,MAX,MIN"))
  var mdcv = "keep"

  @Option(
    help: ArgumentHelp(
      "Content color volume, cd/m² (default: measured by convert, kept by tag).",
      valueName: "auto|keep|none|PRIMARIES,MIN,MAX,AVERAGE", visibility: .inFull))
  var cclv: String?

  @Option(
    help: ArgumentHelp(
      "Luminance of diffuse white (default: written by convert, kept by tag).",
      valueName: "auto|keep|none|cd/m²", visibility: .inFull))
  var ndwt: String?

  @Option(
    help: ArgumentHelp(
      "Reference environment under D65, cd/m².", valueName: "keep|none|SURROUND,PERIPHERY",
      visibility: .inFull))
  var reve = "keep"

  @Option(
    help: ArgumentHelp(
      "Ambient illuminance under D65, lux.", valueName: "keep|none|lux", visibility: .inFull))
  var amve = "keep"

  @Option(
    help: ArgumentHelp("Exif metadata.", valueName: "keep|drop|FILE", visibility: .inFull))
  var exif = "keep"

  @Option(
    help: ArgumentHelp("XMP metadata.", valueName: "keep|drop|FILE", visibility: .inFull))
  var xmp = "keep"

  @Option(
    help: ArgumentHelp(
      "ICC profile to embed; 'auto' generates one for the code points.",
      valueName: "auto|keep|drop|FILE", visibility: .inFull))
  var icc: String?

  func apply(to options: inout ConversionOptions) throws {
    let all = try metadata(otherwise: "auto")
    options.contentLightLevel = all.contentLightLevel
    options.masteringDisplay = all.masteringDisplay
    options.contentColorVolume = all.contentColorVolume
    options.diffuseWhite = all.diffuseWhite
    options.referenceEnvironment = all.referenceEnvironment
    options.ambientEnvironment = all.ambientEnvironment
    options.exif = all.exif
    options.xmp = all.xmp
    options.icc = all.icc
  }

  /// Values of all options.
  struct Metadata {
    var contentLightLevel: ConversionOptions.Metadatum<LightMetadata.ContentLightLevel>
    var masteringDisplay: ConversionOptions.Metadatum<LightMetadata.MasteringDisplay>
    var contentColorVolume: ConversionOptions.Metadatum<LightMetadata.ContentColorVolume>
    var diffuseWhite: ConversionOptions.Metadatum<Double>
    var referenceEnvironment: ConversionOptions.Metadatum<LightMetadata.ReferenceEnvironment>
    var ambientEnvironment: ConversionOptions.Metadatum<LightMetadata.AmbientEnvironment>
    var exif: ConversionOptions.Metadatum<[UInt8]>
    var xmp: ConversionOptions.Metadatum<[UInt8]>
    var icc: ConversionOptions.Metadatum<[UInt8]>
  }

  /// Parses the options; `word` stands for those that the commands understand differently.
  func metadata(otherwise word: String) throws -> Metadata {
    Metadata(
      contentLightLevel: try metadatum("--clli", clli ?? word) { fields throws(ValidationError) in
        try expect(fields, 2...2, like: "1000,203")
        let level = LightMetadata.ContentLightLevel(
          maximum: try number(fields[0], in: 0...65_535),
          maximumAverage: try number(fields[1], in: 0...65_535))
        // Of each, 0 means that it is unknown.
        guard level.maximum == 0 || level.maximumAverage <= level.maximum else {
          throw ValidationError("MAXFALL, an average, cannot exceed MAXCLL")
        }
        return level
      },
      masteringDisplay: try metadatum("--mdcv", mdcv) { fields throws(ValidationError) in
        try expect(fields, 3...3, like: "p3,1000,0.005")
        return LightMetadata.MasteringDisplay(
          primaries: try namedPrimaries(fields[0]),
          maximumLuminance: try number(fields[1], in: 5...10_000),
          minimumLuminance: try number(fields[2], in: 0.0001...5))
      },
      contentColorVolume: try metadatum("--cclv", cclv ?? word) { fields throws(ValidationError) in
        try expect(fields, 4...4, like: "bt2020,0,1000,120")
        let levels = (
          try number(fields[1], in: 0...10_000), try number(fields[2], in: 0...10_000),
          try number(fields[3], in: 0...10_000)
        )
        guard levels.0 <= levels.2, levels.2 <= levels.1 else {
          throw ValidationError("requires MIN <= AVERAGE <= MAX")
        }
        return LightMetadata.ContentColorVolume(
          primaries: try namedPrimaries(fields[0]), minimumLuminance: levels.0,
          maximumLuminance: levels.1, averageLuminance: levels.2)
      },
      diffuseWhite: try metadatum("--ndwt", ndwt ?? word) { fields throws(ValidationError) in
        try expect(fields, 1...1, like: "203")
        return try number(fields[0], in: 1...10_000)
      },
      referenceEnvironment: try metadatum("--reve", reve) { fields throws(ValidationError) in
        try expect(fields, 2...2, like: "5,5")
        return LightMetadata.ReferenceEnvironment(
          surroundLuminance: try number(fields[0], in: 0...100_000), surroundLight: .d65,
          peripheryLuminance: try number(fields[1], in: 0...100_000), peripheryLight: .d65)
      },
      ambientEnvironment: try metadatum("--amve", amve) { fields throws(ValidationError) in
        try expect(fields, 1...1, like: "10")
        return LightMetadata.AmbientEnvironment(
          illuminance: try number(fields[0], in: 0.0001...400_000, unit: "lux"), light: .d65)
      },
      exif: try Self.bytes(exif) { bytes throws(ImageError) in
        try ExifBlock(parsing: bytes).bytes
      },
      xmp: try Self.bytes(xmp) { bytes throws(ImageError) in
        let packet = try XMPPacket(parsing: bytes).bytes
        // Writers will put diffuse white or the orientation there.
        _ = try XMPPacket.consistent(packet, withDiffuseWhite: ColorEncoding.defaultReferenceWhite)
        return packet
      },
      icc: try Self.bytes(icc ?? word) { bytes throws(ImageError) in
        try ICCProfile(parsing: bytes).bytes
      })
  }

  /// The bytes of a file that `parse` can read.
  private static func bytes(
    _ word: String, _ parse: ([UInt8]) throws(ImageError) -> [UInt8]
  ) throws -> ConversionOptions.Metadatum<[UInt8]> {
    switch word {
    case "auto": return .automatic
    case "keep": return .keep
    case "drop", "none": return .none
    default:
      return try during(.reading, word) { () throws(ImageError) in
        .value(try parse(try ByteSource(path: word).allBytes()))
      }
    }
  }
}
