// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert gainmap join --base BASE --map MAP -o OUT`.
struct JoinGainMap: ParsableCommand {
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
        hdrconvert gainmap join --base sdr.jpg --map map.jpg -o both.jpg \\
          --metadata map.json
        hdrconvert gainmap join --base edited.heic --map map.heic -o new.heic \\
          --metadata IMG_1.HEIC
      """)

  @Option(help: ArgumentHelp("Baseline image, whose metadata are kept.", valueName: "base"))
  var base: String

  @OptionGroup var map: SeparateMapOptions
  @OptionGroup var target: RewrittenOutput

  @Option(help: ArgumentHelp("Flavors of the gain map metadata.", valueName: "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup(title: "Re-encoding") var recoding: RecodingOptions
  @OptionGroup(title: "Gain map", visibility: .inFull) var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions

  func validate() throws { try target.target.checkIsGiven() }

  func run() throws {
    try target.check(reporting.report)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    var options =
      recoding.allowReencode
      ? try recoding.options(for: target.output) : nil
    options?.flavors = flavors?.all
    let file = try during(.reading, base) { () throws(ImageError) in
      try openImage(base, options: opening)
    }
    let given = try GainMapInput(map.map, metadata: map.metadata, opening)
    let contents = try contents(file, given.file)
    let rotation = GainMapShape.rotation(
      base: contents.base, map: contents.map, given.metadata)
    let rotated = try rotated(given.file, by: rotation)
    let misfits = GainMapShape.notices(
      base: contents.base, map: contents.map, given.metadata,
      isRotated: rotated != nil || options != nil)
    if options == nil {
      try checkCodecs(file, given.file)
      try checkHolds(given.metadata, file)
    }
    let progress = try options.map { options in
      try Progress.encoding(file, base, as: options.format, options.base, reporting.progress)
    }
    defer { progress?.finish() }
    var result = try during(
      .reading, options == nil ? map.map : base,
      remedy: { exactRemedy(against: $0, for: given.metadata) }
    ) { [options] () throws(ImageError) in
      guard let options else {
        return try file.joining(rotated ?? given.file, given.metadata, in: flavors?.all)
      }
      return try GainMapTranscoder.joined(
        base: file, map: rotated ?? given.file, given.metadata, options,
        rotation: rotated == nil ? rotation : .upright)
    }
    if options == nil, !result.before.isEmpty {
      result.notices.append(
        Notice(.joinExistingMapReplaced, ["file": base]))
    }
    result.notices += given.notices + misfits
    try target.write(result, from: [base, map.map], reporting.report, progress)
  }

  /// The contents of both files, neither of which is decoded.
  private func contents(
    _ file: ImageFile, _ mapFile: ImageFile
  ) throws -> (base: FileContents, map: FileContents) {
    func contents(_ path: String, _ file: ImageFile) throws(Failure) -> FileContents {
      try during(.reading, path) { () throws(ImageError) in
        let contents = try file.contents()
        try contents.rejectCMYK()
        return contents
      }
    }
    return (try contents(base, file), try contents(map.map, mapFile))
  }

  /// The gain map rotated without loss; `nil` if it need not or cannot be.
  private func rotated(
    _ mapFile: ImageFile, by rotation: Orientation
  ) throws(Failure) -> ImageFile? {
    guard rotation != .upright else { return nil }
    return try during(.reading, map.map) { () throws(ImageError) in
      try mapFile.rotatingImage(by: rotation) { image, orientation throws(ImageError) in
        try JPEGRotation.rotated(image, by: orientation, limits: mapFile.options.limits)
      }
    }
  }

  /// The remedy that leads to `remux --exact`, an option that this verb does not have.
  private func exactRemedy(
    against error: ImageError, for detached: FoundGainMap
  ) -> String? {
    error.exactRemedy(
      by: .remux(after: "join it", into: target.output), flavors, for: detached)
  }

  /// Refuses an HDR baseline image of 8 bits, which readers would take for SDR.
  private func checkHolds(_ detached: FoundGainMap, _ file: ImageFile) throws {
    guard file.format.traits.isLimitedTo8Bits, detached.metadata?.baseIsHDR == true else { return }
    throw Failure(
      refusing: "cannot combine this gain map with this baseline image [\(base)]",
      because: ImageError(.joinBaseIsHDR, at: .init(file: base)),
      remedy: "check base_hdr_headroom and alternate_hdr_headroom in the metadata")
  }

  private func checkCodecs(_ file: ImageFile, _ mapFile: ImageFile) throws {
    let ours = try during(.reading, base) { () throws(ImageError) in try file.stillCodec }
    let theirs = try during(.reading, map.map) { () throws(ImageError) in try mapFile.stillCodec }
    let wanted = FileFormat(suffix: target.output.fileSuffix)
    guard wanted.map(ours.isHeld) ?? true else {
      throw Failure(
        refusing:
          "cannot store this baseline image in \(target.output) without re-encoding [\(base)]",
        because: ImageError(
          .joinBaseCodec, ["coded": ours.rawValue], at: .init(file: base)),
        remedy: "give the output the suffix .\(ours.suffix), or add --allow-reencode")
    }
    guard ours != theirs else { return }
    throw Failure(
      refusing:
        "cannot combine this gain map with this baseline image without re-encoding [\(map.map)]",
      because: ImageError(
        .joinCodecsDiffer, ["map": theirs.rawValue, "base": ours.rawValue],
        at: .init(file: map.map)),
      remedy: "add --allow-reencode, or give a map in .\(ours.suffix)")
  }
}

/// A gain map in a file of its own.
struct SeparateMapOptions: ParsableArguments {
  @Option(help: ArgumentHelp("File with the gain map image.", valueName: "map"))
  var map: String

  @Option(
    help: ArgumentHelp(
      "Metadata: JSON of 'gainmap extract', or a file with a gain map.",
      valueName: "file"))
  var metadata: String?
}
