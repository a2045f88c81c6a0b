// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Testing

@testable import Command

@Suite("Journals") final class JournalTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("hdrconvert-journal-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var path: String { folder.appendingPathComponent("j").path }

  private func entry(
    _ input: String, _ status: JournalEntry.Status, sha: String = "a", codes: [String] = []
  ) -> JournalEntry {
    JournalEntry(
      input: input, file: "r/./\(input)", status: status, inputSHA256: sha, optionsKey: "k",
      version: "1", diagnostics: codes, attempts: 1)
  }

  @Test func linesSurviveATear() throws {
    do {
      let journal = try Journal(path)
      for number in 0..<20 {
        journal.append(entry("\(number)", .done), isSaved: false)
      }
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // Torn at each byte of the last line.
    let last = try #require(bytes.dropLast().lastIndex(of: 0x0A)) + 1
    for end in last..<bytes.count {
      try bytes[..<end].write(to: URL(fileURLWithPath: path))
      let journal = try Journal(path)
      #expect(journal.entries.map(\.input) == (0..<19).map(String.init))
      journal.append(entry("again", .done), isSaved: true)
      #expect(journal.failure == nil)
      let lines = try JournalReader(Array(Data(contentsOf: URL(fileURLWithPath: path))))
      #expect(lines.entries.last?.input == "again" && lines.entries.count == 20)
    }
  }

  @Test func aSecondRunIsRefused() throws {
    let journal = try Journal(path)
    let failure = #expect(throws: Failure.self) { try Journal(self.path) }
    #expect(failure?.exitCode == 75 && failure?.error.code.id == "journal/in-use")
    journal.append(entry("a", .done), isSaved: false)
  }

  @Test(arguments: [
    "no journal\n", "{}\n", "\u{89}PNG\r\n", "[1]", "{\"editor.fontSize\": 12}",
    "{\"attempts\":3}", "{", "{\"attempts\":", "{\"attempts\": NaN, \"x\": 1}",
    "{\"attempts\":NaN,\"diagnostics\":[]}", "{\"attempts\":1,\"diagnostics\":[]}{\"attempts\":2}",
    "{\"attempts\":1,\"diagnostics\":[[[[", "{\"attempts\":1,\r\"diagnostics\":[]",
    "{\"attempts\":1,\"diagnostics\":[],\"other\":", "{\"attempts\":1,\"diagnostics\":[\"\r",
  ])
  func otherFilesStay(text: String) throws {
    let url = URL(fileURLWithPath: path)
    try Data(text.utf8).write(to: url)
    let failure = #expect(throws: Failure.self) { try Journal(self.path) }
    #expect(failure?.error.code.id == "journal/not-recognized" && failure?.exitCode == 65)
    #expect(try Data(contentsOf: url) == Data(text.utf8))
  }

  /// A pipe does not end before a writer closes it.
  @Test func pipesAreRefused() {
    // SAFETY: the C string lives for the call.
    #expect(unsafe mkfifo(path, 0o600) == 0)
    for open in [{ _ = try Journal($0) }, { _ = try Resumption(reading: $0, optionsKey: "") }]
      as [(String) throws -> Void]
    {
      let failure = #expect(throws: Failure.self) { try open(path) }
      #expect(failure?.error.code.id == "journal/not-recognized")
    }
  }

  /// From the second key on, a line that is torn anywhere is recognized; a whole one without its
  /// end, or with bytes after it, is not.
  @Test func aJournalTornInItsFirstLineIsEmpty() throws {
    var full = entry("\"a\\\u{1}ü", .done, codes: ["x/y", "z"])
    (full.exitCode, full.milliseconds, full.peakMemoryBytes, full.sdrInput) = (0, 12, 1 << 20, "s")
    full.lightLevels = .init(maxCLLNits: 116.865, maxFALLNits: 1e-7)
    full.outputs = [
      .init(path: "o", sha256: "a", bytes: 1), .init(path: "p", sha256: nil, bytes: nil),
    ]
    for line in [entry("a", .started), full].compactMap({ JSONLine.text($0) }) {
      let bytes = Array(line.utf8.dropLast())
      let start = try #require(line.range(of: "diagnostics\":[")).upperBound
      let first = line.utf8.distance(from: line.startIndex, to: start)
      for end in first..<bytes.count {
        // A process that another test starts may still hold the lock of the last file.
        let path = "\(path)-\(end)"
        let url = URL(fileURLWithPath: path)
        try Data(bytes[..<end]).write(to: url)
        #expect(try Journal(path).entries.isEmpty)
        #expect(try Data(contentsOf: url).isEmpty)
      }
      for other in [bytes, bytes + [0], bytes + bytes, [0x20] + bytes.dropLast()] {
        #expect(throws: ImageError.self) { try JournalReader(other) }
      }
    }
  }

  @Test func otherUsersLinksStay() throws {
    let target = folder.appendingPathComponent("target").path
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    _ = try Journal(path)
    #expect(FileManager.default.fileExists(atPath: target))
    guard getuid() == 0 else { return }
    try FileManager.default.removeItem(atPath: target)
    // SAFETY: the C strings live for the calls.
    #expect(unsafe chmod(folder.path, 0o1777) == 0 && lchown(path, 65_534, 65_534) == 0)
    #expect(unsafe chown(folder.path, 65_533, 65_533) == 0)
    #expect(throws: Failure.self) { try Journal(self.path) }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  /// An input is done if it is done in one journal; within one, the last line counts.
  @Test(arguments: [false, true]) func journalsAreMerged(isReversed: Bool) {
    let first = [
      entry("a", .started), entry("a", .failed, codes: ["x/y", "n"]), entry("b", .started),
      entry("b", .done), entry("c", .done), entry("d", .done), entry("d", .started, sha: "b"),
      entry("d", .failed, sha: "b", codes: ["z"]),
    ]
    let second = [entry("a", .started), entry("a", .done), entry("c", .done), entry("e", .started)]
    let summary = JournalSummary(isReversed ? [second, first] : [first, second])
    #expect(summary.count(of: .done) == 3 && summary.count(of: .failed) == 1)
    #expect(summary.count(of: .started) == 1 && summary.inputs.count == 5)
    #expect(summary.failures.map(\.code) == ["z"])
    #expect(Set(summary.unfinished.map(\.file)) == ["r/./d", "r/./e"])
    #expect(summary.repeated == ["c"])
    let list = ["a", "r/b", "r/./c", "d", "f"]
    #expect(summary.missing(of: list) == ["d", "f"])
    #expect(!JournalReport(summary, expected: ["a"]).isAsExpected)
  }

  /// An output that is missing and made again is done once; another output is not.
  @Test func missingOutputsAreDoneOnce() {
    func made(_ sha: String) -> JournalEntry {
      var entry = entry("a", .done)
      entry.outputs = [JournalEntry.Output(path: "o", sha256: sha, bytes: 1)]
      return entry
    }
    #expect(JournalSummary([[made("x"), made("x")]]).repeated.isEmpty)
    #expect(JournalSummary([[made("x"), made("y")]]).repeated == ["a"])
    #expect(JournalSummary([[made("x")], [made("x")]]).repeated == ["a"])
  }

  /// The SDR image of a pair is done with its raw file.
  @Test func pairsAreExpected() {
    var pair = entry("s/a.dng", .done)
    pair.sdrInput = "r/./s/a.jpg"
    let summary = JournalSummary([[pair]])
    #expect(summary.missing(of: ["s/a.dng", "s/a.jpg", "r/s/a.jpg", "s/b.jpg"]) == ["s/b.jpg"])
  }

  @Test func onceIsAsExpected() {
    let summary = JournalSummary([[entry("a", .started), entry("a", .done)]])
    #expect(JournalReport(summary, expected: ["a"]).isAsExpected)
    #expect(!JournalReport(summary, expected: ["a", "b"]).isAsExpected)
  }
}

@Suite("Options key") struct OptionsKeyTests {
  private static func key(_ words: String, inputs: [String] = ["a.heic"]) -> String {
    OptionsKey(words.split(separator: " ").map(String.init), inputs: inputs).value
  }

  @Test(arguments: [
    "a.heic --to avif --out-dir x", "--out-dir=y a.heic --to avif -f --json",
    "-r a.heic --to avif -j 4 --memory-limit 2G --progress json --resume j --shard 1/2",
    "a.heic --to avif --no-isolation --time-limit 9",
  ])
  func doesNotDependOnInputsAndReports(words: String) {
    #expect(Self.key(words) == Self.key("a.heic --to avif"))
  }

  @Test(arguments: [
    "a.heic --to heic", "a.heic --to avif -q 90", "tag a.heic --to avif", "b --to avif",
  ])
  func dependsOnOptions(words: String) {
    #expect(Self.key(words) != Self.key("a.heic --to avif"))
  }

  /// A profile with the same name and other contents is another option.
  @Test func dependsOnTheContentsOfFiles() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).icc")
    defer { try? FileManager.default.removeItem(at: file) }
    var keys: Set<String> = []
    for contents in ["one", "two"] {
      try Data(contents.utf8).write(to: file)
      keys.insert(Self.key("a.heic --set icc=\(file.path)"))
      keys.insert(Self.key("a.heic --set=icc=\(file.path)"))
    }
    #expect(keys.count == 4)
  }
}
