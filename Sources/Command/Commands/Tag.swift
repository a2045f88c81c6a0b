// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// `hdrconvert tag IN [-o OUT]`.
struct Tag: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Set or remove metadata without re-encoding.",
    discussion: """
      Files are HEIF, AVIF, PNG, JPEG, JPEG XL or JPEG XR.

      Without --output, the file itself is replaced, which requires --force or --backup. Coded \
      images stay byte for byte; --verbose prints their SHA-256 before and after.

      The primary image is meant unless --item names another one. In a file with a gain map, the \
      primary image is the baseline image; the light metadata of the alternate image belong to the \
      tone map item. Orientation without --item includes the gain map, mattes and thumbnails.

      examples:
        hdrconvert tag photo.avif --set clli=auto,cclv=auto --backup
        hdrconvert tag photo.heic -o tagged.heic \\
          --set mdcv=p3:1000:0.005,ndwt=203
        hdrconvert tag photo.png --set cicp=9/16/0 --dry-run
        hdrconvert tag IMG_0001.HEIC -o public.heic --strip gps
        hdrconvert tag *.heic --out-dir public --strip gps
      """)

  @Argument(help: .text("Input files; - for standard input.", "in"))
  var files: [String] = []

  @Option(name: .shortAndLong, help: .text("Output file; - for standard output.", "out"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace the output, or without --output the file itself.")
  var force = false

  @Flag(help: "Replace the file itself and keep the original as IN.orig.")
  var backup = false

  @Flag(name: [.customShort("n"), .long], help: "Show the changes and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: .full("Show the changes, and the SHA-256 of coded images."))
  var verbose = false

  @OptionGroup var given: RequestOption
  @OptionGroup(title: "Many inputs") var batch: BatchOptions
  @OptionGroup var progress: ProgressOption
  @OptionGroup(title: "Changes") var metadata: TagOptions
  @OptionGroup(title: "Changes") var strip: StripOption

  @Option(
    help: .full(
      "Item of HEIF or AVIF, or image of JPEG counted from 0 (default: the primary image).", "n"))
  var item: UInt32?

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting", visibility: .inFull) var reporting: ReportOptions

  func validate() throws {
    if !dryRun || isBatch { try checkFiles() }
    guard output == nil || !backup else {
      throw ValidationError("--backup is for a file that is replaced; leave out --output")
    }
    guard !files.contains(OutputFile.standardOutput) || output != nil || dryRun else {
      throw ValidationError("standard input cannot be replaced; give --output")
    }
    try inputs.choice.refuse("--item names the image whose metadata change")
    try inputs.refuseDeclaredColor(
      "--set cicp stores another color in the file; to convert from the right color, use convert")
    guard given.file == nil else { return }
    let metadata = try request().metadata
    guard metadata != ConversionRequest.Metadata(item: metadata.item) else {
      throw ValidationError("nothing to change; use --set or --strip")
    }
  }

  func request() throws -> ConversionRequest {
    var request = try given.request()
    request.copying = .required
    if let item { request.metadata.item = Int(item) }
    try metadata.apply(to: &request)
    try strip.apply(to: &request.metadata)
    try inputs.apply(to: &request.input)
    return request
  }

  func processInput() throws {
    let file = outputFile(for: input)
    if !dryRun {
      try checkStandardOutput(wantsJSON: reporting.json, output)
      if output == nil {
        try file.ensureWritable(isInPlace: true)
      } else {
        try OutputFile.ensureWritable([file], differingFrom: given.file.map { [$0] } ?? [])
      }
    }
    let plan = try plan()
    var edited = try during(.reading, input) { () throws(ImageError) in try plan.editedFile() }
    // A file that is replaced had its location before.
    if output == nil { edited.notices.removeAll { $0.code == .locationIncluded } }
    if !dryRun, output != nil || !edited.isUnchanged {
      try during(.writing, file.path) { () throws(ImageError) in
        _ = try file.write { sink throws(ImageError) in try sink.write(edited.bytes) }
      }
    }
    Console.report(edited.notices, input: input, isQuiet: reporting.quiet)
    try report(edited, item: plan.request.metadata.item, output: dryRun ? nil : file.path)
  }

  func check(_ file: ImageFile) throws(ImageError) {
    if let output { try checkName(output, storesImagesOf: input, in: file.format) }
  }
}

extension Tag: InPlaceVerb, RequestVerb {
  var printsDigests: Bool { verbose }
  /// `--dry-run` shows the changes of each file.
  var listsOutputs: Bool { false }
  var writesNothing: Bool { dryRun }
  var wantsJSON: Bool { reporting.json }
  var isQuiet: Bool { reporting.quiet }
}

/// Result of `tag`.
struct TagReport: ReportObject {
  static let schemaName = "taggedFile"

  /// A changed value.
  struct Change: ReportObject {
    static let schemaName = "change"
    let name: String
    let before: String?
    let after: String?

    enum CodingKeys: String, CodingKey, CaseIterable { case name, before, after }
  }

  let input: String
  let output: String?
  let item: Int?
  let bytes: Int
  let changes: [Change]
  let payloads: [CodedDataReport]
  let notices: [NoticeReport]

  init(input: String, output: String?, item: Int?, edited: EditedFile) throws(ImageError) {
    self.input = input
    self.output = output
    self.item = item
    bytes = edited.bytes.count
    let values = zip(edited.before.entries, edited.after.entries).compactMap { before, after in
      before == after ? nil : Change(name: before.name, before: before.value, after: after.value)
    }
    let found = values + edited.removedParts.map { Change(name: $0, before: "yes", after: nil) }
    changes =
      found.isEmpty && !edited.isUnchanged
      ? [Change(name: "other", before: nil, after: nil)] : found
    payloads = try edited.proof().map {
      CodedDataReport(
        name: $0.name, bytes: $0.count, sha256: $0.after,
        status: $0.before == $0.after ? .unchanged : .reencoded)
    }
    notices = edited.notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, item, bytes, changes, notices
    case payloads = "codedData"
  }

  /// A line for each change, then for each coded image.
  func lines(withPayloads: Bool) -> [String] {
    var lines = [input]
    lines += changes.map { change in
      change.before == nil && change.after == nil
        ? "  changes of metadata other than those in this list"
        : "  \(change.name): \(change.before ?? "-") -> \(change.after ?? "-")"
    }
    if changes.isEmpty { lines.append("  no changes") }
    guard withPayloads else { return lines }
    return lines + payloads.map(\.line)
  }
}

extension MetadataSummary {
  fileprivate struct Entry: Equatable {
    let name: String
    let value: String?
  }

  /// Each value in the form that options take.
  fileprivate var entries: [Entry] {
    LightNotation.all.map { Entry(name: $0.key.name, value: $0.text(light)) } + [
      Entry(name: "cicp", value: codePoints?.description),
      Entry(name: "icc", value: Self.digest(profile)),
      Entry(name: "orientation", value: "\(orientation.rawValue)"),
      Entry(name: "exif", value: Self.digest(exif)),
      Entry(name: "xmp", value: Self.digest(xmp)),
      Entry(name: "location", value: hasLocation ? "yes" : nil),
    ]
  }

  private static func digest(_ bytes: [UInt8]?) -> String? {
    bytes.map { "\($0.count) bytes (SHA-256 \(SHA256.hexadecimal($0).prefix(12)))" }
  }
}
