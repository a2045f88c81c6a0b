// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform
internal import HDRConversion

/// Many inputs, the names of their outputs, and runs that can be continued.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder for the outputs of many inputs; it is created.", valueName: "folder"))
  var outDir: String?

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Inputs may be folders: all image files in them; folders are kept below --out-dir.",
      visibility: .inFull))
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Read the names of inputs from a file, one a line; - for standard input.",
      valueName: "list|-", visibility: .inFull))
  var filesFrom: String?

  @Flag(
    name: .customShort("0"),
    help: ArgumentHelp("Names in --files-from end with NUL.", visibility: .inFull))
  var endsWithNUL = false

  @Option(
    help: ArgumentHelp(
      """
      Names of the outputs below --out-dir, or without it in the folders of the inputs, of {dir}, \
      {stem}, {ext}, {source} (the suffix of the input), {width}, {height} and {index} (default \
      {dir}/{stem}.{ext}).
      """, valueName: "template", visibility: .inFull))
  var name: OutputName?

  @Flag(
    help: ArgumentHelp(
      """
      With --resume: skip inputs without reading them if the journal records their output with the \
      same options and version, and it is not older.
      """,
      visibility: .inFull))
  var skipExisting = false

  @Option(
    help: ArgumentHelp(
      "Record each input in a journal, skip what it records as done, and replace other outputs of it.",
      valueName: "journal", visibility: .inFull))
  var resume: String?

  @Option(
    help: ArgumentHelp(
      "Process one part of the inputs, 1/n to n/n; auto: as Slurm or Kubernetes number this job.",
      valueName: "i/n|auto", visibility: .inFull))
  var shard: Shard?

  @Flag(
    help: ArgumentHelp("Start no further input after one has failed.", visibility: .inFull))
  var failFast = false

  /// Whether an option for many inputs was given.
  var isGiven: Bool { isForOutputs || recursive || filesFrom != nil || endsWithNUL }

  /// Whether an option for the outputs of many inputs was given.
  var isForOutputs: Bool {
    outDir != nil || name != nil || skipExisting || resume != nil || shard != nil || failFast
  }

  func validate() throws {
    guard !endsWithNUL || filesFrom != nil else {
      throw ValidationError("-0 requires --files-from")
    }
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
    help: ArgumentHelp(
      "Print the inputs, their outputs and what becomes of each part; write nothing.",
      visibility: .inFull))
  var dryRun = false
}

/// Progress of verbs that show it only for many inputs, or if they re-encode.
struct ProgressOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Progress of many inputs, or of re-encoding, on standard error.", visibility: .inFull))
  var progress: ProgressStyle?

  var style: ProgressStyle { progress ?? .auto }
}
