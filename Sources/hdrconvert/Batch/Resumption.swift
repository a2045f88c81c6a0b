// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// The records of earlier runs in a journal, and the record of this one.
final class Resumption: Sendable {
  /// An input whose output is being made.
  private struct Started {
    var sha256: String
    let files: [String: FileIdentity]
  }

  let journal: Journal
  private let optionsKey: String
  /// The last complete entry of each input.
  private let done: [String: JournalEntry]
  /// The last entry of each output that this journal records.
  private let lastOfOutputs: [String: JournalEntry]
  private let started = Mutex<[String: Started]>([:])

  /// Opens a journal.
  ///
  /// - Throws: The failure that ends the command.
  init(journal path: String, optionsKey: String) throws(Failure) {
    journal = try Journal(path)
    self.optionsKey = optionsKey
    var done: [String: JournalEntry] = [:]
    var last: [String: JournalEntry] = [:]
    for entry in journal.entries {
      if entry.status == .done { done[entry.input] = entry }
      for output in entry.outputs where entry.status != .skipped {
        last[output.path] = entry
      }
    }
    (self.done, lastOfOutputs) = (done, last)
  }

  /// Whether an output was made, or begun, by a run with this journal.
  func owns(_ output: String) -> Bool { lastOfOutputs[output] != nil }

  /// Whether an output of this size was completed with these options by this version.
  func records(_ output: String, byteCount: Int) -> Bool {
    guard let entry = lastOfOutputs[output], entry.status == .done else { return false }
    return entry.optionsKey == optionsKey && entry.version == toolVersion
      && entry.outputs.contains { $0.path == output && $0.bytes == byteCount }
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
    started.withLock { $0[job.input.name] = Started(sha256: digest, files: identities) }
    guard let entry = done[job.input.name], entry.optionsKey == optionsKey,
      entry.version == toolVersion, entry.outputs.map(\.path) == [output]
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
  func start(_ job: BatchJob, _ output: String) {
    var entry = entry(of: job, .started)
    entry.outputs = [JournalEntry.Output(path: output, sha256: nil, bytes: nil)]
    journal.append(entry, isSaved: false)
  }

  /// Fails if an input changed while it was processed.
  func checkUnchanged(_ job: BatchJob, _ output: String) throws(Failure) {
    guard output != job.input.path else { return }
    let before = started.withLock { $0[job.input.name]?.files ?? [:] }
    for (path, file) in before where FileIdentity(path) != file {
      throw Failure(ImageError(.batchInputChanged).inFile(path))
    }
  }

  /// Records a result, with the digests of the outputs.
  func record(_ result: BatchResult, of job: BatchJob) {
    defer { started.withLock { $0[job.input.name] = nil } }
    let status: JournalEntry.Status
    switch result.status {
    case .doneBefore: return
    case .done: status = .done
    case .failed: status = .failed
    case .skipped: status = .skipped
    }
    var entry = entry(of: job, status)
    if status != .failed, let output = try? job.output.get() {
      let digest = status == .done ? try? FileDigest(output) : nil
      entry.outputs = [
        JournalEntry.Output(path: output, sha256: digest?.sha256, bytes: digest?.count)
      ]
    }
    entry.diagnostics = result.codes
    entry.exitCode = Int(result.exitCode)
    entry.milliseconds = result.milliseconds
    entry.peakMemoryBytes = result.peakMemory
    entry.lightLevels = result.report.light.map {
      JournalEntry.Light(maxCLLNits: $0.maximum, maxFALLNits: $0.average)
    }
    entry.attempts = result.attempts
    journal.append(entry, isSaved: true)
  }

  private func entry(of job: BatchJob, _ status: JournalEntry.Status) -> JournalEntry {
    JournalEntry(
      input: job.input.name, file: job.input.listed, status: status,
      inputSHA256: started.withLock { $0[job.input.name]?.sha256 }, optionsKey: optionsKey,
      version: toolVersion, attempts: 0)
  }
}

extension BatchInput {
  /// The files that are read.
  var files: [String] { [path, companion].compactMap(\.self) }
}
