// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ContactSheet
internal import ImageReports
internal import HDRConversion

/// `hdrconvert compare A B`.
struct Compare: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two images: visible differences, metadata, coded data and structure.",
    usage: "hdrconvert compare [<options>] <a> <b>",
    discussion: """
      Upright linear values in BT.2020 are compared, with gain maps applied in full; of images of \
      different sizes, the larger one is resized. A Delta E ITP of 1 is just noticeable. PU21-PSNR \
      measures luminance, PQ-PSNR red, green and blue. Without the codecs, everything but the \
      pixels is compared.

      examples:
        hdrconvert compare photo.exr photo.avif
        hdrconvert compare photo.heic edited.heic --map difference.png
        hdrconvert compare golden.png new.png --fail-above 0.5
        hdrconvert compare IMG_0001.HEIC iso.heic --gainmap drop --json
      """)

  @Argument(help: .text("Reference image; - for standard input.", "a"))
  var first: String

  @Argument(help: .text("Other image; - for standard input.", "b"))
  var second: String

  @Option(help: .text("PNG to write, with the differences in false colors.", "png"))
  var map: String?

  @Flag(name: .shortAndLong, help: "Replace the map if it exists.")
  var force = false

  @Option(help: .text("Exit with 1 if the mean Delta E ITP is above this value.", "delta-e"))
  var failAbove: Double?

  @Flag(name: .shortAndLong, help: "List coded data and parts of the structure with digests.")
  var verbose = false

  @Option(name: .customLong("gainmap"), help: .full("Gain maps: apply them in full, or drop them."))
  var gainMap = Render.GainMapChoice.apply

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws {
    if first == OutputFile.standardOutput, second == first {
      throw ValidationError("only one image can come from standard input")
    }
    if let failAbove, !(failAbove >= 0 && failAbove.isFinite) {
      throw ValidationError("--fail-above takes a Delta E ITP of 0 or more")
    }
    guard let map else { return }
    try checkStandardOutput(wantsJSON: reporting.json, map)
    guard map == OutputFile.standardOutput || map.lowercased().hasSuffix(".png") else {
      throw ValidationError("--map writes PNG; name a .png file")
    }
  }

  func run() throws {
    let opening = try inputs.opening()
    let target = map.map { OutputFile(path: $0, mayReplace: force) }
    if let target { try OutputFile.ensureWritable([target], differingFrom: [first, second]) }
    let one = try ComparedFile(first, opening)
    let two = try ComparedFile(second, opening)
    let (pixels, sizes) = try comparePixels(one, two)
    if let target, let pixels { try write(pixels, to: target) }
    let report = try during(.reading, first) { () throws(ImageError) in
      try ComparisonReport(one, two, pixels: pixels, sizes: sizes, limit: failAbove)
    }
    if reporting.json {
      try JSONReport(inputs: [first, second], results: [report]).print()
    } else if map != OutputFile.standardOutput {
      Console.print(ComparisonText(report: report, isVerbose: verbose).lines)
    }
    if report.isWithinLimit == false { throw ExitCode(1) }
  }

  /// - Returns: No differences if this build does not have the codec and no option requires it, or
  ///   if the aspect ratios differ.
  private func comparePixels(
    _ one: ComparedFile, _ two: ComparedFile
  ) throws(Failure) -> (ImageComparison.Result?, ComparedSizes?) {
    guard let document = try opened(one), let other = try opened(two) else { return (nil, nil) }
    let sizes = ComparedSizes(document.uprightSize, other.uprightSize)
    guard sizes.common != nil || map != nil else { return (nil, sizes) }
    var comparison = ImageComparison()
    comparison.gainMap = gainMap == .apply ? .full : .none
    comparison.makesMap = map != nil
    let progress = Progress(reporting.progress, label: second)
    defer { progress.finish() }
    let result = try during(.reading, "\(first) and \(second)") { () throws(ImageError) in
      try progress.watch(stage: "comparing") { () throws(ImageError) in
        try comparison.run(document, other)
      }
    }
    return (result, sizes)
  }

  private func opened(_ file: ComparedFile) throws(Failure) -> SourceImage? {
    do throws(ImageError) {
      return try SourceImage.open(file.file)
    } catch  where error.category == .missingCodec && map == nil && failAbove == nil {
      if !reporting.quiet { Console.note("pixels are not compared: \(error.message)") }
      return nil
    } catch {
      throw Failure(error.inFile(file.name))
    }
  }

  private func write(_ pixels: ImageComparison.Result, to target: OutputFile) throws(Failure) {
    guard let levels = pixels.difference.map else { return }
    try during(.writing, target.path) { () throws(ImageError) in
      let planes = try DifferenceMap.image(levels, deltaE: pixels.difference.deltaE)
      let color = ColorEncoding(primaries: .bt709, transfer: .srgb)
      let output = OutputImage(Image(ImageDescription(layout: planes.layout, color: color), planes))
      _ = try target.write { sink throws(ImageError) in
        try output.write(to: sink, as: .png, options: EncoderOptions())
      }
    }
  }
}

/// One of the two files, parsed without a codec.
struct ComparedFile {
  let name: String
  let file: ImageFile
  let contents: FileContents

  init(_ name: String, _ opening: OpeningOptions) throws(Failure) {
    self.name = name
    (file, contents) = try during(.reading, name) { () throws(ImageError) in
      let file = try openImage(name, options: opening)
      return (file, try file.contents())
    }
  }
}
