internal import ArgumentParser
internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Whether coded pictures may be coded again, and how well.
struct RecodingOptions: ParsableArguments {
  @Flag(help: "Code a picture again where the output cannot hold it as it is.")
  var allowReencode = false

  @Option(name: .shortAndLong, help: "Of a base that is coded again, 0...100; default 90.")
  var quality: Int?

  @Option(
    help: ArgumentHelp("Of a map that is coded again, 0...100; default 95.", valueName: "q"))
  var gainmapQuality: Int?

  @Option(name: .shortAndLong, help: "0...10; 10 is fastest; default 6.")
  var speed: Int?

  /// Whether something says how well pictures shall be coded.
  var saysQuality: Bool { quality != nil || gainmapQuality != nil }

  func validate() throws {
    for (name, value) in [("--quality", quality), ("--gainmap-quality", gainmapQuality)] {
      guard (0...100).contains(value ?? 0) else { throw ValidationError("\(name) takes 0...100") }
    }
    guard (0...10).contains(speed ?? 0) else { throw ValidationError("--speed takes 0...10") }
  }

  /// How to move a picture into a file of this name.
  func options(
    for output: String
  ) throws -> GainMapTranscoder.Options {
    guard let format = FileFormat(suffix: (output as NSString).pathExtension),
      format.traits.gainMapCodec != nil
    else {
      throw Failure(usage: "say the output's format by its suffix: .jpg, .heic or .avif")
    }
    func encoder(_ quality: Int) -> EncoderOptions {
      EncoderOptions(quality: quality, speed: speed ?? 6)
    }
    return GainMapTranscoder.Options(
      format: format, base: encoder(quality ?? EncoderOptions.usualQuality),
      map: encoder(gainmapQuality ?? 95))
  }
}

extension EncoderOptions {
  /// For people who do not say it.
  static let usualQuality = 90
}

extension Notice {
  static let nothingCoded = Notice(.recodeNotNeeded)
}

extension Failure {
  /// A coded picture that the output cannot hold.
  init(
    moving what: String, coded codec: StillCodec, in input: String, to format: FileFormat,
    remedy: String
  ) {
    let holds =
      format.traits.gainMapCodec.map { "\(format.title) files store \($0.rawValue) images only" }
      ?? "\(format.title) files store other kinds of coded images"
    self.init(
      refusal: "cannot move \(what) into \(format.title) without re-encoding [\(input)]",
      why: "it is \(codec.rawValue); \(holds)", remedy: remedy)
  }
}
