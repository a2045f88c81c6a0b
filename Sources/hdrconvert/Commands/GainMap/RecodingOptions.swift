// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Permission to re-encode, and the quality.
struct RecodingOptions: ParsableArguments {
  @Flag(help: "Re-encode images that the output cannot store as they are.")
  var allowReencode = false

  @Option(
    name: .shortAndLong,
    help: """
      Quality of a re-encoded baseline image, 0 to 100. Default: 75 for HEIF, 94 for AVIF, 90 for \
      JPEG.
      """)
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "Quality of a re-encoded gain map, 0 to 100 (default 95).", valueName: "q",
      visibility: .inFull))
  var gainmapQuality: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 6 for JPEG.",
      visibility: .inFull))
  var speed: Int?

  @OptionGroup var keeping: KeepOption

  /// Whether a quality was given.
  var givesQuality: Bool { quality != nil || gainmapQuality != nil }

  func validate() throws {
    for (name, value) in [("--quality", quality), ("--gainmap-quality", gainmapQuality)] {
      guard (0...100).contains(value ?? 0) else { throw ValidationError("\(name) takes 0...100") }
    }
    guard (0...10).contains(speed ?? 0) else { throw ValidationError("--speed takes 0...10") }
  }

  /// Options for an output of this name.
  func options(
    for output: String
  ) throws -> GainMapTranscoder.Options {
    guard let format = FileFormat(suffix: output.fileSuffix),
      format.traits.gainMapCodec != nil
    else {
      throw Failure(
        ImageError(.outputFormatMissing),
        remedy: "give the output the suffix .jpg, .heic, .avif, .jxl or .png")
    }
    func encoder(_ quality: Int) -> EncoderOptions {
      EncoderOptions(quality: quality, speed: speed ?? format.traits.usualSpeed)
    }
    var options = GainMapTranscoder.Options(
      format: format, base: encoder(quality ?? format.traits.usualQuality),
      map: encoder(gainmapQuality ?? EncoderOptions.usualGainMapQuality))
    options.keepsMakerNotes = keeping.keepsMakerNotes
    return options
  }
}

extension EncoderOptions {
  /// The default of `--gainmap-quality`.
  static let usualGainMapQuality = 95
}

extension Notice {
  static let nothingCoded = Notice(.recodeNotNeeded)
}

extension Failure {
  /// A coded image that the output cannot store.
  init(
    storing image: String, coded codec: StillCodec, in input: String, to format: FileFormat,
    remedy: String
  ) {
    let held = format.traits.gainMapCodec?.rawValue ?? "otherwise coded"
    self.init(
      refusing: "\(format.title) cannot store \(image) without re-encoding [\(input)]",
      because: ImageError(
        .recodeContainerDiffers,
        ["coded": codec.rawValue, "format": format.title, "held": held],
        at: .init(file: input)),
      remedy: remedy)
  }
}
