// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageReports
import Testing

@testable import Command

@Suite("Failures") struct FailureTests {
  /// The exit code depends on category and stage; the message contains file and location.
  @Test(
    arguments: [
      (.unsuitable, .reading, 65), (.invalidArgument, .reading, 64), (.malformed, .reading, 65),
      (.invalidArgument, .writing, 64), (.unsupported, .writing, 69), (.unsupported, .reading, 65),
      (.missingCodec, .reading, 69), (.missingCodec, .writing, 69), (.codecFailure, .reading, 65),
      (.codecFailure, .writing, 70), (.limitExceeded, .writing, 65),
    ] as [(ImageError.Category, Failure.Stage, Int32)])
  func codesAndWords(code: ImageError.Category, stage: Failure.Stage, exitCode: Int32) {
    let failure = Failure(
      ImageError(
        ErrorCode("test", code, "the gain map is missing"),
        at: .init(file: "a.jpg", path: ["item 7"])),
      stage: stage)
    #expect(failure.exitCode == exitCode)
    #expect(failure.message.hasSuffix(" [item 7]") && failure.message.contains("cannot "))
    #expect(failure.message.contains(" a.jpg"))
    #expect(failure.reason == "the gain map is missing")
    #expect(!failure.remedy.isEmpty && !failure.remedy.contains("FILE"))
  }

  @Test func messagesAboutOptions() {
    let error = ImageError(ErrorCode("test", .invalidArgument, "cause")).inFile("a.jpg")
    #expect(Failure(error).message.hasPrefix("cannot convert a.jpg "))
  }

  /// The argument parser lists values one per line.
  @Test func listsOfValuesAreOneLine() {
    let failure = Failure(arguments: "Choose:\n  - a\n  - b")
    #expect(failure.message == "Choose: a, b")
    #expect(failure.exitCode == 64)
  }

  /// Messages of the argument parser have the form of the other messages.
  @Test(arguments: [
    (
      "The value 'aces' is invalid for '--operator <operator>'. Please provide one of the following:"
        + "\n  - shoulder\n  - clip\n  - bt2390",
      "--operator takes shoulder, clip or bt2390, not 'aces'"
    ),
    (
      "The value 'a' is invalid for '--transfer <transfer>'. Please provide one of 'srgb' and 'pq'.",
      "--transfer takes srgb or pq, not 'a'"
    ),
    (
      "The value 'a' is invalid for '--gainmap <gainmap>'. Please provide one of 'apply', 'keep' or "
        + "'drop'.", "--gainmap takes apply, keep or drop, not 'a'"
    ),
    (
      "The value '3q' is invalid for '--headroom <4x|2st>': a ratio (4x), or stops (2st)",
      "invalid value of --headroom: '3q' (a ratio (4x), or stops (2st))"
    ),
    (
      "The value 'a' is invalid for '--flavors <iso,xmp>'", "--flavors takes iso,xmp, not 'a'"
    ),
    ("The value 'x' is invalid for '--depth'", "invalid value of --depth: 'x'"),
    ("Missing expected argument '<in> ...'", "missing argument: <in> ..."),
    ("Missing value for '-o <out>'", "missing value of -o <out>"),
    ("Unexpected argument 'c'", "unexpected argument: c"),
    ("2 unexpected arguments: 'c', 'd'", "2 unexpected arguments: 'c', 'd'"),
    ("several inputs require --out-dir", "several inputs require --out-dir"),
  ])
  func messagesOfTheParser(text: String, message: String) {
    #expect(Failure(arguments: text).message == message)
  }

  @Test func envelopeOfAFailedCommand() throws {
    let error = ImageError(.outputExists, at: .init(file: "b.jpg"))
    let failure = Failure(error, stage: .writing)
    let envelope = JSONReport(
      inputs: ["a.exr"], results: [ConversionReport](),
      failures: [FailureReport(failure, of: "b.jpg")], verb: "gainmap create")
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(envelope)) as? [String: Any])
    #expect(object["schema"] as? String == "hdrconvert/gainmap-create/1")
    #expect(object["inputs"] as? [String] == ["a.exr"])
    let failures = try #require(object["failures"] as? [[String: Any]])
    #expect(failures.count == 1 && failures[0]["code"] as? String == "output/exists")
    #expect(failures[0]["exitCode"] as? Int == 73)
    #expect(failures[0]["location"] as? [String: String] == ["file": "b.jpg"])
  }

  @Test func remedyForAnUnsuitableFile() {
    let failure = Failure(ImageError(ErrorCode("test", .unsuitable, "no gain map")).inFile("a.jpg"))
    #expect(failure.remedy.hasPrefix("hdrconvert inspect a.jpg"))
  }

  /// A pipe does not have a folder or permissions.
  @Test(arguments: [(Failure.Stage.reading, "writes to"), (.writing, "reads from")])
  func remedyForAPipe(stage: Failure.Stage, verb: String) {
    let error = ImageError(ErrorCode("test", .inputOutput, "")).inFile("-")
    #expect(Failure(error, stage: stage).remedy == "check the program that \(verb) the pipe")
  }
}
