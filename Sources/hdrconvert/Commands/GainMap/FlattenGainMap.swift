// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

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

  func validate() throws { try checkFiles() }

  func run() throws { try runFiles() }

  func processInput() throws {
    let (source, target) = (files.input.asArgument, files.target.output.asArgument)
    let format = FileFormat(suffix: files.target.output.fileSuffix)
    var opening = OpeningOptions(limits: try costs.limits())
    opening.image = choice.selection
    try files.run(
      opening, reporting, needsGainMap: false,
      otherwise: format?.traits.isLimitedTo8Bits == true
        ? "make an SDR image: hdrconvert render \(source) -o \(target) --level standard"
        : "re-encode the baseline image: hdrconvert \(source) -o \(target) --gainmap drop"
    ) { file throws(ImageError) in try file.droppingGainMaps() }
  }
}

extension FlattenGainMap: RearrangingVerb {
  var keepsCodedImages: Bool { true }
}
