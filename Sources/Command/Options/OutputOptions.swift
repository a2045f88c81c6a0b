// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// The output file.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .text("Output file; - for standard output.", "out"))
  var given: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  /// The name of the output; empty if none was given, which verbs refuse.
  var output: String { given ?? "" }

  /// Fails without an output.
  func checkIsGiven() throws(ValidationError) {
    guard given != nil else { throw ValidationError("missing argument: --output <out>") }
  }

  /// The notice about a suffix of another format than the output has.
  func suffixNotice(for format: FileFormat) -> [Notice] {
    let suffix = output.fileSuffix
    guard let named = FileFormat(suffix: suffix), named != format else { return [] }
    return [Notice(.outputSuffixDiffers, ["suffix": suffix, "format": format.title])]
  }

  var file: OutputFile { OutputFile(path: output, mayReplace: force) }
}

/// A request that other options add to.
struct RequestOption: ParsableArguments {
  @Option(
    name: .customLong("request"),
    help: .full(
      "Request as JSON; other options add to it. --dry-run --json prints the one that options make.",
      "file.json"))
  var file: String?

  /// The request of the file; a new one without a file.
  ///
  /// - Throws: The failure of reading it.
  func request(limits: ImageLimits = ImageLimits()) throws(Failure) -> ConversionRequest {
    guard let file else { return ConversionRequest() }
    return try during(.reading, file) { () throws(ImageError) in
      try ConversionRequest(json: try openInput(file, limits: limits).allBytes())
    }
  }
}

/// Permission to re-encode, and the quality.
struct RecodingOptions: ParsableArguments {
  @Flag(help: "Re-encode images that the output cannot store as they are.")
  var allowReencode = false

  @Option(
    name: .shortAndLong,
    help: """
      Quality of a re-encoded baseline image, 0 to 100. Default: 50 for HEIF, 80 for AVIF, 90 for \
      JPEG, less if the file would be larger than its input.
      """)
  var quality: Int?

  @Option(
    help: .full(
      """
      Quality of a re-encoded gain map, 0 to 100; default: follows that of the baseline image (JPEG: \
      70 with 90).
      """, "q"))
  var gainmapQuality: Int?

  @Option(
    name: .shortAndLong,
    help: .full(
      "Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 6 for JPEG."))
  var speed: Int?

  @OptionGroup var metadata: MakerNotesOption

  /// Whether a quality was given.
  var givesQuality: Bool { quality != nil || gainmapQuality != nil }

  /// Sets the fields whose options are given.
  func apply(to request: inout ConversionRequest) throws(Failure) {
    if allowReencode { request.copying = .preferred }
    if let quality { request.coding.quality = quality }
    if let gainmapQuality { request.gainMap.quality = gainmapQuality }
    if let speed { request.coding.speed = speed }
    try metadata.apply(to: &request)
  }
}
