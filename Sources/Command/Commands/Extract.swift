// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import RAWDevelop

/// `hdrconvert extract IN -o OUT`.
struct Extract: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Extract a coded image, a preview, a matte, a video or metadata.",
    discussion: """
      Images are written to a file of their own with the same coded data: items of HEIF and AVIF \
      (tiles, gain maps, mattes, thumbnails, grids) and images of JPEG. Previews of raw files are \
      copied byte for byte; mattes of DNG are written as upright PNG, the preview frame \
      and the extra channels of JPEG XL as lossless JPEG XL. Exif, XMP and ICC profiles are \
      extracted from TIFF, OpenEXR and JPEG XR as well.

      examples:
        hdrconvert extract IMG_1.HEIC -o tile.heic --item 7
        hdrconvert extract IMG_1.HEIC -o sky.heic --matte sky
        hdrconvert extract IMG_1.DNG -o preview.jpg --preview
        hdrconvert extract IMG_1.DNG -o skin.png --matte skin
        hdrconvert extract IMG_1.HEIC -o photo.icc --icc
        hdrconvert extract pixel.jpg -o map.xmp --item 1 --xmp
        hdrconvert extract pixel.jpg -o pixel.mp4 --video
        hdrconvert extract *.DNG --out-dir previews --preview
      """)

  @Argument(help: .text("Input files; - for standard input.", "in"))
  var files: [String] = []

  @OptionGroup var target: OutputOptions
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption
  @OptionGroup var progress: ProgressOption

  @Option(
    help: .full(
      "Suffix of the outputs of many inputs (default: exif, xmp, icc, mp4, or that of the input; for raw "
        + "files jpg, for mattes of raw files png).", "suffix"))
  var to: String?

  @Option(
    help: .text(
      "Item of HEIF or AVIF, or image of JPEG counted from 0; with --exif, --xmp and --icc, its "
        + "metadata.", "n"))
  var item: UInt32?

  @Flag(help: "Largest thumbnail, preview frame of JPEG XL, or largest preview of a raw file.")
  var preview = false

  @Option(
    help: .text(
      "Matte or other auxiliary image: portrait, skin, hair, teeth, glasses, sky, alpha, or a URN.",
      "name"))
  var matte: String?

  @Flag(help: .full("Depth map."))
  var depthMap = false

  @Flag(help: .full("Video of a motion photo."))
  var video = false

  @Flag(help: "Exif, from its TIFF header on.")
  var exif = false

  @Flag(help: "XMP packet.")
  var xmp = false

  @Flag(help: "ICC profile.")
  var icc = false

  @OptionGroup(title: "Privacy") var strip: PrivacyOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var choice: ImageOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var costs: LimitOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  func validate() throws {
    try checkFiles()
    try checkStandardOutput(wantsJSON: reporting.json, target.output)
    let metadata = [exif, xmp, icc].count { $0 }
    let images = [preview, matte != nil, depthMap, video].count { $0 }
    guard metadata + images == 1 || metadata + images == 0 && item != nil else {
      throw ValidationError(
        "give one of --item, --preview, --matte, --depth-map, --video, --exif, --xmp and --icc")
    }
    guard item == nil || images == 0 else {
      throw ValidationError("--item excludes --preview, --matte, --depth-map and --video")
    }
    guard !strip.removal.removesAll || metadata == 0 else {
      throw ValidationError("--strip all removes the metadata that are to be extracted")
    }
  }

  func processInput() throws {
    let file = target.file
    try OutputFile.ensureWritable([file], differingFrom: [input])
    let limits = try costs.limits()
    let (bytes, notices) = try during(.reading, input) {
      () throws(ImageError) -> (SplicedBytes, [Notice]) in
      var opening = OpeningOptions(limits: limits)
      opening.image = choice.selection
      let file = try openImage(input, options: opening)
      if video { return try self.video(of: file) }
      let raw = try EmbeddedRawImages(file)
      let part = if let raw { try self.part(of: raw) } else { try self.part(of: file) }
      guard !exif, !xmp, !icc else { return (part, try locationNotice(for: part)) }
      return try withoutPrivateMetadata(part, file.options)
    }
    try during(.writing, file.path) { () throws(ImageError) in
      _ = try file.write { sink throws(ImageError) in try sink.write(bytes) }
    }
    Console.report(notices, input: input, isQuiet: reporting.quiet)
    guard reporting.json else { return }
    let report = ExtractedPartReport(
      input: input, output: file.path, part: partName, item: item, matte: matte,
      bytes: bytes.count)
    try JSONReport(inputs: [input], results: [report]).print()
  }

  /// The part, as named in the report.
  private var partName: String {
    let parts = [
      (exif, "exif"), (xmp, "xmp"), (icc, "icc"), (preview, "preview"), (matte != nil, "matte"),
      (depthMap, "depth map"), (video, "video"),
    ]
    return parts.first { $0.0 }?.1 ?? "image"
  }

  /// The notice about location data in extracted Exif or XMP.
  private func locationNotice(for metadata: SplicedBytes) throws(ImageError) -> [Notice] {
    guard !strip.removal.isActive, exif || xmp else { return [] }
    let bytes = try metadata.allBytes()
    let hasLocation =
      exif
      ? try ifReadable(try ExifBlock(parsing: bytes).hasLocation)
      : try ifReadable(try XMPPacket(parsing: bytes).hasLocation)
    return hasLocation == true ? [Notice(.locationIncluded)] : []
  }

  /// The image without the metadata that `--strip` names, and a notice if location data remains.
  private func withoutPrivateMetadata(
    _ image: SplicedBytes, _ options: OpeningOptions
  ) throws(ImageError) -> (SplicedBytes, [Notice]) {
    let file: ImageFile
    do throws(ImageError) {
      file = try ImageFile(parsing: ByteSource(image), options: options)
    } catch {
      guard !strip.removal.isActive else { throw error }
      return (image, [])
    }
    let (bytes, notices) = try strip.removal.applied(to: image, parsed: file)
    return (bytes, target.suffixNotice(for: file.format) + notices)
  }

  private func part(of file: ImageFile) throws(ImageError) -> SplicedBytes {
    if exif {
      let block = try file.metadataSummary(ofItem: item).exif
      var findings = PrivacyFindings()
      return try raw(
        "Exif",
        try block.map { bytes throws(ImageError) in
          try strip.removal.applied(toExif: bytes, &findings)
        })
    }
    if xmp {
      let packet = try file.metadataSummary(ofItem: item).xmp
      var findings = PrivacyFindings()
      return try raw(
        "XMP",
        try packet.map { bytes throws(ImageError) in
          try strip.removal.applied(toXMP: bytes, &findings)
        })
    }
    if icc {
      if let profile = try file.metadataSummary(ofItem: item).profile {
        return try raw("ICC profile", profile)
      }
      return try raw("ICC profile", try file.decodedProfile())
    }
    if preview {
      if let frame = try file.reencodedPreview() { return try raw("preview", frame) }
      if let thumbnail = try file.preview() { return thumbnail }
      let images = try file.contents().images
      if let image = images.first(where: { $0.role == .preview || $0.role == .thumbnail }),
        let number = image.number
      {
        throw ImageError(.extractPreviewIsImage, ["number": number])
      }
      throw ImageError(.extractPartMissing, ["part": "thumbnail"])
    }
    if let item { return try file.standaloneFile(ofItem: item) }
    let name = matte.map { $0.lowercased() == "portrait" ? "portraiteffects" : $0 } ?? "depth"
    let channels = try file.auxiliaryChannels()
    let known = try file.namedAuxiliaries + channels
    guard
      let image = known.first(where: {
        $0.name == name.lowercased() || $0.type == name || $0.type.hasSuffix(":\(name)")
      })
    else {
      // Gain maps are extracted by `gainmap extract`.
      let usual = known.map(\.name).filter { $0 != "hdrgainmap" }
      throw ImageError(.extractAuxiliaryUnknown, ["name": name, "known": usual])
    }
    guard channels.isEmpty else {
      return try raw("channel", try file.reencodedChannel(ofItem: image.item))
    }
    return try file.standaloneFile(ofItem: image.item)
  }

  /// The video, without the metadata that `--strip` names, and a notice if location data remains.
  private func video(of file: ImageFile) throws(ImageError) -> (SplicedBytes, [Notice]) {
    let found = try present("video", try file.video(removing: strip.removal.removalInVideos))
    var findings = PrivacyFindings()
    if strip.removal.removalInVideos != nil { findings.keep(found.unread) }
    return (found.bytes, findings.all + (found.hasLocation ? [Notice(.locationIncluded)] : []))
  }

  private func part(of file: EmbeddedRawImages) throws(ImageError) -> SplicedBytes {
    if preview { return try file.preview() }
    guard let matte else { throw ImageError(.extractNotFromRaw) }
    return ByteSource(try file.matte(named: matte)).whole
  }

  private func raw(_ name: String, _ metadata: [UInt8]?) throws(ImageError) -> SplicedBytes {
    ByteSource(try present(name, metadata)).whole
  }

  private func present<Part>(_ name: String, _ part: Part?) throws(ImageError) -> Part {
    guard let part else { throw ImageError(.extractPartMissing, ["part": name]) }
    return part
  }
}

extension Extract: FileVerb {
  var progressStyle: ProgressStyle { progress.style }
  var keepsCodedImages: Bool { true }
  var progressOption: ProgressOption? { progress }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }

  func outputSuffix(of input: String) throws -> String {
    if let to { return to }
    if exif || xmp || icc { return partName }
    if video { return "mp4" }
    guard InputList.isRaw(input) else { return input.fileSuffix }
    return matte == nil ? "jpg" : "png"
  }
}

/// Result of `extract`.
struct ExtractedPartReport: ReportObject {
  static let schemaName = "extractedPart"
  let input: String
  let output: String
  let part: String
  /// The item or image that was named.
  let item: UInt32?
  /// The matte that was named.
  let matte: String?
  let bytes: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, part, item, matte, bytes
  }
}

/// Result of `gainmap extract`.
struct ExtractedGainMapReport: ReportObject {
  static let schemaName = "extractedGainMap"
  let input: String
  let output: String
  /// The file with the metadata; `nil` if none was named.
  let metadataOutput: String?
  let bytes: Int
  let flavors: [String]
  let gainMapMetadata: GainMapJSON
  let notices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, metadataOutput, bytes, flavors, gainMapMetadata, notices
  }
}
