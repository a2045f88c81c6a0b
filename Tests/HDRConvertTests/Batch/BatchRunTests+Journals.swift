// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import Command

#if PNG
extension BatchRunTests {
  private func doneCount() throws -> Int { try entries().count { $0.status == .done } }

  /// Replaces the journal.
  private func write(_ entries: [JournalEntry]) throws {
    let lines = try entries.map { try #require(JSONLine.text($0)) }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path("j")))
  }

  /// An entry about the same input.
  private func entry(
    like other: JournalEntry, _ status: JournalEntry.Status, outputs: [JournalEntry.Output] = [],
    codes: [String] = []
  ) -> JournalEntry {
    JournalEntry(
      input: other.input, file: other.file, status: status, outputs: outputs,
      inputSHA256: other.inputSHA256, optionsKey: other.optionsKey, version: other.version,
      diagnostics: codes, attempts: 1)
  }

  /// An input that failed, since another run had made its output, does not claim that output.
  @Test func failedInputsClaimNothing() throws {
    try convert("--resume", path("j"))
    let started = try #require(try entries().first { $0.input == "a.png" && $0.status == .started })
    try write([started, entry(like: started, .failed, codes: ["output/exists"])])
    try modify("out/a.png")
    let others = try Data(contentsOf: URL(fileURLWithPath: path("out/a.png")))
    #expect(throws: ExitCode.self) { try self.convert("--resume", self.path("j")) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("out/a.png"))) == others)
  }

  /// Claims of earlier runs, and of inputs that failed after their output was written, stay.
  @Test(arguments: [false, true]) func claimsAreRestored(isWritten: Bool) throws {
    try convert("--resume", path("j"))
    let before = try entries()
    let started = try #require(before.first { $0.input == "a.png" && $0.status == .started })
    let kept = before.filter { $0.input != "a.png" }
    let failed =
      isWritten
      ? [
        started,
        entry(
          like: started, .failed, outputs: started.outputs, codes: ["batch/input-changed"]),
      ] : [started, started, entry(like: started, .failed, codes: ["malformed"])]
    try write(kept + failed)
    try convert("--resume", path("j"))
    #expect(try doneCount() == 3)
  }

  /// Below two folders, inputs have the same names.
  @Test func sameNamesBelowSeveralFolders() throws {
    try copyImage(to: "in/two/b.png")
    try copyImage(to: "in/two/c.png")
    for _ in 0..<2 {
      try run(
        "tag", "-r", path("in/sub"), path("in/two"), "--set", "clli=300:200", "--force", "--quiet",
        "--resume", path("j"))
      #expect(try doneCount() == 4)
    }
    #expect(JournalSummary([try entries()]).inputs.count == 4)
  }

  #if !canImport(Darwin)
  /// Names of the same letters in other characters.
  @Test func canonicallyEquivalentNames() throws {
    try copyImage(to: "in/\u{E9}.png")
    try copyImage(to: "in/e\u{301}.png")
    for _ in 0..<2 { try convert("--resume", path("j")) }
    #expect(try doneCount() == 5)
    #expect(JournalSummary([try entries()]).inputs.count == 5)
  }
  #endif

  /// The same folder in other words.
  @Test func foldersOfOutputsAreCompared() throws {
    try convert("--resume", path("j"))
    for folder in ["/./out", "//out/"] {
      let words = [
        "-r", path("in"), "--out-dir", path("") + folder, "--to", "png", "--quiet", "--resume",
        path("j"),
      ]
      let command = try #require(try HDRConvert.parsed(words) as? Convert)
      try BatchRunner(command, arguments: words).run()
    }
    #expect(try doneCount() == 3)
  }

  /// One journal of two jobs, in turns.
  @Test func jobsShareAJournal() throws {
    for _ in 0..<2 {
      try convert("--resume", path("j"))
      try convert("--resume", path("j"), "--resize", "30", "--name", "{dir}/{stem}-30.{ext}")
    }
    #expect(try doneCount() == 6)
    #expect(JournalSummary([try entries()]).repeated.isEmpty)
  }

  /// A file that was an argument has another name in the list of failures.
  @Test func listedFailuresAreTheSameInputs() throws {
    func convert(_ input: String...) throws {
      let words =
        input + ["--out-dir", path("out"), "--to", "png", "--quiet", "--resume", path("j")]
      var command = try HDRConvert.parsed(words)
      try command.run()
    }
    try Data("no image".utf8).write(to: URL(fileURLWithPath: path("in/bad.png")))
    #expect(throws: ExitCode.self) { try convert(self.path("in/a.png"), self.path("in/bad.png")) }
    let failed = JournalSummary([try entries()]).unfinished.map(\.file)
    try Data((failed.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(fileURLWithPath: path("list")))
    try FileManager.default.removeItem(atPath: path("in/bad.png"))
    try copyImage(to: "in/bad.png")
    try convert("--files-from", path("list"))
    let summary = JournalSummary([try entries()])
    #expect(summary.inputs.count == 2 && summary.count(of: .done) == 2)
    #expect(files("out") == ["a.png", "bad.png"])
  }

  @Test func forecastsOfOutputs() throws {
    try convert("--resume", path("j"))
    try copyImage(to: "in/new.png")
    try copyImage(to: "in/other.png")
    try copyImage(to: "out/other.png")
    try Data("torn".utf8).write(to: URL(fileURLWithPath: path("out/sub/b.png")))
    func forecasts(_ options: String...) throws -> [ListedOutputReport.Forecast?] {
      let words =
        ["-r", path("in"), "--out-dir", path("out"), "--to", "png", "--quiet", "-n"] + options
      let command = try #require(try HDRConvert.parsed(words) as? Convert)
      let resumption = try command.batch.resume.map {
        try Resumption(
          reading: $0, optionsKey: OptionsKey(words, inputs: command.inputPaths).value)
      }
      let processor = BatchProcessor(verb: command, resumption: resumption)
      return try BatchJobList(command).jobs.map { processor.forecast($0, try $0.output.get()) }
    }
    #expect(
      try forecasts("--resume", path("j")) == [.doneBefore, nil, .exists, nil, .doneBefore])
    #expect(
      try forecasts("--resume", path("j"), "--resize", "30") == [nil, nil, .exists, nil, nil])
    #expect(
      try forecasts("--resume", path("j"), "--skip-existing")
        == [.skipped, nil, .exists, nil, .skipped])
    #expect(try forecasts("--resume", path("none")) == [.exists, nil, .exists, .exists, .exists])
    #expect(try forecasts("--force") == [nil, nil, nil, nil, nil])
    #expect(!FileManager.default.fileExists(atPath: path("none")))
  }

  /// A run that shows changes reads the journal and does not record.
  @Test func shownChangesAreNotRecorded() throws {
    let words = [
      "tag", "-r", path("in"), "--set", "clli=300:200", "--quiet", "--resume", path("j"),
    ]
    var first = try HDRConvert.parsed(words + ["-n"])
    try first.run()
    #expect(!FileManager.default.fileExists(atPath: path("j")))
    var second = try HDRConvert.parsed(words + ["--force"])
    try second.run()
    let count = try entries().count
    var third = try HDRConvert.parsed(words + ["-n"])
    try third.run()
    #expect(try entries().count == count)
  }

  @Test func failFastStartsNoOtherInput() throws {
    try Data("no image".utf8).write(to: URL(fileURLWithPath: path("in/0.png")))
    let execution = Execution(threads: 1)
    #expect(throws: ExitCode.self) {
      try execution.perform {
        try self.convert("--fail-fast", "--resume", self.path("j"))
      }
    }
    #expect(files("out").isEmpty)
    #expect(try entries().map(\.input) == ["0.png", "0.png"])
  }

  /// Inputs that need too much memory are not tried again after a failure.
  @Test func failFastEndsRetries() throws {
    try Data("no image".utf8).write(to: URL(fileURLWithPath: path("in/b.png")))
    let execution = Execution(threads: 1, budget: Execution.Budget(memory: 8192))
    #expect(throws: ExitCode.self) {
      try execution.perform {
        try self.convert("--fail-fast", "--resume", self.path("j"))
      }
    }
    let failed = try entries().filter { $0.status == .failed }
    #expect(Set(failed.map(\.input)) == ["a.png", "b.png"])
    #expect(failed.allSatisfy { $0.attempts == 1 })
    #expect(failed.first { $0.input == "a.png" }?.exitCode == 75)
  }
}
#endif
