// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// `hdrconvert gainmap join --baseline BASE --map MAP -o OUT`.
struct JoinGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Combine a baseline image, a gain map and metadata without re-encoding.",
    discussion: """
      Both images have the codec of the output; --allow-reencode re-encodes images that it cannot \
      store. A gain map whose orientation differs from that of the baseline image is rotated; the \
      JSON of 'gainmap extract' specifies it. The metadata are the JSON of 'gainmap extract', or those of a file with a \
      gain map; a JPEG or PNG gain map that contains its metadata needs none. Default flavors: ISO \
      21496-1 and XMP in JPEG, ISO 21496-1 in other formats, apple for Apple gain maps.

      examples:
        hdrconvert gainmap join --baseline sdr.jpg --map map.jpg -o both.jpg \\
          --metadata map.json
        hdrconvert gainmap join --baseline edited.heic --map map.heic -o new.heic \\
          --metadata IMG_1.HEIC
      """)

  @Option(help: .text("Baseline image, whose metadata are kept.", "file"))
  var baseline: String

  @Option(help: .text("File with the gain map image.", "map"))
  var map: String

  @Option(help: .text("Metadata: JSON of 'gainmap extract', or a file with a gain map.", "file"))
  var metadata: String?

  @OptionGroup var output: RewrittenOutput

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup var listing: DryRunOption
  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws {
    try target.checkIsGiven()
    if !recoding.allowReencode {
      try inputs.refuseDeclaredColor(
        "to correct the color that the file declares, use tag with --set cicp; to convert from the "
          + "right color, use convert")
    }
    try checkRequest()
  }

  func run() throws {
    guard listing.dryRun else { return try processInput() }
    let job = BatchJob(input: BatchInput(argument: baseline), output: .success(target.output))
    try OutputListing(jobs: [job], wantsJSON: wantsJSON).print { _, output in
      try ListedOutputReport(Job.Input(path: baseline, output: output, mayReplace: false), plan())
        .add()
    }
  }

  var input: String { baseline }
  var target: OutputOptions { output.target }
  var given: RequestOption { output.given }
  var printsDigests: Bool { output.verbose }

  func request() throws -> ConversionRequest {
    var request = try output.request()
    request.gainMap.use = .keep
    request.companions.gainMap = map
    if let metadata { request.companions.gainMapMetadata = metadata }
    if let flavors { request.gainMap.flavors = flavors.sorted }
    try inputs.apply(to: &request.input)
    try recoding.apply(to: &request)
    return request
  }

  /// The remedy that leads to `remux --exact`, an option that this verb does not have.
  func remedy(against error: ImageError) -> String? {
    error.exactRemedy(by: .remux(after: "join it", into: target.output), flavors)
  }
}

extension JoinGainMap: RequestVerb {
  var progressStyle: ProgressStyle { reporting.progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }
}
