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
    abstract: "Make the HDR rendition the base of a file with a gain map, or the SDR one.",
    discussion: """
      What the map leads to becomes the base, which has to be coded for that: say --allow-reencode. \
      The samples of the map and all numbers about it stay; they lead back. JPEG has 8 bits, too few \
      for an HDR base, but enough for an SDR one. An HDR base is coded in 4:4:4, as convert does, \
      unless --yuv says otherwise.

      examples:
        hdrconvert gainmap swap photo.avif -o hdr-base.avif --allow-reencode
        hdrconvert gainmap swap hdr-base.avif -o sdr-base.jpg --allow-reencode
        hdrconvert gainmap swap IMG_0001.HEIC -o hdr-base.heic --allow-reencode --quality 95
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "in"))
  var input: String

  @OptionGroup var target: RearrangedOutput

  @Option(help: ArgumentHelp("What the file shall have.", valueName: "iso,xmp"))
  var flavors: FlavorList?

  @OptionGroup(title: "Coding again") var recoding: RecodingOptions

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: ArgumentHelp(
      "Y'CbCr of the new base; default: 444 if it is HDR, otherwise that of the old base.",
      valueName: "444|422|420"))
  var chroma: ChromaSubsampling?

  @OptionGroup(title: "Gain map") var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func run() throws {
    try target.check(reporting)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    var options = try recoding.options(for: target.output)
    // What only Apple's curve says gets other words first, with new samples.
    (options.flavors, options.isExact, options.chroma) = (flavors?.all, true, chroma)
    if options.flavors == nil, options.format.traits.usualGainMapFlavors == [.iso] {
      options.flavors = [.iso]
    }
    let move = try during(.reading, input) { () throws(ImageError) in
      let move = try GainMapTranscoder(try openImage(input, options: opening), options)
      try move.checkSwapping()
      return move
    }
    guard recoding.allowReencode else {
      throw Failure(
        refusal: "cannot make the other rendition the base without re-encoding [\(input)]",
        why: "the file holds it only as base and gain",
        remedy: "hdrconvert gainmap swap \(input.asArgument) -o \(target.output.asArgument) "
          + "--allow-reencode")
    }
    var result = try during(.reading, input) { () throws(ImageError) in try move.swapped() }
    if result.notices.contains(where: { $0.kind == .nonconforming }) {
      result.notices.append(Self.conforming(input, target.output))
    }
    try target.write(result, from: input, verb: "gainmap-swap", reporting)
  }

  /// The notice about a baseline image outside ISO 22028-5, whose gain map has other primaries.
  private static func conforming(_ input: String, _ output: String) -> Notice {
    let (source, target) = (input.asArgument, output.named("bt2020").asArgument)
    return Notice(.swapBaseInOtherPrimaries, ["source": source, "target": target])
  }
}
