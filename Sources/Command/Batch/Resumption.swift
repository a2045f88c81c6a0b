// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import Platform
internal import Synchronization

/// The records of earlier runs in a journal, and the record of this one.
final class Resumption: Sendable {
  /// An input whose output is being made.
  private struct Started {
    var sha256: String
    let files: [String: FileIdentity]
  }

  private struct State {
    var started: [PathKey: Started] = [:]
    /// Outputs that belong to the journal since this run.
    var claims: Set<PathKey> = []
  }

  /// The journal that is written; `nil` for a run that writes nothing.
  private let journal: Journal?
  private let optionsKey: String
  private let earlier: EarlierRuns
  private let state = Mutex(State())

  private init(_ entries: [JournalEntry], _ journal: Journal?, optionsKey: String) {
    (self.journal, self.optionsKey) = (journal, optionsKey)
    earlier = EarlierRuns(entries)
  }

  /// Opens a journal.
  ///
  /// - Throws: The failure that ends the command.
  convenience init(journal path: String, optionsKey: String) throws(Failure) {
    let journal = try Journal(path)
    self.init(journal.entries, journal, optionsKey: optionsKey)
  }

  /// Reads a journal, if it exists, for a run that writes nothing.
  ///
  /// - Throws: The failure that ends the command.
  convenience init(reading path: String, optionsKey: String) throws(Failure) {
    let entries = try during(.reading, path) { () throws(ImageError) -> [JournalEntry] in
      guard let file = FileIdentity(path) else { return [] }
      guard !file.isFolder, !file.isSpecial else { throw ImageError(.journalNotRecognized) }
      return try JournalReader(openInput(path, limits: Execution.current.limits).allBytes()).entries
    }
    self.init(entries, nil, optionsKey: optionsKey)
  }

  /// The failure to write the journal, after which work would not be recorded.
  var failure: Failure? { journal?.failure }

  /// Whether an output was made, or begun, by a run with this journal.
  func owns(_ output: String) -> Bool { earlier.entry(ofOutput: output) != nil }

  /// Whether an output of this size was completed with these options by this version.
  func records(_ output: String, byteCount: Int) -> Bool {
    guard let entry = earlier.entry(ofOutput: output), entry.status == .done else { return false }
    return hasMade(output, byteCount: byteCount, entry)
  }

  /// Whether an input was done with these options by this version, and its output has the recorded
  /// size; neither is read.
  func recordsAsDone(_ job: BatchJob, _ output: String) -> Bool {
    guard let entry = earlier.done(job.input, output), let file = FileIdentity(output) else {
      return false
    }
    return hasMade(output, byteCount: Int(file.size), entry)
  }

  private func hasMade(_ output: String, byteCount: Int, _ entry: JournalEntry) -> Bool {
    entry.optionsKey == optionsKey && entry.version == toolVersion
      && entry.outputs.contains { PathKey($0.path) == PathKey(output) && $0.bytes == byteCount }
  }

  /// Whether an input with these bytes was done with these options by this version, and its outputs
  /// are intact.
  ///
  /// - Throws: Errors of reading the input.
  func isDone(_ job: BatchJob, _ output: String) throws(Failure) -> Bool {
    let files = job.input.files
    let identities = files.reduce(into: [:]) { $0[$1] = FileIdentity($1) }
    let digest = try during(.reading, job.input.path) { () throws(ImageError) in
      try files.map { file throws(ImageError) in try FileDigest(file).sha256 }
        .joined(separator: "+")
    }
    state.withLock { $0.started[job.key] = Started(sha256: digest, files: identities) }
    guard let entry = earlier.done(job.input, output), entry.optionsKey == optionsKey,
      entry.version == toolVersion
    else { return false }
    // A file that was replaced has the digest of the output.
    let isReplaced = output == job.input.path && entry.outputs.first?.sha256 == digest
    guard entry.inputSHA256 == digest || isReplaced else { return false }
    return entry.outputs.allSatisfy { output in
      guard let digest = try? FileDigest(output.path) else { return false }
      return digest.sha256 == output.sha256
    }
  }

  /// Records that an input is being processed: its output belongs to this journal from now on.
  ///
  /// - Returns: Whether this is recorded; an output without a record would not be replaced later.
  func start(_ job: BatchJob, _ output: String) -> Bool {
    guard let journal else { return true }
    // Another attempt.
    guard state.withLock({ $0.claims.insert(PathKey(output)).inserted }) else { return true }
    var entry = entry(of: job, .started)
    entry.outputs = [JournalEntry.Output(path: output, sha256: nil, bytes: nil)]
    return journal.append(entry, isSaved: false)
  }

  /// Fails if an input changed while it was processed.
  func checkUnchanged(_ job: BatchJob, _ output: String) throws(Failure) {
    guard output != job.input.path else { return }
    let before = state.withLock { $0.started[job.key]?.files ?? [:] }
    for (path, file) in before where FileIdentity(path) != file {
      throw Failure(ImageError(.batchInputChanged).inFile(path))
    }
  }

  /// Records a result, with the digests of the outputs.
  func record(_ result: BatchResult, of job: BatchJob) {
    defer { state.withLock { $0.started[job.key] = nil } }
    guard let journal else { return }
    let status: JournalEntry.Status
    switch result.status {
    case .doneBefore: return
    case .done: status = .done
    case .failed: status = .failed
    case .skipped: status = .skipped
    }
    var entry = entry(of: job, status)
    if status != .failed || result.leavesOutput, let output = try? job.output.get() {
      let digest = status == .done ? try? FileDigest(output) : nil
      entry.outputs = [
        JournalEntry.Output(path: output, sha256: digest?.sha256, bytes: digest?.count)
      ]
    }
    entry.diagnostics = result.codes
    entry.exitCode = Int(result.exitCode)
    entry.milliseconds = result.milliseconds
    entry.peakMemoryBytes = result.peakMemory
    // JSON cannot store infinite numbers.
    if let light = result.report.light, light.maximum.isFinite, light.average.isFinite {
      entry.lightLevels = JournalEntry.Light(maxCLLNits: light.maximum, maxFALLNits: light.average)
    }
    entry.attempts = result.attempts
    journal.append(entry, isSaved: true)
  }

  private func entry(of job: BatchJob, _ status: JournalEntry.Status) -> JournalEntry {
    JournalEntry(
      input: job.input.name, file: job.input.listed, sdrInput: job.input.listedCompanion,
      status: status, inputSHA256: state.withLock { $0.started[job.key]?.sha256 },
      optionsKey: optionsKey, version: toolVersion, attempts: 0)
  }
}

extension BatchInput {
  /// The files that are read.
  var files: [String] { [path, companion].compactMap(\.self) }
}

extension BatchJob {
  /// The identity of a job in a run.
  fileprivate var key: PathKey { PathKey((try? output.get()) ?? input.path) }
}

/// The state of inputs and outputs by the lines of a journal.
private struct EarlierRuns: Sendable {
  private struct Result: Hashable {
    let input: Int
    let output: PathKey
  }

  private var inputs = InputIndex()
  /// The last complete entry of each input with each output.
  private var done: [Result: JournalEntry] = [:]
  /// The entry that claims each output: the last one that made or began it.
  private var outputs: [PathKey: JournalEntry] = [:]

  init(_ entries: [JournalEntry]) {
    /// The claims that were replaced when an input was started.
    var replaced: [Int: [(output: PathKey, entry: JournalEntry?)]] = [:]
    for entry in entries where entry.status != .skipped {
      let index = inputs.add(path: BatchInput(listed: entry.file).path, name: entry.input)
      // Unless its entry has an output, a failed input left none; what is there is of others.
      for (output, earlier) in replaced.removeValue(forKey: index) ?? []
      where entry.status == .failed {
        outputs[output] = earlier
      }
      for output in entry.outputs.map({ PathKey($0.path) }) {
        if entry.status == .done { done[Result(input: index, output: output)] = entry }
        if entry.status == .started {
          replaced[index, default: []].append((output, outputs[output]))
        }
        outputs[output] = entry
      }
    }
  }

  func done(_ input: BatchInput, _ output: String) -> JournalEntry? {
    inputs.index(path: input.path, name: input.name)
      .flatMap { done[Result(input: $0, output: PathKey(output))] }
  }

  func entry(ofOutput output: String) -> JournalEntry? { outputs[PathKey(output)] }
}

/// A digest of the options that determine what is made of an input.
///
/// Inputs, outputs, journals, reports and resources do not belong to it; the contents of files that
/// options name do. Options in another order have another key, so that the work is done again.
struct OptionsKey {
  /// SHA-256 in hexadecimal.
  let value: String

  /// Options without influence that have a value.
  private static let neutralOptions: Set<String> = [
    "-o", "--output", "--out-dir", "--files-from", "--name", "--resume", "--shard", "--progress",
    "-j", "--jobs", "--memory-limit", "--max-pixels", "--time-limit",
  ]
  /// Options without influence and without a value.
  private static let neutralFlags: Set<String> = [
    "-r", "--recursive", "-n", "--dry-run", "--skip-existing", "--fail-fast", "-f", "--force",
    "--no-isolation", "--json", "--quiet", "-v", "--verbose",
  ]

  /// The texts of a word that may be names of files, such as that in `icc=auto,exif=a.exif`.
  private static func values(in word: String) -> [String] {
    let texts = word.split(separator: "=", maxSplits: 1) + word.split { "=,".contains($0) }
    return Set([word] + texts.map(String.init)).sorted()
  }

  /// - Parameters:
  ///   - arguments: Arguments of the command, without its name.
  ///   - inputs: The inputs among them.
  init(_ arguments: [String], inputs: [String]) {
    var inputs = inputs.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var digest = SHA256()
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      let name = word.firstIndex(of: "=").map { String(word[..<$0]) } ?? word
      if Self.neutralFlags.contains(word) { continue }
      if Self.neutralOptions.contains(name) {
        if name == word { index += 1 }
        continue
      }
      if let count = inputs[word], count > 0 {
        inputs[word] = count - 1
        continue
      }
      digest.update(Array(word.utf8) + [0])
      for value in Self.values(in: word) where !value.hasPrefix("-") {
        guard FileIdentity(value)?.isFolder == false, let contents = try? FileDigest(value) else {
          continue
        }
        digest.update(Array(contents.sha256.utf8) + [0])
      }
    }
    value = digest.hexadecimal()
  }
}

/// SHA-256 and size of a file.
struct FileDigest: Hashable {
  let sha256: String
  let count: Int

  /// Reads a file.
  ///
  /// - Throws: `.missingInput`, `.inputOutput`.
  init(_ path: String) throws(ImageError) { try self.init(ByteSource(path: path)) }

  /// Reads the bytes of a file.
  init(_ source: ByteSource) throws(ImageError) {
    var digest = SHA256()
    let step = 1 << 18
    for start in stride(from: 0, to: source.count, by: step) {
      digest.update(try source.bytes(in: start..<min(start + step, source.count)))
    }
    (sha256, count) = (digest.hexadecimal(), source.count)
  }
}
