// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
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

/// One of several parts of a set of inputs, chosen by a hash of their names.
///
/// The parts are disjoint and complete whatever the order of the inputs and the machine.
struct Shard: Hashable, Sendable {
  /// Number of the part, from 0.
  let index: Int
  let count: Int

  /// A part; `nil` unless `index` is in 0..<count.
  init?(index: Int, of count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Reads the value of an option.
  ///
  /// - Throws: `ValidationError` for other text, and for `auto` outside of an array of jobs.
  init(parsing text: String) throws(ValidationError) {
    guard let shard = Shard(argument: text) else {
      throw ValidationError(
        text == "auto"
          ? "this is not a job of a Slurm array or of a Kubernetes Indexed Job; give the part, such as 1/4"
          : "it takes a part and the number of parts, from 1/4 to 4/4")
    }
    self = shard
  }

  /// Parses `1/4` to `4/4`, or takes the part of this job from the environment for `auto`.
  init?(argument: String) {
    guard argument != "auto" else {
      self.init(environment: ProcessInfo.processInfo.environment)
      return
    }
    let fields = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard fields.count == 2, let number = fields[0], let count = fields[1], number > 0 else {
      return nil
    }
    self.init(index: number - 1, of: count)
  }

  /// The part of a job of a Slurm array or of a Kubernetes Indexed Job; `nil` outside of both.
  ///
  /// Source: sbatch(1), OUTPUT ENVIRONMENT VARIABLES; Kubernetes, Jobs, Completion mode. Kubernetes
  /// does not set JOB_COMPLETIONS; the manifest does.
  init?(environment: [String: String]) {
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
      let first = number("SLURM_ARRAY_TASK_MIN") ?? 0
      let (offset, overflow) = task.subtractingReportingOverflow(first)
      guard !overflow else { return nil }
      self.init(index: offset / max(number("SLURM_ARRAY_TASK_STEP") ?? 1, 1), of: count)
    } else if let index = number("JOB_COMPLETION_INDEX"), let count = number("JOB_COMPLETIONS") {
      self.init(index: index, of: count)
    } else {
      return nil
    }
  }

  /// Whether the input with a relative path belongs to this part.
  func contains(_ relativePath: String) -> Bool {
    relativePath.fnv1a % UInt64(count) == UInt64(index)
  }
}

extension String {
  /// FNV-1a of the UTF-8 form, 64 bits.
  ///
  /// Source: Fowler, Noll, Vo, Eastlake: The FNV Non-Cryptographic Hash Algorithm.
  var fnv1a: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
