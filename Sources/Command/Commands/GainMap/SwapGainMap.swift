// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// `hdrconvert gainmap swap IN -o OUT`.
struct SwapGainMap: MultithreadedCommand {
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

  @OptionGroup var files: RewritingOptions

  @Option(help: .text("Flavors of the gain map metadata.", "iso,xmp"))
  var flavors: FlavorList?

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: .text(
      "Chroma subsampling of the new baseline image (default: 444 for HDR, else as before).",
      "444|422|420"))
  var chroma: ChromaSubsampling?

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  mutating func validate() throws {
    takeOutput(to: files.many.to)
    try checkFiles()
    try checkRequest()
  }

  func request() throws -> ConversionRequest {
    var request = try files.target.request()
    request.gainMap.use = .keep
    request.gainMap.baseline = .alternate
    if let flavors { request.gainMap.flavors = flavors.sorted }
    try inputs.apply(to: &request.input)
    try recoding.apply(to: &request)
    if let chroma { request.coding.chroma = chroma }
    return request
  }
}

extension SwapGainMap: RearrangingVerb {
  var progressOption: ProgressOption? { nil }
}
