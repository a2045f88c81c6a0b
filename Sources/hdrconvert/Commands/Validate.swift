internal import ArgumentParser
internal import Conformance
internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// `hdrconvert validate IN...`.
struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge files by the requirements of their standards, one by one.",
    discussion: """
      A file is held against every standard that concerns it, unless you name some; it is an error if \
      none of those concerns it. The status is 1 if a file fails a rule; warnings do not count.

      examples:
        hdrconvert validate photo.avif
        hdrconvert validate --standard 22028-5 -v photo.heic
        hdrconvert validate out/*.avif --json > verdicts.json
        hdrconvert validate --fix photo.heic -o mended.heic
        hdrconvert validate --rules
      """)

  @Argument(help: ArgumentHelp("The files; - for standard input.", valueName: "in"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "22028-5, 21496-1, heif, avif, png, jpeg, icc or all that concern the file; repeatable.",
      valueName: "standard"))
  var standard: [StandardChoice] = []

  @Flag(help: "Mend what edits of metadata can mend; coded pictures stay as they are.")
  var fix = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "With --fix: the file to write; - for standard output.", valueName: "out"))
  var output: String?

  @Flag(
    name: .shortAndLong,
    help: "With --fix: change the files themselves, or replace the output if it exists.")
  var force = false

  @Flag(name: .shortAndLong, help: "Rules that are kept or cannot be checked, too.")
  var verbose = false

  @Flag(help: "Report as JSON.")
  var json = false

  @Flag(help: "Print the list of all rules as Markdown.")
  var rules = false

  @OptionGroup(title: "Input and limits") var inputs: InputOptions

  func validate() throws {
    guard rules || !files.isEmpty else { throw ValidationError("which file?") }
    guard fix else {
      guard output == nil, !force else {
        throw ValidationError("--output and --force go with --fix")
      }
      return
    }
    if output == nil {
      guard force else {
        throw ValidationError("--fix needs --output, or --force to mend in place")
      }
      guard !files.contains(OutputFile.standardOutput) else {
        throw ValidationError("standard input cannot be changed in place: say --output")
      }
    } else if files.count != 1 {
      throw ValidationError("--output is for one file")
    }
    if json, output == OutputFile.standardOutput {
      throw ValidationError("--json and the file cannot both go to standard output")
    }
  }

  func run() throws {
    guard !rules else { return Console.write(Array(RuleList.markdown.utf8)) }
    let opening = try inputs.opening()
    var reports: [ValidationReport] = []
    var failures: [FailureReport] = []
    for file in files {
      do {
        let report = try fix ? mend(file, opening) : judge(file, opening)
        if !json, output != OutputFile.standardOutput {
          Console.print(report.lines(isVerbose: verbose))
        }
        reports.append(report)
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        failures.append(FailureReport(error, of: file))
      }
    }
    if json { try printJSON(ValidationReports(files: reports, failures: failures)) }
    if !failures.isEmpty || reports.contains(where: \.hasFailed) { throw ExitCode(1) }
  }

  private func judge(_ file: String, _ opening: OpeningOptions) throws(Failure) -> ValidationReport
  {
    let subject = try subject(file, opening)
    let standards = standards(for: subject)
    guard !standards.isEmpty else {
      throw Failure(
        ImageError(.validateNoRules, ["format": subject.file.format.title], at: .init(file: file)))
    }
    let judgments = subject.judged(by: standards)
    // A file may have nothing that the standards of its kind judge, such as JPEG without a gain map.
    guard
      !standards.isDisjoint(with: subject.applicableStandards)
        || !judgments.allSatisfy({ $0.verdict == .notApplicable })
    else {
      let names = standards.map(\.rawValue).sorted().joined(separator: ", ")
      throw Failure(
        usage: "no rule of \(names) concerns \(file), which is \(subject.file.format.rawValue)",
        remedy: "hdrconvert validate --standard all \(file)")
    }
    return ValidationReport(
      file: file, format: subject.file.format, standards: standards, judgments: judgments)
  }

  /// Repairs a file and judges the result.
  private func mend(_ file: String, _ opening: OpeningOptions) throws(Failure) -> ValidationReport {
    let target = outputFile(for: file)
    try target.ensureWritable()
    let subject = try subject(file, opening)
    if let output {
      try during(.writing, output) { () throws(ImageError) in
        try checkName(output, holdsPicturesOf: file, in: subject.file.format)
      }
    }
    let standards = standards(for: subject)
    let repaired = try during(.reading, file) { () throws(ImageError) in
      try RepairedFile.repairing(subject, by: standards)
    }
    var bytes = repaired?.bytes
    // Another file appears even if there is nothing to mend.
    if bytes == nil, output != nil { bytes = subject.file.source.whole }
    if let bytes {
      _ = try during(.writing, target.path) { () throws(ImageError) in
        try target.write { sink throws(ImageError) in try sink.append(bytes) }
      }
    }
    let result = repaired?.checked ?? subject
    return ValidationReport(
      file: target.path, format: result.file.format, standards: standards,
      judgments: result.judged(by: standards), before: subject.judged(by: standards))
  }

  private func subject(_ file: String, _ opening: OpeningOptions) throws(Failure) -> CheckedFile {
    try during(.reading, file) { () throws(ImageError) in
      try CheckedFile(try openImage(file, options: opening))
    }
  }

  private func standards(for subject: CheckedFile) -> Set<Standard> {
    let named = Set(standard.compactMap(\.standard))
    let isAll = standard.isEmpty || standard.contains { $0.standard == nil }
    return isAll ? named.union(subject.applicableStandards) : named
  }

  /// Where a repaired file goes: a link stays a link to the file that changes.
  private func outputFile(for file: String) -> OutputFile {
    if let output { return OutputFile(path: output, mayReplace: force) }
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    return OutputFile(path: path, mayReplace: true)
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
}
