// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Conformance
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// `hdrconvert validate IN...`.
struct Validate: MultithreadedCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check files against ISO 22028-5, ISO 21496-1 and the rules of their formats.",
    usage: "hdrconvert validate [<options>] [<in> ...]",
    discussion: """
      All standards that apply to a file are checked unless --standard names some. A violation is \
      broken if a known reader fails or shows something else, a deviation if it is only against the \
      text of a standard, otherwise advice. The status is 1 if a file is broken.

      examples:
        hdrconvert validate photo.avif
        hdrconvert validate --standard 22028-5 -v photo.heic
        hdrconvert validate out/*.avif --json > verdicts.json
        hdrconvert validate -r photos
        hdrconvert validate --strict --standard 22028-5 photo.heic
        hdrconvert validate --fix photo.heic -o fixed.heic
        hdrconvert validate --fix --backup photo.heic
        hdrconvert validate --fix -r photos --out-dir fixed
        hdrconvert validate --fix --strip gps photo.heic -o public.heic
        hdrconvert validate --rules
      """)

  @Argument(help: .text("Files; - for standard input.", "in"))
  var files: [String] = []

  @Option(
    help: .text(
      "\(Standard.allCases.map(\.rawValue).joined(separator: ", ")) or all (default); repeatable.",
      "standard"))
  var standard: [StandardChoice] = []

  @Flag(help: "Count deviations as failures.")
  var strict = false

  @Flag(help: "Correct metadata and structure; coded images stay byte for byte.")
  var fix = false

  @Option(
    name: .shortAndLong, help: .text("With --fix: output file; - for standard output.", "out"))
  var output: String?

  @Flag(name: .shortAndLong, help: "With --fix: replace the files themselves, or the output.")
  var force = false

  @Flag(help: "With --fix: replace the files themselves and keep the originals as IN.orig.")
  var backup = false

  @Flag(name: .shortAndLong, help: "Show rules that pass or cannot be checked as well.")
  var verbose = false

  @Flag(help: "Report as JSON.")
  var json = false

  @Flag(help: "Print the list of all rules as Markdown, or with --json as JSON.")
  var rules = false

  @OptionGroup(title: "Many inputs", visibility: .inFull) var batch: BatchOptions
  @OptionGroup(title: "Many inputs") var listing: DryRunOption
  @OptionGroup var progress: ProgressOption
  @OptionGroup(title: "Privacy (with --fix)") var strip: PrivacyOption
  @OptionGroup(title: "Input and limits", visibility: .inFull) var inputs: InputOptions

  func validate() throws {
    guard rules || !files.isEmpty || batch.filesFrom != nil else {
      throw ValidationError("no file is given")
    }
    try inputs.choice.refuse("all images of a file are checked")
    try inputs.refuseDeclaredColor(
      "what a file declares is checked; to correct it, use tag with --set cicp")
    guard fix else {
      guard output == nil, !force, !backup else {
        throw ValidationError("--output, --force and --backup require --fix")
      }
      guard !strip.isGiven else { throw ValidationError("--strip requires --fix") }
      guard !batch.isForOutputs, !listing.dryRun, progress.progress == nil else {
        throw ValidationError("options for the outputs of many inputs require --fix")
      }
      return
    }
    if isBatch || progress.progress != nil { try checkFiles() }
    if batch.outDir != nil || batch.name != nil {
      guard !backup else {
        throw ValidationError("--backup is for files that are replaced; leave out --out-dir")
      }
    } else if output == nil {
      guard force || backup else {
        throw ValidationError(
          "--fix requires --output, --backup, or --force to replace the files themselves")
      }
      guard !files.contains(OutputFile.standardOutput) else {
        throw ValidationError("standard input cannot be replaced; give --output")
      }
    } else if backup {
      throw ValidationError("--backup is for files that are replaced; leave out --output")
    } else if files.count != 1 {
      throw ValidationError("--output is for one file")
    }
    try checkStandardOutput(wantsJSON: json, output)
  }

  func run() throws {
    guard !rules else {
      guard json else { return Console.write(Array(RuleList.markdown.utf8)) }
      return try JSONReport(inputs: [], results: Rule.all.map(ListedRuleReport.init)).print()
    }
    try fix ? runFiles() : report()
  }

  func processInput() throws {
    var opening = try inputs.opening()
    opening.acceptsWrongChecksums = true
    let report = try fix ? fixed(input, opening) : judge(input, opening)
    if !json, output != OutputFile.standardOutput {
      Console.print(report.lines(isVerbose: verbose))
    }
    InputReport.add { $0.verdict = report.verdict }
    if json { try JSONReport(inputs: files, results: [report]).print() }
    if report.hasFailed(isStrict: strict) { throw ExitCode(1) }
  }

  /// Whether a folder may contain files that are not meant to be checked.
  private var isOneOfMany: Bool { files.count > 1 || batch.recursive }

  private func judge(_ file: String, _ opening: OpeningOptions) throws(Failure) -> ValidationReport
  {
    let checked = try checkedFile(file, opening)
    let standards = standards(for: checked)
    func unchecked(_ error: ImageError) -> ValidationReport {
      ValidationReport(file: file, format: checked.file.format, unchecked: error)
    }
    guard !standards.isEmpty else {
      let error = ImageError(
        .validateNoRules, ["format": checked.file.format.title], at: .init(file: file))
      if isOneOfMany { return unchecked(error) }
      throw Failure(error)
    }
    let judgments = try during(.reading, file) { () throws(ImageError) in
      try checked.judgments(by: standards)
    }
    // None of the rules may apply, as for JPEG without a gain map.
    guard
      !standards.isDisjoint(with: checked.applicableStandards)
        || !judgments.allSatisfy({ $0.verdict == .notApplicable })
    else {
      let names = standards.map(\.rawValue).sorted().joined(separator: ", ")
      let error = ImageError(
        .invalidArgument, "no rule of {standards} applies to {file}, a {format} file",
        ["standards": names, "file": file, "format": checked.file.format.title])
      if isOneOfMany { return unchecked(error) }
      throw Failure(error, remedy: "hdrconvert validate --standard all \(file.asArgument)")
    }
    return ValidationReport(
      file: file, format: checked.file.format, standards: standards, judgments: judgments,
      command: { $0.command(for: file) })
  }

  /// Fixes a file and checks the result.
  private func fixed(_ file: String, _ opening: OpeningOptions) throws(Failure) -> ValidationReport
  {
    let target = outputFile(for: file)
    try target.ensureWritable()
    let checked = try checkedFile(file, opening)
    // A file with wrong brands is of the format of its coded images after they are fixed.
    if let output, FileFormat(suffix: output.fileSuffix).map(checked.stillIsHeld) != true {
      try during(.reading, file) { () throws(ImageError) in
        try checkName(output, storesImagesOf: file, in: checked.file.format)
      }
    }
    let standards = standards(for: checked)
    let result = try during(.reading, file) { () throws(ImageError) in
      try FixedFile(fixing: checked, by: standards)
    }
    let stripped = try during(.reading, file) { () throws(ImageError) in
      try self.stripped(result, by: standards)
    }
    var bytes = stripped.bytes
    // The output is written even if there is nothing to fix.
    if bytes == nil, output != nil { bytes = checked.file.source.whole }
    if let bytes {
      _ = try during(.writing, target.path) { () throws(ImageError) in
        try target.write { sink throws(ImageError) in try sink.write(bytes) }
      }
    }
    let notices = output == nil ? [] : stripped.notices
    Console.report(notices)
    guard !standards.isEmpty else {
      return ValidationReport(
        file: target.path, format: checked.file.format,
        unchecked: ImageError(.validateNoRules, ["format": checked.file.format.title]))
    }
    return ValidationReport(
      file: target.path, format: checked.file.format, standards: standards,
      judgments: stripped.judgments, fixed: result, notices: notices.map { NoticeReport($0) },
      command: { $0.command(for: target.path) })
  }

  /// The fixed file without the metadata that `--strip` names.
  private func stripped(
    _ result: FixedFile, by standards: Set<Standard>
  ) throws(ImageError) -> (bytes: SplicedBytes?, judgments: [Judgment], notices: [Notice]) {
    let file = result.checked.file
    guard file.isEditable else { return (result.bytes, result.judgments, []) }
    let (edited, notices) = try strip.removal.apply(to: file)
    guard let edited, !edited.isUnchanged else { return (result.bytes, result.judgments, notices) }
    let judgments = try CheckedFile(edited.file).judgments(by: standards)
    return (edited.bytes, judgments, notices)
  }

  private func checkedFile(_ file: String, _ opening: OpeningOptions) throws(Failure) -> CheckedFile
  {
    try during(.reading, file) { () throws(ImageError) in
      try CheckedFile(try openImage(file, options: opening))
    }
  }

  private func standards(for checked: CheckedFile) -> Set<Standard> {
    let named = Set(standard.compactMap(\.standard))
    let isAll = standard.isEmpty || standard.contains { $0.standard == nil }
    return isAll ? named.union(checked.applicableStandards) : named
  }
}

/// A standard, or all that concern a file.
struct StandardChoice: ExpressibleByArgument {
  let standard: Standard?

  init?(argument: String) {
    guard argument == "all" || Standard(rawValue: argument) != nil else { return nil }
    standard = Standard(rawValue: argument)
  }

  static var allValueStrings: [String] { Standard.allCases.map(\.rawValue) + ["all"] }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension CheckedFile {
  /// Whether files of a format store coded images like those of this file.
  fileprivate func stillIsHeld(by format: FileFormat) -> Bool {
    (try? file.stillCodec)?.isHeld(by: format) == true
  }
}

extension Validate: InPlaceVerb, ReadingVerb, ListedInputs {
  func withListedInputs() throws -> Validate {
    guard !fix, !rules else { return self }
    let list = try InputList(files, batch, limits: inputs.costs.limits())
    var verb = self
    verb.files = list.inputs.map(\.path) + list.unreadable.map(\.folder.path)
    return verb
  }

  func alone(_ input: Job.Input) -> Validate {
    var single = self
    (single.files, single.batch.recursive) = ([input.path], isOneOfMany)
    if fix { (single.output, single.force) = (input.output, input.mayReplace) }
    return single
  }

  func summary(of verdicts: [String], failed: Int) -> String? {
    ValidationReport.total(of: verdicts, failed: failed)
  }

  var runsInputsAlone: Bool { fix ? isBatch : files.count > 1 || batch.isGiven }
  var writesNothing: Bool { !fix }
  var needsLibraries: Bool { true }
  var listsOutputs: Bool { listing.dryRun }
  var wantsJSON: Bool { json }
  var isQuiet: Bool { false }
}

/// The list of all rules as Markdown; the source of `Documentation/Rules.md`.
enum RuleList {
  /// Markdown, a table for each standard.
  static var markdown: String {
    var lines = [
      "# Rules",
      "",
      "The rules of `hdrconvert validate`. Generated by `hdrconvert validate --rules`; do not edit.",
      "",
      "A *must* is required by a standard, a *should* is recommended. Rules marked *ours* find files",
      "that contradict themselves or confuse well-known readers. Requirements of ISO 22028-5 are derived",
      "from public sources; notices of `convert` use the same ids.",
      "",
      "The class of a violation depends on known readers",
      "([Decision 21](Decisions/0021-broken-deviates-advice.md)): *broken* if one fails or shows something",
      "else, with what it does; otherwise *deviates* for a *must*, and *advice* for the others. Broken",
      "files set the status to 1; with `--strict`, so do deviations.",
      "",
      "`--standard` selects families of rules; `all` (default) selects those that apply to the file. A",
      "file to which no rule of the named standards applies is an error, not a pass.",
      "",
      "Sources name clauses that a public text or implementation names, else the box or subject that",
      "the standard defines.",
    ]
    for standard in Standard.allCases {
      let rules = Rule.all.filter { $0.standard == standard }
      lines += [
        "", "## \(standard.title)", "",
        "`--standard \(standard.rawValue)`: \(rules.count) rules.", "",
        "| Rule | Level | Class | Requirement | Source |", "|---|---|---|---|---|",
      ]
      lines += rules.map { rule in
        let cells = [
          "`\(rule.id)`", rule.level.rawValue, description(of: rule), rule.title, rule.source,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The class of a violation, with its effect and the violations that do not have it.
  private static func description(of rule: Rule) -> String {
    guard let effect = rule.effect else { return rule.violation.rawValue }
    let exception = rule.exception.map { "; \(rule.harmlessViolation.rawValue): \($0)" } ?? ""
    return "\(rule.violation.rawValue): \(effect)\(exception)"
  }
}

/// A rule in the JSON report of `validate --rules`.
struct ListedRuleReport: ReportObject {
  static let schemaName = "listedRule"
  let id: String
  let standard: String
  let level: String
  /// Class of the worst possible violation.
  let violation: String
  let title: String
  let source: String
  /// Behavior of readers if the rule is broken.
  let effect: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, standard, level, title, effect
    case violation = "class"
    case source = "reference"
  }

  init(_ rule: Rule) {
    (id, standard, level) = (rule.id, rule.standard.rawValue, rule.level.rawValue)
    (violation, title) = (rule.violation.rawValue, rule.title)
    (source, effect) = (rule.source, rule.effect)
  }
}
