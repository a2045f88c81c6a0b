// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import Command

@Suite("Help") struct HelpTests {
  static let verbs: [[String]] = HDRConvert.configuration.subcommands.flatMap { verb in
    let nested = verb.configuration.subcommands
    return nested.isEmpty
      ? [[verb._commandName]] : nested.map { [verb._commandName, $0._commandName] }
  }

  private static func optionCount(_ text: String) -> Int {
    text.split(separator: "\n").count {
      $0.hasPrefix("  -") && !$0.hasPrefix("  -h, ") && !$0.hasPrefix("  --version")
    }
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func firstLayerIsTheJobs(arguments: [String]) throws {
    let text = try #require(Help.text(for: arguments))
    #expect(text == Help.jobs)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for verb in HDRConvert.configuration.subcommands where verb != Convert.self {
      #expect(text.contains("hdrconvert \(verb._commandName)"), "\(verb._commandName)")
    }
  }

  @Test(arguments: verbs)
  func secondLayerIsShorterThanTheThird(verb: [String]) throws {
    let common = try #require(Help.text(for: ["help"] + verb, columns: 80))
    let complete = try #require(Help.text(for: ["help"] + verb + ["--all"], columns: 80))
    #expect(Help.text(for: verb + ["--help"], columns: 80) == common)
    #expect(Self.optionCount(common) <= Self.optionCount(complete))
    let lines = (common + "\n" + complete).split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    #expect(Self.optionCount(common) <= 15, "\(verb)")
    if common.contains("--all") {
      #expect(Self.optionCount(common) < Self.optionCount(complete), "\(verb)")
    }
  }

  /// Examples fit 80 columns, and each is parsed as a command after joining continued lines.
  @Test(arguments: verbs)
  func examplesParse(verb: [String]) throws {
    let text = try #require(Help.text(for: ["help"] + verb, columns: 80))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: "examples:") ?? lines.indices.last)
    let block = lines[start...].dropFirst().prefix { $0.hasPrefix("  ") }
    #expect(block.allSatisfy { $0.count <= 80 }, "\(verb)")
    let joined = block.joined(separator: "\n").replacing(" \\\n", with: " ")
    for line in joined.split(separator: "\n") where line.hasPrefix("  hdrconvert ") {
      let words = line.split(separator: " ").dropFirst().prefix { $0 != ">" }.map(String.init)
      #expect(throws: Never.self, "\(line)") { _ = try HDRConvert.parsed(words) }
    }
  }

  /// The first help of `convert` is short, and lists every option that its examples use.
  @Test func optionsOfConvert() throws {
    let common = try #require(Help.text(for: ["help", "convert"], columns: 80))
    let complete = try #require(Help.text(for: ["help", "convert", "--all"], columns: 80))
    #expect(Self.optionCount(common) <= 15 && Self.optionCount(complete) <= 45)
    let parts = common.split(separator: "ARGUMENTS:", maxSplits: 1)
    let used = parts[0].matches(of: #/ (--?[a-z][a-z-]*)/#).map { String($0.output.1) }
    for option in Set(used) {
      #expect(parts[1].contains("\(option) ") || parts[1].contains("\(option),"), "\(option)")
    }
  }

  /// The values of `--strip` in the help of a verb are those that it takes.
  @Test(arguments: ["extract", "gainmap extract", "validate", "tag"])
  func valuesOfStrip(verb: String) throws {
    let words = verb.split(separator: " ").map(String.init)
    let text = try #require(Help.text(for: ["help"] + words + ["--all"], columns: 80))
    let option = try #require(text.split(separator: "\n  --strip").last)
    #expect(option.prefix(400).contains("thumbnail"))
    #expect(option.prefix(400).contains("clli") == (verb == "tag"))
  }

  @Test(arguments: ["raw", "set"])
  func keysHaveTopics(topic: String) throws {
    let text = try #require(Help.text(for: ["help", topic]))
    #expect(text.hasPrefix("--\(topic) key=value"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(Help.unknownVerb(in: ["help", topic]) == nil)
  }

  /// A page of the command and one of each verb; what they contain is checked by groff.
  @Test func manualPagesAreOfAllVerbs() throws {
    let pages = try ManPage.all()
    let names = Self.verbs.map { (["hdrconvert"] + $0).joined(separator: "-") }
    #expect(Set(pages.map(\.name)) == Set(names + ["hdrconvert"]))
    for page in pages {
      #expect(page.text.unicodeScalars.allSatisfy { $0.isASCII }, "\(page.name)")
      #expect(page.text.contains(".SH EXIT STATUS"))
    }
    let create = try #require(pages.first { $0.name == "hdrconvert-gainmap-create" }?.text)
    #expect(create.contains(#"\-\-sdr sdr.tif \-\-hdr hdr.exr"#))
  }

  @Test func manualPagesAreReplacedWithForceOnly() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "hdrconvert-man-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appending(path: "hdrconvert-tag.1")
    try Data("mine".utf8).write(to: page)
    let words = ["help", "--man", folder.path]
    let target = try #require(ManPage.target(in: words))
    let failure = #expect(throws: Failure.self) {
      try ManPage.writeAll(to: target.folder, mayReplace: target.mayReplace)
    }
    #expect(failure?.error.code.id == "output/exists")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    let forced = try #require(ManPage.target(in: words + ["--force"]))
    try ManPage.writeAll(to: forced.folder, mayReplace: forced.mayReplace)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count > 15)
    #expect(try Data(contentsOf: page) != Data("mine".utf8))
  }

  @Test func exitCodesAreDocumented() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Documentation/ExitCodes.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let help = try #require(Help.text(for: ["help", "exit-codes"]))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let codes = help.matches(of: #/(?m)^(\d+) /#).compactMap { Int($0.1) }
    #expect(codes.count == 13 && codes == codes.sorted())
    #expect(text.matches(of: #/(?m)^\| (\d+) \|/#).compactMap { Int($0.1) } == codes)
  }

  @Test(arguments: [["help", "frobnicate"], ["a.exr", "-o", "--", "--help"], ["tag", "a.avif"]])
  func otherArgumentsAreNotHelp(arguments: [String]) {
    #expect(Help.text(for: arguments) == nil)
  }
}
