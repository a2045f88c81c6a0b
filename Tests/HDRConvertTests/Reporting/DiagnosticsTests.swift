// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Testing

@testable import Command

/// The tables of codes, their uses and other texts in the sources, and the generated page.
@Suite("Diagnostics") struct DiagnosticsTests {
  /// An entry of a table.
  struct Code {
    let module: String
    /// Name of the constant.
    let constant: String
    let isError: Bool
    let id: String
    let category: String
    let english: String

    var parameters: Set<String> {
      Set(DiagnosticTemplate(english).placeholders.map(\.name))
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized
  private static let page = root.appending(path: "Documentation/Diagnostics.md")

  /// The source files with their paths relative to the root, in order.
  private static func sources() throws -> [(path: String, text: String)] {
    let folder = root.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().map {
      ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }

  private static func isTable(_ path: String) -> Bool { path.hasSuffix("Diagnostics.swift") }

  private static func codes(_ path: String, _ text: String) -> [Code] {
    let entry =
      #/static let (\w+) = (Error|Notice)Code\(\s*"([^"]+)", \.(\w+),\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)\)/#
    return text.matches(of: entry).map { match in
      Code(
        module: String(path.prefix { $0 != "/" }), constant: String(match.1),
        isError: match.2 == "Error", id: String(match.3), category: String(match.4),
        english: joined(match.5))
    }
  }

  /// The text of string literals that are joined by `+`.
  private static func joined(_ literals: Substring) -> String {
    literals.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { $0.1 }.joined()
      .replacing("\\\"", with: "\"")
  }

  private static func allCodes() throws -> [Code] {
    try sources().filter { isTable($0.path) }.flatMap { codes($0.path, $0.text) }
  }

  /// The text of a call, from its code to its end.
  private static func rest(of text: Substring) -> Substring {
    var depth = 1
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: continue
      }
      if depth == 0 { return text[..<index] }
    }
    return text
  }

  @Test func everyEntryOfATableIsRead() throws {
    for (path, text) in try Self.sources() where Self.isTable(path) {
      let count = text.matches(of: #/static let/#).count
      #expect(Self.codes(path, text).count == count, "\(path)")
    }
  }

  @Test func codesAreUniqueAndOfOneForm() throws {
    let ids = try Self.allCodes().map(\.id)
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.wholeMatch(of: #/[a-z0-9]+([-/][a-z0-9]+)*/#) != nil, "\(id)") }
  }

  @Test func categoriesAreKnown() throws {
    let errors = Set(ImageError.Category.allCases.map(\.rawValue))
    let notices = Set(Notice.Category.allCases.map(\.rawValue))
    for code in try Self.allCodes() {
      #expect((code.isError ? errors : notices).contains(code.category), "\(code.id)")
    }
  }

  /// Every code is used, and each use passes the parameters of its text.
  @Test func usesHaveTheParameters() throws {
    var uses: [String: [Substring]] = [:]
    for (path, text) in try Self.sources() where !Self.isTable(path) {
      for match in text.matches(of: #/[\s(]\.(\w+)\b/#) {
        uses[String(match.1), default: []].append(text[match.range.upperBound...])
      }
    }
    for code in try Self.allCodes() {
      let calls = uses[code.constant] ?? []
      #expect(!calls.isEmpty, "\(code.id) is not used")
      for call in calls where !code.parameters.isEmpty {
        let text = Self.rest(of: call)
        // Parameters that are passed from elsewhere, or an unrelated use of the name.
        guard text.contains("[\""), text.hasPrefix(",") || text.hasPrefix(" :") else { continue }
        let keys = Set(text.matches(of: #/"(\w+)":/#).map { String($0.1) })
        #expect(code.parameters.isSubset(of: keys), "\(code.id) has \(keys)")
      }
    }
  }

  /// Diagnostics without a code of their own pass the parameters of their text.
  @Test func textsHaveTheirParameters() throws {
    let start =
      #/\b(ImageError|Notice|ErrorCode|NoticeCode|error)\(\s*\.\w+,\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)/#
    var count = 0
    for (path, text) in try Self.sources() {
      for match in text.matches(of: start) {
        count += 1
        let english = Self.joined(match.2)
        let names = Set(DiagnosticTemplate(english).placeholders.map(\.name))
        var call = Self.rest(of: text[match.range.upperBound...])
        if match.1.hasSuffix("Code") {
          // The parameters follow the code, or the codes of other conditions.
          call = Self.rest(of: text[call.endIndex...].dropFirst())
          guard call.hasPrefix(",") || call.drop(while: \.isWhitespace).hasPrefix(":") else {
            continue
          }
        }
        // Parameters that are passed from elsewhere.
        guard !names.isEmpty, call.isEmpty || call.contains("[\"") else { continue }
        let keys = Set(call.matches(of: #/"(\w+)":/#).map { String($0.1) })
        #expect(names.isSubset(of: keys), "\(path): \(english) has \(keys)")
      }
    }
    #expect(count > 0)
  }

  @Test func remediesAreForCodes() throws {
    let codes = try Self.allCodes()
    let errors = Set(codes.filter(\.isError).map(\.id))
    let notices = Set(codes.filter { !$0.isError }.map(\.id))
    #expect(Set(Remedies.byCode.keys).union(Remedies.byParameters.keys).subtracting(errors).isEmpty)
    #expect(
      Set(Remedies.byNotice.keys).union(Remedies.noticeByParameters.keys).subtracting(notices)
        .isEmpty)
    #expect(Set(Remedies.byCode.keys).isDisjoint(with: Remedies.byParameters.keys))
    #expect(
      NoticeVisibility.verboseOnly.union(NoticeVisibility.countingPixels)
        .union(NoticeVisibility.verboseOnlyItems.keys).subtracting(notices).isEmpty)
    for code in codes where NoticeVisibility.countingPixels.contains(code.id) {
      #expect(code.parameters.contains("share"), "\(code.id)")
    }
  }

  /// Only the command mentions options and verbs.
  @Test func librariesNameNoOptions() throws {
    for (path, text) in try Self.sources() where Self.isLibrary(path) {
      let lines = text.split(separator: "\n").filter { !$0.contains("//") }
      for line in lines {
        let isFree =
          line.firstMatch(of: #/"([^"]*[ '`,])?--[a-z][a-z-]*[^a-z:-]|"[^"]*hdrconvert [a-z]/#)
          == nil
        #expect(isFree, "\(path): \(line)")
      }
    }
  }

  private static func isLibrary(_ path: String) -> Bool {
    !["Command/", "DumpPlanes/", "ReferenceScenes/"].contains(where: path.hasPrefix)
  }

  @Test func committedPageIsUpToDate() throws {
    let text = Self.markdown(try Self.allCodes())
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: Self.page)
    }
    let committed = try String(contentsOf: Self.page, encoding: .utf8)
    #expect(committed == text, "run with UPDATE_GOLDENS=1")
  }

  private static func remedy(of code: Code) -> String {
    let (text, computed) =
      code.isError
      ? (Remedies.byCode[code.id], Remedies.byParameters[code.id] != nil)
      : (Remedies.byNotice[code.id], Remedies.noticeByParameters[code.id] != nil)
    return text ?? (computed ? "depends on the parameters" : "")
  }

  private static func markdown(_ codes: [Code]) -> String {
    var lines = [
      "# Diagnostics", "",
      "Errors and notices on which a program can act: each has a stable code. The code of all others is",
      "their category, such as `malformed` or `dropped`. All have typed parameters and a location; JSON",
      "has all of them, and the command prints the code in parentheses. The English may be reworded at",
      "any time. A placeholder names a parameter and, after a space, its unit or what it counts. A test",
      "makes this page from the sources: run it with `UPDATE_GOLDENS=1`.", "",
      "JSON reports contain all notices. Of those that the last column names, the command prints some only",
      "with `--verbose`, and those about clipped pixels from a percentage of the pixels on.",
    ]
    for module in Set(codes.map(\.module)).sorted() {
      for isError in [true, false] {
        let entries = codes.filter { $0.module == module && $0.isError == isError }
        guard !entries.isEmpty else { continue }
        lines += ["", "## \(module): \(isError ? "errors" : "notices")", ""]
        lines += [
          "| code | category | English | remedy of the command |"
            + (isError ? "" : " printed |"),
          "|---|---|---|---|" + (isError ? "" : "---|"),
        ]
        lines += entries.sorted { $0.id < $1.id }.map { code in
          let cells =
            ["`\(code.id)`", code.category, code.english, remedy(of: code)]
            + (isError ? [] : [NoticeVisibility.words(for: code.id)])
          return "| " + cells.joined(separator: " | ") + " |"
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
