// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform

/// Many inputs, the names of their outputs, and runs that can be continued.
struct BatchOptions: ParsableArguments {
  @Option(help: .text("Folder for the outputs of many inputs; it is created.", "folder"))
  var outDir: String?

  @Flag(
    name: .shortAndLong,
    help: .text("Inputs may be folders: all image files in them; folders are kept below --out-dir.")
  )
  var recursive = false

  @Option(
    help: .full(
      "Read the names of inputs from a file, one a line or ended by NUL; - for standard input.",
      "list|-")
  )
  var filesFrom: String?

  @Option(
    help: .full(
      """
      Names of the outputs below --out-dir, or without it in the folders of the inputs, of {dir}, \
      {stem}, {ext}, {source} (the suffix of the input), {width}, {height} and {index} (default \
      {dir}/{stem}.{ext}).
      """, "template"))
  var name: OutputName?

  @Flag(
    help: .full(
      """
      With --resume: skip inputs without reading them if the journal records their output with the \
      same options and version, and it is not older.
      """))
  var skipExisting = false

  @Option(
    help: .full(
      "Record each input in a journal, skip what it records as done, and replace other outputs of it.",
      "journal"))
  var resume: String?

  @Option(
    help: .full(
      "Process one part of the inputs, 1/n to n/n; auto: as Slurm or Kubernetes number this job.",
      "i/n|auto"), transform: Shard.init(parsing:))
  var shard: Shard?

  @Flag(help: .full("Start no further input after one has failed."))
  var failFast = false

  /// Whether an option for many inputs was given.
  var isGiven: Bool { isForOutputs || recursive || filesFrom != nil }

  /// Whether an option for the outputs of many inputs was given.
  var isForOutputs: Bool {
    outDir != nil || name != nil || skipExisting || resume != nil || shard != nil || failFast
  }

  func validate() throws {
    guard !skipExisting || resume != nil else {
      throw ValidationError(
        "--skip-existing requires --resume, whose journal records the options of each output")
    }
  }
}

/// The listing of outputs without any work.
struct DryRunOption: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .long],
    help: .text("Print the inputs, their outputs and what becomes of each part; write nothing."))
  var dryRun = false
}

/// Progress of verbs that show it only for many inputs, or if they re-encode.
struct ProgressOption: ParsableArguments {
  @Option(help: .full("Progress of many inputs, or of re-encoding, on standard error."))
  var progress: ProgressStyle?

  var style: ProgressStyle { progress ?? .auto }
}
