// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// `hdrconvert journal JOURNAL...`.
struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Merge journals of many inputs: totals, failures, and what is to be done again.",
    discussion: """
      Journals are written by --resume. Those of several machines are merged: an input is done if it \
      is done in one of them.

      --failed prints the inputs that failed or were interrupted, for --files-from. --expect fails \
      with status 1 unless every input of a list is done exactly once.

      examples:
        hdrconvert journal out.journal
        hdrconvert journal shard-*.journal --expect inputs.txt
        hdrconvert journal out.journal --failed > again.txt
        hdrconvert --files-from again.txt --out-dir out --to avif
      """)

  @Argument(help: .text("Journals.", "journal"))
  var journals: [String]

  @Flag(help: "Print the inputs that failed or were interrupted, one a line.")
  var failed = false

  @Flag(name: .customShort("0"), help: "End the names of --failed with NUL.")
  var endsWithNUL = false

  @Option(help: .text("List of inputs that must be done exactly once.", "list"))
  var expect: String?

  @Flag(help: "Report as JSON.")
  var json = false

  @OptionGroup(title: "Reporting") var notices: NoticeOptions

  func validate() throws {
    guard !failed || !json else { throw ValidationError("give --failed or --json") }
  }

  func run() throws {
    let limits = Execution.current.limits
    let entries = try journals.map { path in
      try during(.reading, path) { () throws(ImageError) in
        try JournalReader(openInput(path, limits: limits).allBytes()).entries
      }
    }
    let expected = try expect.map { path in
      let bytes = try during(.reading, path) { () throws(ImageError) in
        try openInput(path, limits: limits).allBytes()
      }
      return InputList.lines(bytes)
    }
    let summary = JournalSummary(entries)
    let report = JournalReport(summary, expected: expected)
    if failed {
      let names = summary.unfinished.map { Array($0.file.utf8) + [endsWithNUL ? 0 : 0x0A] }
      Console.write(Array(names.joined()))
    } else if json {
      try JSONReport(inputs: journals, results: [report]).print()
    } else {
      Console.print(report.lines)
    }
    if !report.isAsExpected { throw ExitCode(1) }
  }
}
