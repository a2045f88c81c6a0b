internal import ArgumentParser
internal import Foundation
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// What the output says beside its samples.
struct MetadataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Content light level.", valueName: "auto|keep|none|MAXCLL,MAXFALL"))
  var clli = "auto"

  @Option(
    help: ArgumentHelp(
      "Mastering display, cd/m².", valueName: "keep|none|PRIMARIES,MAX,MIN"))
  var mdcv = "keep"

  @Option(
    help: ArgumentHelp(
      "Content color volume, cd/m².", valueName: "auto|keep|none|PRIMARIES,MIN,MAX,AVERAGE"))
  var cclv = "auto"

  @Option(help: ArgumentHelp("Luminance of diffuse white.", valueName: "auto|keep|none|cd/m²"))
  var ndwt = "auto"

  @Option(
    help: ArgumentHelp(
      "Reference environment under D65, cd/m².", valueName: "keep|none|SURROUND,PERIPHERY"))
  var reve = "keep"

  @Option(
    help: ArgumentHelp("Ambient illuminance under D65.", valueName: "keep|none|lux"))
  var amve = "keep"

  @Option(help: "HLG only: light of a display, or of the scene (ICC 'ciis').")
  var imageState: ImageState?

  @Option(help: ArgumentHelp("Exif.", valueName: "keep|drop|FILE"))
  var exif = "keep"

  @Option(help: ArgumentHelp("XMP.", valueName: "keep|drop|FILE"))
  var xmp = "keep"

  @Option(
    help: ArgumentHelp(
      "ICC profile to embed; 'auto' makes one where --signal asks for it.",
      valueName: "auto|drop|FILE"))
  var icc = "auto"

  func apply(to options: inout ConversionOptions) throws {
    options.contentLightLevel = try metadatum(clli) { fields throws(ValidationError) in
      try expect(fields, 2...2, like: "1000,203")
      return ContentLightLevel(
        maximum: try number(fields[0], in: 0...65_535),
        maximumAverage: try number(fields[1], in: 0...65_535))
    }
    options.masteringDisplay = try metadatum(mdcv) { fields throws(ValidationError) in
      try expect(fields, 3...3, like: "p3,1000,0.005")
      return MasteringDisplay(
        primaries: try namedPrimaries(fields[0]),
        maximumLuminance: try number(fields[1], in: 5...10_000),
        minimumLuminance: try number(fields[2], in: 0.0001...5))
    }
    options.contentColorVolume = try metadatum(cclv) { fields throws(ValidationError) in
      try expect(fields, 4...4, like: "bt2020,0,1000,120")
      let levels = (
        try number(fields[1], in: 0...10_000), try number(fields[2], in: 0...10_000),
        try number(fields[3], in: 0...10_000)
      )
      guard levels.0 <= levels.2, levels.2 <= levels.1 else {
        throw ValidationError("--cclv wants minimum <= average <= maximum")
      }
      return ContentColorVolume(
        primaries: try namedPrimaries(fields[0]), minimumLuminance: levels.0,
        maximumLuminance: levels.1, averageLuminance: levels.2)
    }
    options.diffuseWhite = try metadatum(ndwt) { fields throws(ValidationError) in
      try expect(fields, 1...1, like: "203")
      return try number(fields[0], in: 1...10_000)
    }
    options.referenceEnvironment = try metadatum(reve) { fields throws(ValidationError) in
      try expect(fields, 2...2, like: "5,5")
      return ReferenceEnvironment(
        surroundLuminance: try number(fields[0], in: 0...100_000), surroundLight: .d65,
        peripheryLuminance: try number(fields[1], in: 0...100_000), peripheryLight: .d65)
    }
    options.ambientEnvironment = try metadatum(amve) { fields throws(ValidationError) in
      try expect(fields, 1...1, like: "10")
      return AmbientEnvironment(
        illuminance: try number(fields[0], in: 0.0001...400_000), light: .d65)
    }
    if let imageState {
      guard options.transfer == .hlg || imageState == .display else {
        throw ValidationError("--image-state scene goes with --transfer hlg")
      }
      options.imageState = .value(imageState)
    }
    options.exif = try Self.bytes(exif)
    options.xmp = try Self.bytes(xmp)
    options.icc = try Self.bytes(icc)
  }

  private static func bytes(
    _ word: String
  ) throws -> ConversionOptions.Metadatum<[UInt8]> {
    switch word {
    case "auto": return .automatic
    case "keep": return .keep
    case "drop", "none": return .none
    default:
      return try during(.reading, word) { () throws(ImageError) in
        .value(try ByteSource(path: word).allBytes())
      }
    }
  }
}
