internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// How a command reports, the same for all.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Report as JSON on standard output.")
  var json = false

  @Flag(help: "No notices.")
  var quiet = false

  /// Refuses a report and a file on the same stream.
  func check(output: String?) throws(ValidationError) {
    guard json, output == OutputFile.standardOutput else { return }
    throw ValidationError("--json and the file cannot both go to standard output")
  }
}

/// How a command reports that may take its time.
struct ReportingOptions: ParsableArguments {
  @OptionGroup var report: ReportOptions

  @Option(help: "auto, bar, json or none.")
  var progress = ProgressStyle.auto

  var json: Bool { report.json }
  var quiet: Bool { report.quiet }

  func check(output: String?) throws(ValidationError) { try report.check(output: output) }
}
