// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import Command

/// Random arguments, mostly near the grammar, are accepted or refused, and never trap.
@Suite("Random arguments") struct RandomArgumentsTests {
  private static let seed: UInt64 = 17
  private static let count = 4000

  /// Joins random pieces, which include the ends of the range of each number.
  private func text(_ pieces: [String], _ random: inout SplitMix) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  private static let numbers = [
    "0", "1", "9", "16", "65535", "65536", "-1", "+4", "1e308", "1e999", "1e-400", "nan", "inf",
    "9223372036854775807", "9223372036854775808", ".", "0.5", "\u{660}", "\u{1F600}", " ",
  ]

  @Test func cicp() {
    var random = SplitMix(seed: Self.seed)
    for index in 0..<Self.count {
      let text = text(Self.numbers + ["/", "/", "/", "full", "limited"], &random)
      guard let parsed = try? parseCICP(text) else { continue }
      let again = try? parseCICP(
        "\(parsed.primaries.rawValue)/\(parsed.transfer.rawValue)/\(parsed.matrix.rawValue)/"
          + (parsed.isFullRange ? "1" : "0"))
      #expect(again == parsed, "\(text), seed \(Self.seed), number \(index)")
    }
  }

  @Test func sizes() {
    var random = SplitMix(seed: Self.seed)
    for index in 0..<Self.count {
      let text = text(Self.numbers + ["K", "M", "G", "g", "T"], &random)
      for parsed in [try? parseSize(text), try? parsePixelCount(text)] {
        #expect(parsed ?? 1 > 0, "\(text), seed \(Self.seed), number \(index)")
      }
    }
  }

  @Test func headrooms() {
    var random = SplitMix(seed: Self.seed)
    for index in 0..<Self.count {
      let text = text(Self.numbers + ["x", "st", "nit", "full"], &random)
      guard case .value(let headroom)? = try? HeadroomArgument(parsing: text) else { continue }
      #expect(headroom.stops.isFinite, "\(text), seed \(Self.seed), number \(index)")
    }
  }

  /// Templates of `--name`: those that are accepted make relative paths without braces.
  @Test func names() {
    var random = SplitMix(seed: Self.seed)
    let placeholders = OutputName.Placeholder.allCases.map { "{\($0.rawValue)}" }
    for index in 0..<Self.count {
      let text = text(
        placeholders + Self.numbers + ["{", "}", "/", "-", "..", "{unknown}", "{}"], &random)
      guard let name = OutputName(argument: text) else { continue }
      let path = name.path(
        .init(
          folder: "a/b", stem: "photo", suffix: "avif", sourceSuffix: "avif", index: index,
          size: (4, 3)))
      #expect(
        !path.contains { $0 == "{" || $0 == "}" } && !path.hasPrefix("/") && !path.hasSuffix("/")
          && !path.contains("//"), "\(text), seed \(Self.seed), number \(index)")
    }
  }

  /// Journals with random changes: those that are accepted are read again as far as they are intact.
  @Test func journals() throws {
    var random = SplitMix(seed: Self.seed)
    let statuses: [JournalEntry.Status] = [.started, .done, .failed]
    let lines = try (0..<6).map { number in
      let entry = JournalEntry(
        input: "\(number)", file: "\(number).heic", status: statuses[number % 3],
        inputSHA256: "a", optionsKey: "k", version: "1", diagnostics: ["x/y"], attempts: number)
      return Array(try #require(JSONLine.text(entry)).utf8)
    }
    let pieces = ["{", "}", "\"", "\n", "[", ":", ",", "null", "\u{0}"].map { Array($0.utf8) }
    for index in 0..<Self.count / 16 {
      var bytes = Array(lines.shuffled(using: &random).joined())
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = Int.random(in: start...min(start + 40, bytes.count), using: &random)
        let number = Self.numbers.randomElement(using: &random) ?? ""
        let piece = pieces.randomElement(using: &random) ?? []
        bytes.replaceSubrange(
          start..<end, with: Bool.random(using: &random) ? Array(number.utf8) : piece)
      }
      guard let reader = try? JournalReader(bytes) else { continue }
      let again = try JournalReader(Array(bytes[..<reader.intactCount]))
      #expect(
        again.entries.map(\.input) == reader.entries.map(\.input)
          && again.intactCount == reader.intactCount, "seed \(Self.seed), number \(index)")
      _ = JournalSummary([reader.entries, again.entries])
    }
  }

  /// Values of any magnitude, such as those that a decoder process returns, are rendered.
  @Test func parametersOfDiagnostics() {
    var random = SplitMix(seed: Self.seed)
    let template = DiagnosticTemplate("{value byte} of {value}")
    for number in [Int.min, .max, -1, 0, 1] {
      #expect(!template.rendered(with: ["value": number]).isEmpty)
      #expect(!template.rendered(with: ["value": .size(number, number)]).isEmpty)
    }
    for _ in 0..<Self.count {
      let value = Double(bitPattern: random.next())
      #expect(!template.rendered(with: ["value": value]).isEmpty, "\(value)")
    }
  }

  /// Whole command lines.
  @Test func commands() {
    var random = SplitMix(seed: Self.seed)
    let words = [
      "convert", "render", "remux", "gainmap", "join", "inspect", "validate", "tag", "in.heic", "-",
      "-o", "out.avif", "--headroom", "--level", "--set", "--raw", "--crop", "--resize", "--rotate",
      "--flip",
      "--quality", "--speed", "-y", "--assume", "--memory-limit", "--max-pixels", "--time-limit",
      "--no-isolation", "--jobs", "time=1", "mdcv=p3:1", "exif=a", "tint=1", "--json", "--",
      "--unknown", "--strip",
      "--exposure",
    ]
    for _ in 0..<Self.count / 250 {
      let arguments = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        Bool.random(using: &random)
          ? words.randomElement(using: &random) ?? ""
          : text(Self.numbers + ["x", ",", "/"], &random)
      }
      _ = try? HDRConvert.parsed(arguments)
    }
  }
}
