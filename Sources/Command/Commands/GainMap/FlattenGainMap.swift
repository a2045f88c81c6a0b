// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// `hdrconvert gainmap flatten IN -o OUT`.
struct FlattenGainMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flatten",
    abstract: "Drop the gain map and keep the baseline image byte for byte.",
    discussion: """
      examples:
        hdrconvert gainmap flatten IMG_0001.HEIC -o sdr.heic --verbose
      """)

  @OptionGroup var files: RewritingOptions
  @OptionGroup(title: "Input and limits", visibility: .inFull) var choice: ImageOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var costs: LimitOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  mutating func validate() throws {
    takeOutput(to: files.many.to)
    try checkFiles()
  }

  func request() throws -> ConversionRequest {
    var request = try files.target.request()
    request.gainMap.use = .drop
    if let image = choice.image { request.input.image = image }
    return request
  }

  func remedy(against error: ImageError) -> String? {
    guard error.code == .recodeContainerDiffers else { return nil }
    let (source, output) = (input.asArgument, target.output.asArgument)
    return FileFormat(suffix: target.output.fileSuffix)?.traits.isLimitedTo8Bits == true
      ? "make an SDR image: hdrconvert render \(source) -o \(output) --level standard"
      : "re-encode the baseline image: hdrconvert \(source) -o \(output) --gainmap drop"
  }
}

extension FlattenGainMap: RearrangingVerb {
  var keepsCodedImages: Bool { true }
}
