// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import Command

#if PNG
@Suite("Many inputs", .serialized) final class BatchRunTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("hdrconvert-batch-\(UUID().uuidString)")

  static let image = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../reference-images/edges-61x43.png").standardized

  init() throws {
    for name in ["in/a.png", "in/sub/b.png", "in/sub/c.png"] { try copyImage(to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func run(_ words: String...) throws {
    var command = try HDRConvert.parsed(words)
    try command.run()
  }

  /// Converts the folder, with further options.
  func convert(_ options: String...) throws {
    let words = ["-r", path("in"), "--out-dir", path("out"), "--to", "png", "--quiet"] + options
    let command = try #require(try HDRConvert.parsed(words) as? Convert)
    try BatchRunner(command, arguments: words).run()
  }

  func copyImage(to name: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.image, to: file)
  }

  /// Paths of files below a folder, in order.
  func files(_ name: String) -> [String] {
    (FileManager.default.enumerator(atPath: path(name))?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("png") }.sorted()
  }

  func entries() throws -> [JournalEntry] {
    try JournalReader(Array(Data(contentsOf: URL(fileURLWithPath: path("j"))))).entries
  }

  func modify(_ name: String) throws {
    try run("tag", path(name), "--set", "clli=300:200", "--force", "--quiet")
  }

  /// Without --to, outputs have the format of their inputs; one that is not written fails for itself.
  @Test func outputsHaveTheFormatOfTheirInputs() throws {
    let words = ["-r", path("in"), "--out-dir", path("own"), "--quiet"]
    let command = try #require(try HDRConvert.parsed(words) as? Convert)
    try BatchRunner(command, arguments: words).run()
    #expect(files("own") == ["a.png", "sub/b.png", "sub/c.png"])
    try FileManager.default.moveItem(atPath: path("in/a.png"), toPath: path("in/a.nef"))
    let mixed = [path("in/a.nef"), path("in/sub/b.png"), "--out-dir", path("two"), "--quiet"]
    let second = try #require(try HDRConvert.parsed(mixed) as? Convert)
    #expect(throws: ExitCode(1)) { try BatchRunner(second, arguments: mixed).run() }
    #expect(files("two") == ["b.png"])
    #expect(throws: ImageError.self) { try second.outputSuffix(of: "a.dng") }
    #expect(try second.outputSuffix(of: "a.JPG") == "JPG")
  }

  @Test func foldersAreKept() throws {
    try convert()
    #expect(files("out") == ["a.png", "sub/b.png", "sub/c.png"])
    #expect(throws: ExitCode.self) { try self.convert() }
    try convert("--force")
  }

  /// Times of modification, and the options that the journal records.
  @Test func existingOutputsOfTheSameOptionsAreSkipped() throws {
    func counts() throws -> [JournalEntry.Status: Int] {
      try entries().reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
    }
    let words = ["--skip-existing", "--resume", path("j")]
    try convert(words[0], words[1], words[2])
    #expect(try counts()[.done] == 3)
    try convert(words[0], words[1], words[2])
    #expect(try counts()[.done] == 3 && counts()[.skipped] == 3)
    // Other options, then a newer input, then an output of another size.
    try convert(words[0], words[1], words[2], "--resize", "30")
    #expect(try counts()[.done] == 6 && counts()[.skipped] == 3)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path("in/a.png"))
    try Data("torn".utf8).write(to: URL(fileURLWithPath: path("out/sub/b.png")))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: path("out/sub/b.png"))
    try convert(words[0], words[1], words[2], "--resize", "30")
    #expect(try counts()[.skipped] == 4)
    // The newer input has the bytes of its output's record, so that it is read and not converted.
    #expect(try counts()[.done] == 7)
  }

  @Test func outputsBelowTheInputsAreNotInputs() throws {
    for _ in 0..<2 {
      try run(
        "-r", path("in"), "--out-dir", path("in/out"), "--to", "png", "--quiet", "--force")
    }
    #expect(files("in/out") == ["a.png", "sub/b.png", "sub/c.png"])
  }

  @Test func sizesAreInNames() throws {
    try convert("--resize", "30", "--name", "{dir}/{stem}-{width}x{height}.{ext}")
    #expect(files("out") == ["a-30x21.png", "sub/b-30x21.png", "sub/c-30x21.png"])
  }

  /// The journal, the list and files that options name are not replaced.
  @Test func otherFilesOfACommandAreNoOutputs() throws {
    let list = path("list")
    try Data("\(path("in"))/./a.png\n".utf8).write(to: URL(fileURLWithPath: list))
    try FileManager.default.createDirectory(
      atPath: path("out"), withIntermediateDirectories: true)
    func refused(_ words: String...) {
      let failure = #expect(throws: Failure.self) {
        let all = words + ["--to", "png", "--force", "--quiet"]
        let command = try #require(try HDRConvert.parsed(["convert"] + all) as? Convert)
        try command.run()
      }
      #expect(failure?.error.code.id == "output/is-input", "\(words)")
    }
    // The journal does not exist yet.
    refused(path("in/a.png"), "--out-dir", path("out"), "--resume", path("out/a.png"))
    try FileManager.default.createSymbolicLink(
      atPath: path("out/a.png"), withDestinationPath: "../list")
    refused("--files-from", list, "--out-dir", path("out"))
    refused(path("in/sub/b.png"), "-o", path("out/a.png"), "--set", "exif=\(list)")
    refused(path("in/sub/b.png"), "-o", list, "--request", list)
    #expect(try String(contentsOfFile: list, encoding: .utf8).hasSuffix("a.png\n"))
    #expect(files("out").allSatisfy { $0 == "a.png" })
  }

  /// The first of two inputs with one output is done.
  @Test func collisionsEndOneInput() throws {
    #expect(throws: ExitCode(1)) { try self.convert("--name", "x.{ext}") }
    #expect(files("out") == ["x.png"])
  }

  /// Nothing is written.
  @Test func twoInputsWithOneOutput() throws {
    let own = #expect(throws: Failure.self) {
      try self.run(
        "-r", path("in"), "--out-dir", path("in"), "--to", "png", "--force", "--quiet")
    }
    #expect(own?.error.code.id == "output/is-input")
    // Another name of the same file.
    try FileManager.default.createSymbolicLink(
      atPath: path("in/z.png"), withDestinationPath: "a.png")
    let twice = #expect(throws: Failure.self) {
      try self.run("tag", "-r", self.path("in"), "--set", "clli=300:200", "--force", "--quiet")
    }
    #expect(twice?.error.code.id == "batch/same-output")
    #expect(files("out").isEmpty)
  }

  @Test func dryRunWritesNothing() throws {
    try convert("--dry-run")
    #expect(files("out").isEmpty)
  }

  @Test func aBadFileDoesNotEndTheOthers() throws {
    try Data("no image".utf8).write(to: URL(fileURLWithPath: path("in/bad.png")))
    let code = #expect(throws: ExitCode.self) { try self.convert("--resume", self.path("j")) }
    #expect(code?.rawValue == 1)
    #expect(files("out") == ["a.png", "sub/b.png", "sub/c.png"])
    let failed = try entries().filter { $0.status == .failed }
    #expect(failed.map(\.input) == ["bad.png"] && failed.first?.exitCode == 65)
    #expect(failed.first?.diagnostics == ["unrecognized-format"])
  }

  @Test func shardsAreDisjoint() throws {
    try convert("--shard", "1/2")
    let first = files("out")
    try convert("--shard", "2/2")
    #expect(first.count < 3 && files("out") == ["a.png", "sub/b.png", "sub/c.png"])
  }

  @Test func resumptionRepeatsWhatChanged() throws {
    func done() throws -> [String] {
      try entries().filter { $0.status == .done }.map(\.input).sorted()
    }
    try convert("--resume", path("j"))
    let all = ["a.png", "sub/b.png", "sub/c.png"]
    #expect(try done() == all)
    try convert("--resume", path("j"))
    #expect(try done() == all)
    // An input, an output and a missing output, all without --force.
    try modify("in/a.png")
    try modify("out/sub/b.png")
    try FileManager.default.removeItem(atPath: path("out/sub/c.png"))
    try convert("--resume", path("j"))
    #expect(try done() == (all + all).sorted())
    try convert("--resume", path("j"))
    #expect(try done() == (all + all).sorted())
  }

  /// A run that was killed after it wrote an output, and before it recorded it.
  @Test func interruptedRunsContinue() throws {
    try convert("--resume", path("j"))
    let url = URL(fileURLWithPath: path("j"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let kept = lines.filter { !$0.contains("\"status\":\"done\"") }
    try Data((kept.joined(separator: "\n") + "\n{\"torn").utf8).write(to: url)
    try convert("--resume", path("j"))
    #expect(try entries().count { $0.status == .done } == 3)
  }

  /// Files that the journal does not claim are not replaced.
  @Test func filesOfOthersStay() throws {
    try FileManager.default.createDirectory(
      atPath: path("out"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: path("in/a.png"), toPath: path("out/a.png"))
    let before = try Data(contentsOf: URL(fileURLWithPath: path("out/a.png")))
    for _ in 0..<2 {
      #expect(throws: ExitCode.self) { try self.convert("--resume", self.path("j")) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path("out/a.png"))) == before)
    }
    #expect(try entries().filter { $0.input == "a.png" }.allSatisfy { $0.exitCode == 73 })
  }

  @Test func inPlaceEditsAreDoneOnce() throws {
    let words = [
      "tag", "-r", path("in"), "--set", "clli=300:200", "--force", "--quiet", "--resume", path("j"),
    ]
    for _ in 0..<2 {
      var command = try HDRConvert.parsed(words)
      try command.run()
    }
    #expect(try entries().count { $0.status == .done } == 3)
  }

  @Test func failuresAreListedForAnotherRun() throws {
    try Data("no image".utf8).write(to: URL(fileURLWithPath: path("in/sub/bad.png")))
    #expect(throws: ExitCode.self) { try self.convert("--resume", self.path("j")) }
    let summary = JournalSummary([try entries()])
    #expect(summary.unfinished.map(\.file) == [path("in/./sub/bad.png")])
  }

  @Test(arguments: [
    ["a.png", "b.png", "--to", "avif"], ["a.png", "b.png", "-o", "c.avif"],
    ["a.png", "--out-dir", "x", "-o", "c.avif"],
    ["a.png", "-", "--out-dir", "x", "--to", "avif"], ["--out-dir", "x", "--to", "avif"],
    ["a.png"], ["a.png", "-o", "b.png", "-r"],
    ["a.png", "--out-dir", "x", "--to", "avif", "--skip-existing"],
    ["a.png", "--out-dir", "x", "--name", "{y}"],
    ["validate", "a.png", "--out-dir", "x"], ["gainmap", "swap", "a.png"],
  ])
  func wrongCombinations(words: [String]) throws {
    do {
      var command = try HDRConvert.parsed(words)
      try command.run()
      Issue.record("accepted")
    } catch {
      let failure = error as? Failure ?? Failure.thrownByValidation(error)
      let status = failure?.exitCode ?? HDRConvert.exitCode(for: error).rawValue
      #expect(status == 64, "\(error)")
    }
  }
}
#endif
