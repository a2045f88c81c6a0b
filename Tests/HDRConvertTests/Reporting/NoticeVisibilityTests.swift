// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRCore
import Synchronization
import Testing

@testable import HDRConversion
@testable import Command

@Suite("Notices that are printed") struct NoticeVisibilityTests {
  private static func notice(_ id: String, _ parameters: DiagnosticParameters = [:]) -> Notice {
    Notice(NoticeCode(id, .dropped, ""), parameters)
  }

  @Test(arguments: [
    ("exif/thumbnail-dropped", false), ("color/primaries-assumed", false),
    ("location/included", true), ("exr/attributes-not-copied", false), ("base/re-encoded", true),
    ("gain-map/dropped", true),
  ])
  func codes(id: String, isPrinted: Bool) {
    #expect(NoticeVisibility.isPrinted(Self.notice(id)) == isPrinted)
  }

  /// 1552 of 12 million pixels are noise.
  @Test(arguments: [(1552, false), (12_000, true), (600_000, true)])
  func clippedPixels(count: Int, isPrinted: Bool) {
    let share = 100 * Double(count) / 12_000_000
    let notice = Self.notice("pixels/out-of-gamut", ["count": count, "share": share])
    #expect(NoticeVisibility.isPrinted(notice) == isPrinted)
  }

  @Test(arguments: [
    (["linear thumbnail", "style delta map"], false), (["thumbnail", "depth map"], true),
    (["film"], true),
  ])
  func embeddedItems(items: [String], isPrinted: Bool) {
    let notice = Self.notice("metadata/embedded-not-copied", ["items": items])
    #expect(NoticeVisibility.isPrinted(notice) == isPrinted)
  }

  /// A thumbnail of Photoshop is a thumbnail; other resources may be paths.
  @Test(arguments: [
    (["Photoshop thumbnail"], false), (["Photoshop thumbnail", "1 Photoshop resource"], true),
  ])
  func itemsOfTheEncoding(items: [String], isPrinted: Bool) {
    let notice = Self.notice("metadata/of-old-coding", ["items": items])
    #expect(NoticeVisibility.isPrinted(notice) == isPrinted)
  }

  @Test(arguments: [
    (["hdrconvert", "a.heic", "-o", "b.avif"], false), (["hdrconvert", "a", "-fv"], true),
    (["hdrconvert", "a", "--verbose"], true), (["hdrconvert", "--", "-v"], false),
  ])
  func verbosity(arguments: [String], isVerbose: Bool) {
    #expect(Invocation(arguments).isVerbose == isVerbose)
  }

  /// Each percentage is printed once, 100 only at the end.
  @Test func progressIsMonotonic() {
    let log = ProgressLog()
    let progress = Progress(.json, label: "a") { log.add($0) }
    progress.watch { Execution.operation {} }
    for share in [0.5, 0.25, 0.5, 0.75] { progress.show(share, stage: "converting") }
    #expect(log.percents == [0, 50, 75])
    progress.complete()
    #expect(log.percents.last == 100)
    #expect(zip(log.percents, log.percents.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The list of the parser comes in lines.
  @Test func operatorsAreListedInOneLine() {
    let error = #expect(throws: (any Error).self) {
      _ = try HDRConvert.parsed([
        "render", "a.exr", "-o", "b.png", "--level", "standard", "--operator", "aces",
      ])
    }
    let text = error.map { HDRConvert.completeMessage(for: $0) } ?? ""
    let message = Failure(arguments: text).message
    #expect(message.contains("shoulder") && message.contains("clip"))
    #expect(!message.contains("\n") && !message.visible.contains("\\u{"))
  }

  @Test func standardRangeIsExplained() {
    let report = RenderingReport(
      authority: .method(.shoulder),
      content: ContentHeadroom(Headroom(ratio: 4), origin: .encoding),
      display: .unlimited, usable: .standard, isIdentity: false)
    #expect(report.lines[1] == "display: SDR, headroom 1x (0 stops)")
  }

  /// The same condition is reported once per file.
  @Test func equalNoticesArePrintedOnce() {
    let notice = Self.notice("location/included")
    let report = InputReport()
    InputReport.$current.withValue(report) { Console.report([notice, notice, notice]) }
    let lines = report.contents.messages.split(separator: "\n")
    #expect(lines.count { $0.contains("(location/included)") } == 1)
    #expect(lines.count { $0.contains("  try: ") } == 1)
  }

  /// A remedy names options of the verb, so that the options that were given stay.
  @Test(arguments: ["convert", "gainmap create"])
  func remedyIsAnOption(verb: String) {
    let notice = Notice(
      NoticeCode("create/colors-outside-base", .clipped, ""),
      ["share": 2.0, "flavors": ["iso", "xmp"], "components": 3], at: .init(file: "a.exr"))
    let words = verb.split(separator: " ").map(String.init)
    let invocation = Invocation(["hdrconvert"] + words + ["a.exr", "-o", "b.jpg"])
    #expect(Remedies.remedy(for: notice, of: invocation) == "--flavors iso")
  }
}

/// Percentages that were printed.
private final class ProgressLog: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  var percents: [Int] {
    lines.withLock { $0 }.compactMap { line in
      line.firstMatch(of: #/"progress": (\d+)/#).flatMap { Int($0.1) }
    }
  }
}
