// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// `hdrconvert remux IN -o OUT`.
struct Remux: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "remux",
    abstract:
      "Write a gain map in other flavors, rotate, or transcode JPEG, without loss.",
    discussion: """
      Flavors are iso (ISO 21496-1), xmp (Adobe and Ultra HDR) and apple. Parameters that a flavor \
      cannot store exactly are approximated, and a notice states the maximum error; with --exact, \
      the gain map is re-encoded instead. Containers of another codec require --allow-reencode.

      --rotate and --flip apply to the gain map, mattes and thumbnails as well: HEIF and AVIF use \
      irot and imir, JPEG XL the header of the codestream; JPEG coefficients are rotated without \
      loss, or the Exif orientation is set if the image does not consist of whole blocks.

      JPEG files are transcoded to JPEG XL, with their gain map, so that the exact file can be \
      restored, which is verified; JPEG XL files made this way are transcoded back. Only hdrconvert \
      restores the gain map; with --exact, it is stored twice, and any program restores the file.

      examples:
        hdrconvert remux IMG_0001.HEIC -o iso.heic --flavors iso,apple
        hdrconvert remux photo.jpg -o photo.jxl
        hdrconvert remux pixel.jpg -o both.jpg --flavors iso,xmp --verbose
        hdrconvert remux IMG_0001.HEIC -o exact.heic --flavors iso --exact
        hdrconvert remux IMG_0001.HEIC -o web.avif --flavors iso \\
          --allow-reencode
        hdrconvert remux IMG_0001.HEIC -o rotated.heic --rotate 90
        hdrconvert remux *.jpg --out-dir both --flavors iso,xmp
      """)

  @OptionGroup var files: RewritingOptions

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup(title: "Geometry") var rotation: RotationOptions

  @Flag(
    help: """
      Re-encode the gain map if a flavor cannot store its parameters exactly; from JPEG to JPEG XL, let \
      any program restore the file.
      """)
  var exact = false

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportOptions

  mutating func validate() throws {
    takeOutput(to: files.many.to)
    try checkFiles()
    if keepsCodedImages {
      try inputs.refuseDeclaredColor(
        "to correct the color that the file declares, use tag with --set cicp; to convert from the "
          + "right color, use convert")
    }
    guard given.file == nil else { return }
    let isTranscoding = flavors == nil && rotation.orientation == .upright && changesFormat
    guard flavors != nil || rotation.orientation != .upright || isTranscoding else {
      throw ValidationError(
        recoding.allowReencode
          ? "--allow-reencode requires --flavors; without it, use convert with --gainmap keep"
          : "nothing to change; give --flavors, --rotate or --flip, or use tag to change or remove metadata"
      )
    }
    let isPlain = flavors != nil && rotation.orientation == .upright
    guard isPlain || !recoding.allowReencode && (!exact || isTranscoding) else {
      throw ValidationError(
        "--exact and --allow-reencode require --flavors and exclude --rotate and --flip; to write "
          + "another format, use convert with --gainmap keep")
    }
    let mayGiveSpeed = exact || isTranscoding || recoding.speed == nil
    guard recoding.allowReencode || !recoding.givesQuality && mayGiveSpeed else {
      throw ValidationError("--quality, --gainmap-quality and --speed require --allow-reencode")
    }
    try checkRequest()
  }

  func request() throws -> ConversionRequest {
    var request = try files.target.request()
    rotation.apply(to: &request.geometry)
    try inputs.apply(to: &request.input)
    try recoding.apply(to: &request)
    if let flavors {
      request.gainMap.use = .keep
      request.gainMap.flavors = flavors.sorted
    }
    if exact { request.gainMap.isExact = true }
    return request
  }

  func remedy(against error: ImageError) -> String? {
    error.exactRemedy(
      by: rotation.orientation == .upright
        ? .option : .remux(after: "rotate it", into: target.output), flavors)
  }
}

extension Remux: RearrangingVerb {
  /// Re-encoding and transcoding show progress for one input as well.
  var progressOption: ProgressOption? { nil }
  var keepsCodedImages: Bool { !recoding.allowReencode && !exact }
}

extension Remux {
  /// Whether the output is of another format than the input, by their names; JPEG and JPEG XL are transcoded
  /// without loss.
  private var changesFormat: Bool {
    let suffix = (try? files.many.to.map(suffix)) ?? target.output.fileSuffix
    guard let output = FileFormat(suffix: suffix) else { return false }
    return FileFormat(suffix: input.fileSuffix) != output
  }
}

/// Flavors by their names, separated by commas.
struct FlavorList: ExpressibleByArgument {
  let all: Set<GainMapFlavor>

  var sorted: [GainMapFlavor] { all.sorted { $0.rawValue < $1.rawValue } }

  init?(argument: String) {
    let flavors = argument.lowercased().split(separator: ",")
      .map { GainMapFlavor(rawValue: String($0)) }
    guard !flavors.isEmpty, !flavors.contains(nil) else { return nil }
    all = Set(flavors.compactMap { $0 })
  }

  static var defaultCompletionKind: CompletionKind {
    .list(GainMapFlavor.allCases.map(\.rawValue) + ["iso,xmp", "iso,apple"])
  }
}

/// Output and reports of verbs that keep coded images.
struct RewrittenOutput: ParsableArguments {
  @OptionGroup var target: OutputOptions
  @OptionGroup var given: RequestOption
  @OptionGroup var strip: StripOption

  @Flag(name: .shortAndLong, help: .full("Show the SHA-256 of coded images."))
  var verbose = false

  /// A request that keeps coded images; the suffix of the output is its format, if it is one.
  func request() throws -> ConversionRequest {
    var request = try given.request()
    if request.coding.format == nil {
      request.coding.format = FileFormat(suffix: target.output.fileSuffix)
    }
    if request.copying == .automatic { request.copying = .required }
    try strip.apply(to: &request.metadata)
    return request
  }
}

/// Input and output of verbs that keep coded images.
struct RewritingOptions: ParsableArguments {
  @Argument(help: .text("Input files; - for standard input.", "in"))
  var files: [String] = []

  @OptionGroup var target: RewrittenOutput
  @OptionGroup(title: "Many inputs") var many: RearrangedOutputs
}
