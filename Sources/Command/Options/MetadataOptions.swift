// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore

/// Metadata of the output.
struct MetadataOptions: ParsableArguments {
  @Option(
    help: .text(
      "Content light level (default: measured by convert, kept by tag).",
      "auto|keep|none|MAXCLL,MAXFALL"))
  var clli: String?

  @Option(help: .text("Mastering display, cd/m².", "keep|none|PRIMARIES,MAX,MIN"))
  var mdcv: String?

  @Option(
    help: .full(
      "Content color volume, cd/m² (default: measured by convert, kept by tag).",
      "auto|keep|none|PRIMARIES,MIN,MAX,AVERAGE"))
  var cclv: String?

  @Option(
    help: .full(
      "Luminance of diffuse white (default: written by convert, kept by tag).",
      "auto|keep|none|cd/m²"))
  var ndwt: String?

  @Option(help: .full("Reference environment under D65, cd/m².", "keep|none|SURROUND,PERIPHERY"))
  var reve: String?

  @Option(help: .full("Ambient illuminance under D65, lux.", "keep|none|lux"))
  var amve: String?

  @Option(help: .full("Exif metadata.", "keep|drop|FILE"))
  var exif: String?

  @Option(help: .full("XMP metadata.", "keep|drop|FILE"))
  var xmp: String?

  @Option(
    help: .full(
      "ICC profile to embed; 'auto' generates one for the code points.", "auto|keep|drop|FILE"))
  var icc: String?

  /// Sets the fields whose options are given.
  func apply(to metadata: inout ConversionRequest.Metadata) throws(ValidationError) {
    try set(&metadata.contentLightLevel, "--clli", clli) { fields throws(ValidationError) in
      try expect(fields, 2...2, like: "1000,203")
      return LightMetadata.ContentLightLevel(
        maximum: try number(fields[0]), maximumAverage: try number(fields[1]))
    }
    try set(&metadata.masteringDisplay, "--mdcv", mdcv) { fields throws(ValidationError) in
      try expect(fields, 3...3, like: "p3,1000,0.005")
      return LightMetadata.MasteringDisplay(
        primaries: try namedPrimaries(fields[0]), maximumLuminance: try number(fields[1]),
        minimumLuminance: try number(fields[2]))
    }
    try set(&metadata.contentColorVolume, "--cclv", cclv) { fields throws(ValidationError) in
      try expect(fields, 4...4, like: "bt2020,0,1000,120")
      return LightMetadata.ContentColorVolume(
        primaries: try namedPrimaries(fields[0]), minimumLuminance: try number(fields[1]),
        maximumLuminance: try number(fields[2]), averageLuminance: try number(fields[3]))
    }
    try set(&metadata.diffuseWhite, "--ndwt", ndwt) { fields throws(ValidationError) in
      try expect(fields, 1...1, like: "203")
      return try number(fields[0])
    }
    try set(&metadata.referenceEnvironment, "--reve", reve) { fields throws(ValidationError) in
      try expect(fields, 2...2, like: "5,5")
      return LightMetadata.ReferenceEnvironment(
        surroundLuminance: try number(fields[0]), surroundLight: .d65,
        peripheryLuminance: try number(fields[1]), peripheryLight: .d65)
    }
    try set(&metadata.ambientEnvironment, "--amve", amve) { fields throws(ValidationError) in
      try expect(fields, 1...1, like: "10")
      return LightMetadata.AmbientEnvironment(illuminance: try number(fields[0]), light: .d65)
    }
    set(&metadata.exif, exif)
    set(&metadata.xmp, xmp)
    set(&metadata.icc, icc)
  }

  /// Sets a field to `auto`, `keep`, `none`, or a value; errors get the name of the option.
  private func set<Value>(
    _ item: inout ConversionRequest.Item<Value>?, _ option: String, _ text: String?,
    _ parse: ([Substring]) throws(ValidationError) -> Value
  ) throws(ValidationError) {
    guard let text else { return }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    item = .init(word: text)
    if item == nil { item = .value(try value(of: option, parse(fields))) }
  }

  /// Sets a field to a word, or to the contents of a file.
  private func set(
    _ item: inout ConversionRequest.Item<ConversionRequest.FileContent>?, _ text: String?
  ) {
    guard let text else { return }
    item = .init(word: text) ?? .value(.name(text))
  }
}

extension ConversionRequest.Item {
  /// The item of `auto`, `keep`, `none` or `drop`; `nil` for other text.
  fileprivate init?(word: String) {
    switch word {
    case "auto": self = .measure
    case "keep": self = .keep
    case "none", "drop": self = .drop
    default: return nil
    }
  }
}
