// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// `hdrconvert gainmap extract IN -o MAP`.
struct ExtractGainMap: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extract a gain map: its image and its metadata.",
    discussion: """
      With the suffix of its own coding (.jpg, .heic, .avif, .jxl), the gain map is copied byte for \
      byte; with .png, its samples are decoded, unless they are those of a PNG file. --metadata writes the metadata of all flavors as JSON \
      (schema hdrconvert/gainmap-metadata/1), with the fractions of the file, for 'gainmap join'.

      examples:
        hdrconvert gainmap extract pixel.jpg -o map.jpg --metadata map.json
        hdrconvert gainmap extract IMG_0001.HEIC -o map.png --metadata map.json
      """)

  @Argument(help: .text("Input file; - for standard input.", "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: .text("Image of the gain map: .png, .jpg, .heic, .avif or .jxl.", "map"))
  var output: String

  @Option(help: .text("File to write with the metadata.", "file.json"))
  var metadata: String?

  @Flag(name: .shortAndLong, help: "Replace outputs that exist.")
  var force = false

  @OptionGroup(title: "Privacy") var strip: PrivacyOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func validate() throws {
    try checkStandardOutput(wantsJSON: reporting.json, output)
    let reason = "the samples of the gain map are copied"
    try inputs.refuseDeclaredColor(reason)
    try inputs.refuseAssumedColor(reason)
  }

  func run() throws {
    let target = OutputFile(path: output, mayReplace: force)
    let metadataTarget = metadata.map { OutputFile(path: $0, mayReplace: force) }
    try OutputFile.ensureWritable(
      [target] + (metadataTarget.map { [$0] } ?? []), differingFrom: [input])
    let opening = try inputs.opening()
    let (image, detached, notices) = try during(.reading, input, remedy: remedy) {
      () throws(ImageError) -> (SplicedBytes, FoundGainMap, [Notice]) in
      let file = try openImage(input, options: opening)
      // Its map could be found, but neither decoded nor put into a file of its own.
      if !file.isEditable { _ = try SourceImage.open(file) }
      let inventory = try file.gainMaps()
      let found = try inventory.requireApplicable()
      guard let detached = try file.detached(found) else {
        throw ImageError(.unsuitable, "no metadata describe the samples of the gain map")
      }
      let (image, notices) = try self.image(found, of: file)
      return (image, detached, inventory.notices + notices + detached.notInJSON)
    }
    let json = try during(.writing, metadata ?? output) { () throws(ImageError) in
      try detached.json()
    }
    let numbers = metadataTarget.map { OutputFile.Companion(file: $0, bytes: json) }
    try during(.writing, output) { () throws(ImageError) in
      _ = try target.write(with: numbers) { sink throws(ImageError) in try sink.write(image) }
    }
    Console.report(notices, input: input, isQuiet: reporting.quiet)
    guard reporting.json else { return }
    let report = try during(.reading, input) { () throws(ImageError) in
      ExtractedGainMapReport(
        input: input, output: output, metadataOutput: metadata, bytes: image.count,
        flavors: detached.flavors.map(\.rawValue), gainMapMetadata: try GainMapJSON(detached),
        notices: notices.map(NoticeReport.init))
    }
    try JSONReport(inputs: [input], results: [report]).print()
  }

  /// The gain map as it is coded, or decoded to PNG, and a notice if it has location data.
  private func image(
    _ found: FoundGainMap, of file: ImageFile
  ) throws(ImageError) -> (SplicedBytes, [Notice]) {
    let wanted = FileFormat(suffix: output.fileSuffix)
    if wanted == .png, found.location != .chunk {
      let codes = try SourceImage.open(file).requireGainMap().codes()
      let description = ImageDescription(
        layout: codes.layout, color: .data,
        orientation: try file.contents().primary.orientation)
      let output = OutputImage(Image(description, codes), signalsCICP: false)
      return (ByteSource(try output.encoded(as: .png, options: EncoderOptions())).whole, [])
    }
    try file.requireDecodableGainMap()
    let alone = try file.standaloneFile(ofGainMapAt: found.location)
    let parsed = try ImageFile(parsing: ByteSource(alone), options: file.options)
    let codec = try parsed.stillCodec
    guard output == OutputFile.standardOutput || wanted.map(codec.isHeld) == true else {
      throw ImageError(.extractGainMapCodec, ["coded": codec.rawValue])
    }
    return try strip.removal.applied(to: alone, parsed: parsed)
  }

  /// The command with an output that can store the gain map.
  private func remedy(against error: ImageError) -> String? {
    guard case .text(let coded)? = error.parameters["coded"], error.code == .extractGainMapCodec,
      let codec = StillCodec(rawValue: coded)
    else { return nil }
    let names = [codec.suffix, "png"].map { "\(output.withoutFileSuffix).\($0)".asArgument }
    return "hdrconvert gainmap extract \(input.asArgument) -o \(names[0]), or -o \(names[1])"
  }
}
