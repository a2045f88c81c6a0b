// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Conformance
internal import ContactSheet
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// `hdrconvert sheet IN... -o OUT`.
struct Sheet: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Make a contact sheet of images on displays of several headrooms.",
    usage: "hdrconvert sheet [<options>] <in> ... --output <out>",
    discussion: """
      A sheet shows each image at every headroom, false colors of stops, clipped areas, a waveform, \
      a histogram and the gain map. HTML is one self-contained page with a headroom slider, \
      metadata and verdicts. PNG simulates headroom by dimming; with --transfer pq it is for HDR \
      displays. "full" is the smallest headroom at which nothing is clipped, and can exceed the \
      content headroom, which leaves out rare highlights. Files that cannot be read are reported and omitted; the status is then 1.

      examples:
        hdrconvert sheet IMG_0001.HEIC -o sheet.png
        hdrconvert sheet *.heic -o sheet.html --headroom 1x,2x,4x,full
        hdrconvert sheet photo.avif -o sheet.png --transfer pq --headroom 1x,8x
        hdrconvert sheet photo.avif -o - --to html > sheet.html
      """)

  @Argument(help: .text("Input images; - for standard input.", "in"))
  var files: [String]

  @Option(
    name: .shortAndLong, help: .text("Output file, .png or .html; - for standard output.", "out"))
  var output: String

  @Option(help: .text("Output format, if the suffix does not name it: png or html.", "format"))
  var to: Format?

  @Option(
    help: .text(
      "Up to \(SheetItem.maximumDisplayCount) headrooms, such as 1x, 2st, 812nit, full.", "list"),
    transform: HeadroomList.init(parsing:))
  var headroom = HeadroomList.usual

  @Option(help: "Transfer function of a PNG (default srgb).")
  var transfer: SheetTransfer?

  @Flag(name: .shortAndLong, help: "Replace the output if it exists.")
  var force = false

  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions
  @OptionGroup(title: "Reporting") var reporting: ReportingOptions
  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  enum SheetTransfer: String, ExpressibleByArgument, CaseIterable {
    case srgb
    case pq
  }

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case png
    case html
  }

  private var format: Format? {
    switch output.fileSuffix.lowercased() {
    case _ where to != nil: to
    case "png": .png
    case "html", "htm": .html
    default: nil
    }
  }

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("no image is given") }
    try checkStandardOutput(wantsJSON: reporting.json, output)
    guard let format else {
      throw ValidationError(
        output == OutputFile.standardOutput
          ? "name the output format with --to"
          : "--output takes a .png or .html file, or name the format with --to"
      )
    }
    if format == .html, transfer != nil {
      throw ValidationError("--transfer is for PNG; an HTML page contains both")
    }
  }

  func run() throws {
    let opening = try inputs.opening()
    let target = OutputFile(path: output, mayReplace: force)
    try OutputFile.ensureWritable([target], differingFrom: files)
    let names = files.map { $0 == OutputFile.standardOutput ? "standard input" : $0 }.distinctNames
    var items: [(input: String, item: SheetItem)] = []
    var failures: [(input: String, name: String, failure: Failure)] = []
    for (index, file) in files.enumerated() {
      do {
        items.append((file, try item(file, named: names[index], opening, index: index)))
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        failures.append((file, names[index], error))
      }
    }
    if let last = failures.last, items.isEmpty { throw last.failure }
    try write(items.map(\.item), unread: failures.map(\.name), to: target)
    if reporting.json {
      try JSONReport(
        inputs: files,
        results: items.map {
          SheetItemReport(input: $0.input, output: output, headrooms: headroom.words, $0.item)
        },
        failures: failures.map { FailureReport($0.failure, of: $0.input) }
      ).print()
    }
    if !failures.isEmpty { throw ExitCode(1) }
  }

  private func item(
    _ file: String, named name: String, _ opening: OpeningOptions, index: Int
  ) throws(Failure) -> SheetItem {
    let progress = Progress(reporting.progress, label: file)
    defer { progress.finish() }
    return try Execution.HeldMemory().hold { () throws(Failure) in
      try progress.watch(stage: "rendering \(index + 1) of \(files.count)") {
        () throws(Failure) in try item(file, named: name, opening)
      }
    }
  }

  private func item(
    _ file: String, named name: String, _ opening: OpeningOptions
  ) throws(Failure) -> SheetItem {
    try during(.reading, file) { () throws(ImageError) in
      let image = try openImage(file, options: opening)
      let document = try SourceImage.open(image)
      var item = try SheetItem(
        document, name: name, displays: headroom.displays, longSide: format == .html ? 960 : 520)
      let contents = try image.contents()
      if !reporting.quiet {
        let isPQ = format == .html || transfer == .pq
        let clipping = isPQ ? item.clippingInPQ.map { [$0] } ?? [] : []
        Console.report(
          document.notices + image.decodingNotices.all + clipping, of: files.count > 1 ? file : nil,
          input: file)
      }
      item.details = contents.sheetDetails
      if format == .html { item.verdicts = try verdicts(image) }
      return item
    }
  }

  private func verdicts(_ file: ImageFile) throws(ImageError) -> [SheetItem.Verdict] {
    let checked = try CheckedFile(file)
    return try Standard.allCases.filter(checked.applicableStandards.contains).map {
      standard throws(ImageError) in
      let judgments = try checked.judgments(by: [standard])
      func messages(_ violations: Set<Violation>) -> [String] {
        judgments.filter { $0.violation.map(violations.contains) == true }.map { judgment in
          "\(judgment.rule.id): " + (judgment.findings.first?.message ?? "")
        }
      }
      return SheetItem.Verdict(
        standard: standard.title, failures: messages([.broken]),
        warnings: messages([.deviates, .advice]))
    }
  }

  private func write(
    _ items: [SheetItem], unread: [String], to target: OutputFile
  ) throws(Failure) {
    let isPQ = transfer == .pq
    try during(.writing, output) { () throws(ImageError) in
      guard format == .png else {
        return try target.write(Array(try SheetPage.html(items, unread: unread).utf8))
      }
      let image = try SheetImage(items, unread: unread, coding: isPQ ? .pq : .standard)
        .output()
      _ = try target.write { sink throws(ImageError) in
        try image.write(to: sink, as: .png, options: EncoderOptions())
      }
    }
  }
}

/// Headrooms of displays, separated by commas.
struct HeadroomList {
  let displays: [SheetItem.Display]
  let words: [String]

  static let usual = HeadroomList(
    displays: [1, 2, 4].map { .headroom(Headroom(ratio: $0)) } + [.full],
    words: ["1x", "2x", "4x", "full"])
}

extension HeadroomList: CustomStringConvertible {
  var description: String { words.joined(separator: ",") }
}

extension HeadroomList {
  /// Parses headrooms that are separated by commas.
  ///
  /// - Throws: `ValidationError` for other text, too many entries and duplicates.
  init(parsing text: String) throws(ValidationError) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var displays: [SheetItem.Display] = []
    for word in words {
      switch try HeadroomArgument(parsing: word) {
      case .full: displays.append(.full)
      case .value(let headroom): displays.append(.headroom(headroom))
      }
    }
    guard displays.count <= SheetItem.maximumDisplayCount else {
      throw ValidationError("--headroom takes at most \(SheetItem.maximumDisplayCount) entries")
    }
    guard Set(displays).count == displays.count else {
      throw ValidationError("--headroom lists an entry twice")
    }
    self.init(displays: displays, words: words)
  }
}

extension FileContents {
  /// Lines of a caption: format, size, color, gain map.
  fileprivate var sheetDetails: [SheetItem.Detail] {
    let size = primary.uprightSize
    let name = format.title
    let title = variant.map { $0.uppercased() == name ? name : "\(name) (\($0))" } ?? name
    var details = [
      SheetItem.Detail("format", title),
      SheetItem.Detail("size", "\(size.width)×\(size.height)"),
    ]
    if let color = primary.color?.encoding {
      details.append(.init("color", "\(color.primaries.title), \(color.transfer.title)"))
    }
    if let gainMap {
      let flavors = gainMap.flavors.map(\.title)
      let words = flavors.joined(separator: " and ")
      details.append(.init("gain map", words, phrase: "gain map: \(words)"))
    }
    details += DescriptionReport(primary.light, primary.color?.encoding).lines.filter {
      $0.name == "diffuse white"
    }
    .map { .init($0.name, $0.value, phrase: "white \($0.value)") }
    return details
  }
}

/// Result of `sheet`: an image of the sheet.
struct SheetItemReport: ReportObject {
  static let schemaName = "sheetItem"
  let input: String
  /// The sheet.
  let output: String
  let name: String
  let headrooms: [String]
  let content: HeadroomReport
  let contentOrigin: String
  /// Smallest headroom at which nothing is clipped.
  let full: HeadroomReport
  let light: LightReport

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, name, headrooms
    case content = "contentHeadroom"
    case contentOrigin = "contentHeadroomSource"
    case full = "fullHeadroom"
    case light = "lightLevels"
  }

  init(input: String, output: String, headrooms: [String], _ item: SheetItem) {
    self.input = input
    self.output = output
    self.headrooms = headrooms
    name = item.name
    content = HeadroomReport(item.contentHeadroom.headroom)
    contentOrigin = item.contentHeadroom.origin.rawValue
    full = HeadroomReport(item.reach)
    light = LightReport(item.lightLevels)
  }
}
