// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Reports of all verbs.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Report as JSON on standard output.")
  var json = false

  @Flag(help: .full("Do not print notices."))
  var quiet = false
}

/// Refuses a JSON report and a file on the same stream.
func checkStandardOutput(wantsJSON: Bool, _ output: String?) throws(ValidationError) {
  guard wantsJSON, output == OutputFile.standardOutput else { return }
  throw ValidationError("--json and the file cannot both go to standard output")
}

/// Reports of verbs that show progress.
struct ReportingOptions: ParsableArguments {
  @OptionGroup var report: ReportOptions

  @Option(help: .full("Progress on standard error."))
  var progress = ProgressStyle.auto

  var json: Bool { report.json }
  var quiet: Bool { report.quiet }
}

/// Reports of verbs that print notices and do not have details of their own.
struct NoticeOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong, help: .full("Print all notices, also those that are of no consequence."))
  var verbose = false
}
