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

/// Encoding and color of the output.
struct CodingOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      Quality, 0 to 100; 100 is lossless in HEIF, AVIF and JPEG XR. Default: 90 for JPEG, JPEG XL and JPEG XR, \
      and what looks alike in the others: 86 for HDR and 80 for SDR in AVIF, 60 and 50 in HEIF; less if the file would \
      be larger than its input.
      """)
  var quality: Int?

  @Flag(help: .full("Lossless encoding; RGB unless --yuv is given."))
  var lossless = false

  @Option(
    name: .shortAndLong,
    help: .full(
      """
      Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 5 for JPEG XL, \
      otherwise 6.
      """))
  var speed: Int?

  @Option(
    name: .shortAndLong,
    help: .full("Bits per sample: 8 (SDR), 10, 12 or 16; 32 for float OpenEXR."))
  var depth: Int?

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: .full("Resolution of color: 444 full, 420 a quarter, as in most photos, 400 gray."))
  var chroma: ChromaSubsampling?

  @Option(
    help: .full(
      """
      pq or hlg for HDR (default: pq), also of SDR images; srgb for SDR; linear for JPEG XL, \
      OpenEXR and JPEG XR.
      """, "pq|hlg|srgb|linear"))
  var transfer: TransferFunction?

  @Option(
    help: .full(
      "Default: bt2020, for SDR those of the input. ISO 22028-5 requires bt2020.", "bt2020|p3|bt709"
    ))
  var primaries: ColorPrimaries?

  @Option(help: .full("Brightness of white, the luminance of linear 1.0 (default 203).", "cd/m²"))
  var referenceWhite: Double?

  @Option(help: .text("Exposure in stops; of a raw file, before its tone curve.", "EV"))
  var exposure: Double?

  /// Sets the fields whose options are given.
  func apply(to request: inout ConversionRequest) {
    if let quality { request.coding.quality = quality }
    if lossless { request.coding.isLossless = true }
    if let speed { request.coding.speed = speed }
    if let depth { request.coding.depth = depth }
    if let chroma { request.coding.chroma = chroma }
    if let transfer { request.color.transfer = transfer }
    if let primaries { request.color.primaries = primaries }
    if let referenceWhite { request.color.referenceWhite = referenceWhite }
    if let exposure { request.rendition.exposure = exposure }
  }
}

/// Reports of all verbs.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Report as JSON on standard output.")
  var json = false

  @Flag(help: .full("Do not print notices."))
  var quiet = false
}

/// Refuses a JSON report and a file on the same stream.
func checkStandardOutput(wantsJSON: Bool, _ output: String?) throws(ValidationError) {
  guard wantsJSON, output == OutputFile.standardOutput else { return }
  throw ValidationError("--json and the file cannot both go to standard output")
}

/// Reports of verbs that show progress.
struct ReportingOptions: ParsableArguments {
  @OptionGroup var report: ReportOptions

  @Option(help: .full("Progress on standard error."))
  var progress = ProgressStyle.auto

  var json: Bool { report.json }
  var quiet: Bool { report.quiet }
}

/// Reports of verbs that print notices and do not have details of their own.
struct NoticeOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong, help: .full("Print all notices, also those that are of no consequence."))
  var verbose = false
}
