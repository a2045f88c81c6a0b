// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import Command

@Suite("Inputs and outputs as arguments") struct FileArgumentsTests {
  /// The failure of arguments that a verb refuses.
  private func failure(_ words: String) -> Failure? {
    do {
      _ = try HDRConvert.parsed(words.split(separator: " ").map(String.init))
      return nil
    } catch { return Failure.thrownByValidation(error) }
  }

  /// The last of two names may be meant as the output.
  @Test(arguments: [
    ("remux a.jpg b.hdr --flavors iso", "add --out-dir, or --name"),
    ("a.heic b.hdr", "add --out-dir, or --name"),
    ("a.heic b.heic c.jpg", "add --out-dir, or --name"),
  ])
  func misplacedOutputs(words: String, remedy: String) {
    let failure = failure(words)
    #expect(failure?.error.code.id == "batch/output-missing")
    #expect(failure?.remedy.hasSuffix(remedy) == true)
  }

  /// The second of two files is the output, unless it exists and is not to be replaced.
  @Test func secondOperand() throws {
    let convert = try #require(try HDRConvert.parsed(["a.heic", "b.jpg"]) as? Convert)
    #expect(convert.inputPaths == ["a.heic"] && convert.target.output == "b.jpg")
    let existing = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).png")
    try Data().write(to: existing)
    defer { try? FileManager.default.removeItem(at: existing) }
    #expect(failure("a.heic \(existing.path)")?.error.code.id == "batch/output-missing")
    let forced = try #require(
      try HDRConvert.parsed(["a.heic", existing.path, "--force"]) as? Convert)
    #expect(forced.inputPaths == ["a.heic"] && forced.target.output == existing.path)
    let several = try HDRConvert.parsed(["a.heic", "b.jpg", "--out-dir", "c", "--to", "avif"])
    #expect((several as? Convert)?.inputPaths == ["a.heic", "b.jpg"])
  }

  #if EXR && PNG && JPEG && AVIF
  private static let scene = FrontDoorTests.scene

  /// A format that requires a conversion is named.
  @Test(arguments: ["x.heic", "x.png"]) func formatsOfRemux(output: String) {
    let words = ["remux", Self.scene, "-o", output]
    Invocation.$whole.withValue(Invocation(["hdrconvert"] + words)) {
      let failure = #expect(throws: Failure.self) { try FrontDoorTests.run(words) }
      #expect(failure?.error.code.id == "transcode/formats")
      #expect(failure?.remedy.hasPrefix("to convert it: hdrconvert ") == true)
      #expect(failure?.remedy.hasSuffix(" -o \(output)") == true)
    }
  }

  /// A dry run of one input lists its output, and what becomes of each part.
  @Test func dryRunsTakeAnOutput() throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed([Self.scene, "--dry-run", "-o", "zz.png"])
      try command.run()
    }
    let lines = String(decoding: report.contents.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.first ?? "" == "\(Self.scene) -> zz.png")
    #expect(lines.dropFirst().first ?? "" == "  image: render, HDR (PQ) in PNG")
    #expect(!FileManager.default.fileExists(atPath: "zz.png"))
  }

  /// Listings are objects of the JSON report.
  @Test(arguments: [
    [scene, "--dry-run", "-o", "zz.png", "--json"], ["validate", "--rules", "--json"],
    [
      scene, scene.replacing("photo", with: "ramps"), "--out-dir", "out", "--to", "png", "-n",
      "--json",
    ],
  ])
  func listingsAreJSON(words: [String]) throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed(words)
      try command.run()
    }
    #expect(report.contents.output.isEmpty && !report.contents.results.isEmpty)
    let isListed = report.contents.results.allSatisfy {
      ($0 as? AnyReport)?.base is ListedOutputReport || $0 is ListedRuleReport
    }
    #expect(isListed)
  }
  #endif
}
