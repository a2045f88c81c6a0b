// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert gainmap swap IN -o OUT`.
struct SwapGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swap",
    abstract: "Exchange baseline and alternate image of a file with a gain map.",
    discussion: """
      The alternate image becomes the baseline image, which requires --allow-reencode. The gain map \
      and its metadata stay and describe the way back. JPEG cannot store an HDR baseline image. An \
      HDR baseline image is encoded in 4:4:4 unless --yuv is given.

      examples:
        hdrconvert gainmap swap web.avif -o hdr-base.avif --allow-reencode
        hdrconvert gainmap swap hdr-base.avif -o sdr-base.jpg --allow-reencode
        hdrconvert gainmap swap IMG_0001.HEIC -o hdr-base.heic \\
          --allow-reencode --quality 95
      """)

  @Argument(help: ArgumentHelp("Input file; - for standard input.", valueName: "in"))
  var input: String

  @OptionGroup var target: RewrittenOutput

  @Option(help: ArgumentHelp("Flavors of the gain map metadata.", valueName: "iso,xmp"))
  var flavors: FlavorList?

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: ArgumentHelp(
      "Chroma subsampling of the new baseline image (default: 444 for HDR, else as before).",
      valueName: "444|422|420"))
  var chroma: ChromaSubsampling?

  @OptionGroup(title: "Gain map", visibility: .inFull) var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws { try target.target.checkIsGiven() }

  func run() throws {
    try target.check(reporting.report)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    var options = try recoding.options(for: target.output)
    // Metadata that only the Apple flavor can store require new samples first.
    (options.flavors, options.isExact, options.chroma) = (flavors?.all, true, chroma)
    if options.flavors == nil, options.format.traits.usualGainMapFlavors == [.iso] {
      options.flavors = [.iso]
    }
    let (file, move) = try during(.reading, input) { () throws(ImageError) in
      let file = try openImage(input, options: opening)
      let move = try GainMapTranscoder(file, options)
      try move.checkSwapping()
      return (file, move)
    }
    guard recoding.allowReencode else {
      throw Failure(
        refusing:
          "cannot make the alternate image the baseline image without re-encoding [\(input)]",
        because: ImageError(.recodeForSwap, at: .init(file: input)),
        remedy: "hdrconvert gainmap swap \(input.asArgument) -o \(target.output.asArgument) "
          + "--allow-reencode")
    }
    let progress = try Progress.encoding(
      file, input, as: options.format, options.base, reporting.progress)
    defer { progress.finish() }
    var result = try during(.reading, input) { () throws(ImageError) in try move.swapped() }
    if result.notices.contains(where: { $0.category == .nonconforming }) {
      result.notices.append(Self.conforming(input, target.output))
    }
    try target.write(result, from: [input], reporting.report, progress)
  }

  /// The notice about a baseline image outside ISO 22028-5, whose gain map has other primaries.
  private static func conforming(_ input: String, _ output: String) -> Notice {
    let (source, target) = (input.asArgument, output.named("bt2020").asArgument)
    return Notice(.swapBaseInOtherPrimaries, ["source": source, "target": target])
  }
}
