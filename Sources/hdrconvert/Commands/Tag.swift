internal import ArgumentParser
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert tag IN [-o OUT]`.
struct Tag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set, change or drop metadata in HEIF, AVIF, PNG and JPEG; nothing is coded again.",
    discussion: """
      Without --output the file itself changes, at once and as a whole. The SHA-256 of every coded \
      picture is the same before and after; --verbose prints it.

      In a file with a gain map, light metadata of the primary picture (the base) and of the tone map \
      (the alternate) are different things: without --item the primary picture is meant. Orientation \
      without --item turns the gain map, mattes and thumbnails along.

      examples:
        hdrconvert tag photo.avif --clli auto --cclv auto
        hdrconvert tag photo.heic --mdcv p3,1000,0.005 --ndwt 203 -o tagged.heic
        hdrconvert tag photo.png --cicp 9/16/0 --dry-run
        hdrconvert tag IMG_1.HEIC -o public.heic --drop gps
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "in"))
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write instead; - for standard output.", valueName: "out"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would change, and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Show what changed, and that coded data did not.")
  var verbose = false

  @OptionGroup(title: "What to change") var editing: EditOptions
  @OptionGroup(title: "Metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func run() throws {
    if !dryRun { try reporting.check(output: output) }
    let (edit, measured) = try editing.edit(metadata)
    guard input != OutputFile.standardOutput || output != nil || dryRun else {
      throw Failure(usage: "standard input cannot be changed in place: say --output")
    }
    let target = outputFile
    if !dryRun { try target.ensureWritable() }
    let edited = try self.edited(edit, measured)
    if !dryRun, output != nil || !edited.isUnchanged {
      try during(.writing, target.path) { () throws(ImageError) in
        _ = try target.write { sink throws(ImageError) in
          try edited.bytes.forEachBlock { block throws(ImageError) in try sink.append(block) }
        }
      }
    }
    if !reporting.quiet { Console.report(edited.notices) }
    try report(edited, to: target)
  }

  /// Where the result goes: a link stays a link to the file that changes.
  private var outputFile: OutputFile {
    if let output { return OutputFile(path: output, mayReplace: force) }
    let path = URL(fileURLWithPath: input).resolvingSymlinksInPath().path
    return OutputFile(path: path, mayReplace: true)
  }

  private func edited(
    _ edit: MetadataEdit, _ measured: Set<EditOptions.Measurement>
  ) throws -> EditedFile {
    let opening = try inputs.opening()
    return try during(.reading, input) { () throws(ImageError) in
      let file = try openImage(input, options: opening)
      if let output { try checkName(output, holdsPicturesOf: input, in: file.format) }
      let edited = try file.edited(edit)
      guard !measured.isEmpty else { return edited }
      // The picture is measured by its new color description.
      var complete = edit
      try complete.measure(measured, in: edited)
      return try file.edited(complete)
    }
  }

  private func report(_ edited: EditedFile, to target: OutputFile) throws {
    guard reporting.json || dryRun || verbose else { return }
    let report = try during(.reading, input) { () throws(ImageError) in
      try TagReport(
        input: input, output: dryRun ? nil : target.path, item: editing.item, edited: edited)
    }
    if reporting.json {
      return try printJSON(report)
    }
    if dryRun {
      Console.print(report.lines(withPayloads: verbose))
    } else {
      Console.add(report.lines(withPayloads: true))
    }
  }
}

extension MetadataEdit {
  /// Sets what only the picture can tell.
  fileprivate mutating func measure(
    _ measured: Set<EditOptions.Measurement>, in edited: EditedFile
  ) throws(ImageError) {
    if measured.contains(.icc) {
      guard let cicp = edited.after.codePoints else {
        throw ImageError(.tagNoCodePoints)
      }
      profile = .set(try ICCProfile.generate(for: cicp))
    }
    guard !measured.isDisjoint(with: [.clli, .cclv, .ndwt]) else { return }
    var file = edited.file
    if let item {
      file = try ImageFile(
        parsing: ByteSource(try file.standalone(item)), options: file.options)
    }
    let document = try SourceImage.open(file)
    if measured.contains(.ndwt) { diffuseWhite = .set(document.image.color.referenceWhite) }
    guard !measured.isDisjoint(with: [.clli, .cclv]) else { return }
    let light = try document.image.lightLevels()
    if measured.contains(.clli) { contentLightLevel = .set(light.contentLightLevel) }
    if measured.contains(.cclv) { contentColorVolume = .set(light.contentColorVolume) }
  }
}
