internal import ArgumentParser
internal import Foundation
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
    abstract: "Put a base, a gain map and its metadata into one file; both stay byte for byte.",
    discussion: """
      Base and map are coded alike: both JPEG, both HEVC or both AV1; --allow-reencode codes again \
      what the output cannot hold, and takes PNG too. The metadata are the JSON of \
      'gainmap extract', or any file with a gain map, whose words are taken; a JPEG map that says \
      itself what it means needs none. Without --flavors the file says what the metadata say: in JPEG \
      ISO 21496-1 and XMP, in HEIF and AVIF ISO 21496-1, for a map of Apple's Apple's own.

      examples:
        hdrconvert gainmap join --base sdr.jpg --map map.jpg --metadata map.json -o both.jpg
        hdrconvert gainmap join --base edited.heic --map map.heic --metadata IMG_1.HEIC -o new.heic
      """)

  @Option(help: ArgumentHelp("The base picture, with its metadata.", valueName: "base"))
  var base: String

  @OptionGroup var map: SeparateMapOptions
  @OptionGroup var target: RearrangedOutput

  @Option(help: ArgumentHelp("What the file shall have.", valueName: "iso,xmp,apple"))
  var flavors: FlavorList?

  @OptionGroup(title: "Coding again") var recoding: RecodingOptions
  @OptionGroup(title: "Gain map") var gainMap: AppleCurveOption
  @OptionGroup(title: "Input and limits") var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportOptions

  func run() throws {
    try target.check(reporting)
    let opening = try inputs.opening(appleCurve: gainMap.appleCurve)
    var options =
      recoding.allowReencode
      ? try recoding.options(for: target.output) : nil
    options?.flavors = flavors?.all
    let file = try during(.reading, base) { () throws(ImageError) in
      try openImage(base, options: opening)
    }
    let given = try GivenMap(map.map, metadata: map.metadata, opening)
    let misfits = try misfits(file, given.file)
    if options == nil {
      try checkCodecs(file, given.file)
      try checkHolds(given.record, file)
    }
    var result = try during(
      .reading, options == nil ? map.map : base,
      remedy: { exactRemedy(against: $0, for: given.record) }
    ) { [options] () throws(ImageError) in
      guard let options else {
        return try file.joining(given.file, given.record, in: flavors?.all)
      }
      return try GainMapTranscoder.joined(base: file, map: given.file, given.record, options)
    }
    if options == nil, !result.before.isEmpty {
      result.notices.append(
        Notice(.joinExistingMapReplaced, ["file": base]))
    }
    result.notices += given.notices + misfits
    try target.write(result, from: base, verb: "gainmap-join", reporting)
  }

  /// What does not fit between base and map, neither of which is decoded.
  private func misfits(_ file: ImageFile, _ mapFile: ImageFile) throws -> [Notice] {
    let contents = try [(base, file), (map.map, mapFile)].map { path, file in
      try during(.reading, path) { () throws(ImageError) in
        let contents = try file.contents()
        try contents.rejectCMYK()
        return contents
      }
    }
    return GainMapShape.notices(base: contents[0], map: contents[1])
  }

  /// The way to an exact gain map with `--exact`, which this verb does not have.
  private func exactRemedy(
    against error: ImageError, for record: GainMapRecord
  ) -> String? {
    error.exactRemedy(
      by: .remux(after: "join it", into: target.output), flavors, for: FoundGainMap(record))
  }

  /// An HDR base of 8 bits is none; its readers would take it for a standard one.
  private func checkHolds(_ record: GainMapRecord, _ file: ImageFile) throws {
    let (first, second) = (record.meaning.baseHeadroom, record.meaning.alternateHeadroom)
    guard file.format.traits.isLimitedTo8Bits, first.stops > second.stops else { return }
    throw Failure(
      refusal: "cannot put this gain map beside this base [\(base)]",
      why: "by the metadata the base is the HDR rendition, for which JPEG has too few bits",
      remedy: "check base_hdr_headroom and alternate_hdr_headroom in the metadata")
  }

  private func checkCodecs(_ file: ImageFile, _ mapFile: ImageFile) throws {
    let ours = try during(.reading, base) { () throws(ImageError) in try file.stillCodec }
    let theirs = try during(.reading, map.map) { () throws(ImageError) in try mapFile.stillCodec }
    let wanted = FileFormat(suffix: (target.output as NSString).pathExtension)
    guard wanted.map(ours.isHeld) ?? true else {
      throw Failure(
        refusal: "cannot put this base into \(target.output) as it is [\(base)]",
        why: "the base is \(ours.rawValue)",
        remedy: "give the output the suffix .\(ours.suffix), or add --allow-reencode")
    }
    guard ours != theirs else { return }
    throw Failure(
      refusal: "cannot put this gain map beside this base without re-encoding [\(map.map)]",
      why: "the map is \(theirs.rawValue), the base \(ours.rawValue); one file holds one of them",
      remedy: "add --allow-reencode, or give a map in .\(ours.suffix)")
  }
}

/// A gain map in a file of its own.
struct SeparateMapOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The picture of the gain map.", valueName: "map"))
  var map: String

  @Option(
    help: ArgumentHelp(
      "What its samples mean: JSON of 'gainmap extract', or a file with a gain map.",
      valueName: "file"))
  var metadata: String?
}
