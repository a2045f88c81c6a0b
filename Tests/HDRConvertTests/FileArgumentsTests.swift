// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import hdrconvert

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
    ("IMG_0001.HEIC out.jpg", "hdrconvert IMG_0001.HEIC -o out.jpg"),
    ("remux a.jpg b.jpg --flavors iso", "-o b.jpg"),
    ("a.heic b.hdr", "add --out-dir, or --name"),
    ("a.heic b.heic c.jpg", "add --out-dir, or --name"),
  ])
  func misplacedOutputs(words: String, remedy: String) {
    let failure = failure(words)
    #expect(failure?.error.code.id == "batch/output-missing")
    #expect(failure?.remedy.hasSuffix(remedy) == true)
  }

  /// A format that requires a conversion is named.
  @Test(arguments: ["remux photo.avif -o x.heic", "remux photo.avif -o x.png"])
  func formatsOfRemux(words: String) {
    let failure = failure(words)
    #expect(failure?.error.code.id == "transcode/formats")
    #expect(failure?.remedy.hasPrefix("to convert it: hdrconvert photo.avif -o ") == true)
    #expect(self.failure("remux photo.avif -o x.avif") == nil)
  }

  /// A dry run of one input lists its output.
  @Test func dryRunsTakeAnOutput() throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed(["photo.avif", "--dry-run", "-o", "zz.avif"])
      try command.run()
    }
    let text = String(decoding: report.contents.output, as: UTF8.self)
    #expect(text == "photo.avif -> zz.avif\n")
    #expect(!FileManager.default.fileExists(atPath: "zz.avif"))
  }

  /// Listings are objects of the JSON report.
  @Test(arguments: [
    ["photo.avif", "--dry-run", "-o", "zz.avif", "--json"], ["validate", "--rules", "--json"],
    ["a.heic", "b.heic", "--out-dir", "out", "--to", "jpeg", "-n", "--json"],
  ])
  func listingsAreJSON(words: [String]) throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed(words)
      try command.run()
    }
    #expect(report.contents.output.isEmpty && !report.contents.results.isEmpty)
    let isListed = report.contents.results.allSatisfy {
      $0 is ListedOutputReport || $0 is ListedRuleReport
    }
    #expect(isListed)
  }
}
