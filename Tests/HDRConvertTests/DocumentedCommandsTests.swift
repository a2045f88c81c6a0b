// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Command

/// Commands in the README and the documentation.
@Suite("Documented commands") struct DocumentedCommandsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// The pages: the README, and those of the documentation and its site.
  private static func pages() throws -> [String] {
    let folders = ["Documentation", "Documentation/Site.docc"]
    return try ["README.md"]
      + folders.flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
          .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
      }
  }

  /// The commands in the shell blocks of a page, without comments and redirections.
  private static func commands(_ page: String) throws -> [[String]] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    return text.matches(of: #/(?s)```(?:sh|shell)\n(.*?)```/#).flatMap { block in
      block.1.replacing("\\\n", with: " ").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ").map(String.init)
        guard words.first == "hdrconvert" else { return nil }
        // The number of a job is in its environment.
        let command = words.map { $0 == "auto" ? "1/8" : $0 }
        return command.dropFirst().prefix { $0 != ">" && $0 != "|" && !$0.hasPrefix("#") }.map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        }
      }
    }
  }

  /// Verbs and options exist, and the options go together.
  @Test func commandsParse() throws {
    var counts: [String: Int] = [:]
    for page in try Self.pages() {
      for words in try Self.commands(page) {
        counts[page, default: 0] += 1
        if Help.text(for: words) != nil { continue }
        #expect(throws: Never.self, "\(page): \(words.joined(separator: " "))") {
          _ = try HDRConvert.parsed(words)
        }
      }
    }
    #expect(counts["README.md"] ?? 0 >= 14)
    #expect(counts.count >= 5, "\(counts)")
  }

  /// The README names the verbs that it does not show; `convert` is that of commands without one.
  @Test func readmeNamesAllVerbs() throws {
    let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let names = text.replacing(#/(?s)```.*?```/#, with: "").matches(of: #/`([^`\n]+)`/#)
      .map { $0.1.split(separator: " ").map(String.init) }
    let found = try (names + Self.commands("README.md")).flatMap { words in
      // Verbs of a group may be listed as `gainmap apply|extract`.
      words.count > 1 && words[0] == "gainmap"
        ? words[1].split(separator: "|").map { ["gainmap", String($0)] } : [Array(words.prefix(1))]
    }
    for verb in HelpTests.verbs where verb != ["convert"] {
      #expect(found.contains(verb), "\(verb)")
    }
  }
}
