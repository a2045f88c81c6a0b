internal import ArgumentParser
internal import Conformance
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

/// `hdrconvert validate IN...`.
struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Judge files by the requirements of their standards, one by one.",
    discussion: """
      A file is held against every standard that concerns it, unless you name some. The status is 1
      if a file fails a rule; warnings do not count.

      examples:
        hdrconvert validate photo.avif
        hdrconvert validate --standard 22028-5 -v photo.heic
        hdrconvert validate out/*.avif --json > verdicts.json
        hdrconvert validate --rules
      """)

  @Argument(help: ArgumentHelp("The files; - for standard input.", valueName: "in"))
  var files: [String] = []

  @Option(
    help: ArgumentHelp(
      "22028-5, 21496-1, heif, avif, png, jpeg, icc or all that concern the file; repeatable.",
      valueName: "standard"))
  var standard: [StandardChoice] = []

  @Flag(name: .shortAndLong, help: "Rules that are kept or cannot be checked, too.")
  var verbose = false

  @Flag(help: "Report as JSON.")
  var json = false

  @Flag(help: "Print the list of all rules as Markdown.")
  var rules = false

  @OptionGroup(title: "Input and limits") var inputs: InputOptions

  func validate() throws {
    guard rules || !files.isEmpty else { throw ValidationError("which file?") }
  }

  func run() throws {
    guard !rules else { return Console.print(RuleList.markdown) }
    let opening = try inputs.opening()
    var reports: [ValidationReport] = []
    var isUnreadable = false
    for file in files {
      do {
        let report = try during(.reading, file) { () throws(ImageError) in
          try judge(file, opening)
        }
        if !json { Console.print(report.text(isVerbose: verbose)) }
        reports.append(report)
      } catch {
        guard files.count > 1 else { throw error }
        error.report()
        isUnreadable = true
      }
    }
    if json { try printJSON(ValidationReports(files: reports)) }
    if isUnreadable || reports.contains(where: \.hasFailed) { throw ExitCode(1) }
  }

  private func judge(
    _ file: String, _ opening: OpeningOptions
  ) throws(ImageError) -> ValidationReport {
    let subject = try Subject(openInput(file, limits: opening.limits), options: opening)
    let named = Set(standard.compactMap(\.standard))
    let isAll = standard.isEmpty || standard.contains { $0.standard == nil }
    let standards = isAll ? named.union(subject.concerningStandards) : named
    return ValidationReport(
      file: file, format: subject.format, standards: standards,
      judgments: subject.judged(by: standards))
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
