// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRConversion
import Testing

@testable import Command

@Suite("Negative numbers on the command line") struct NegativeValuesTests {
  @Test(arguments: [
    ("a --rotate -90 b", "a --rotate=-90 b"), ("-q -1", "-q=-1"),
    ("--exposure -.5", "--exposure=-.5"),
    ("--crop -10,5 --json", "--crop=-10,5 --json"), ("--rotate=3 -5", "--rotate=3 -5"),
    ("--json -o b", "--json -o b"), ("a -5", "a -5"), ("-- --rotate -5", "-- --rotate -5"),
    ("--rotate -- -5", "--rotate -- -5"), ("--headroom -x", "--headroom -x"),
    ("-- - -1", "-- - -1"),
    ("--recursive -0 --files-from -", "--recursive -0 --files-from -"), ("", ""),
  ])
  func belongToOptions(words: String, parsed: String) {
    #expect(
      words.split(separator: " ").map(String.init).withNegativeValues
        == parsed.split(separator: " ").map(String.init))
  }

  @Test func reachTheOptions() throws {
    let words = "a.dng -o b.avif --exposure -1.5 --rotate -90 --raw tint=-5,baseline-exposure=-1"
    let convert = try #require(
      try HDRConvert.parsed(words.split(separator: " ").map(String.init)) as? Convert)
    #expect(convert.conversion.coding.exposure == -1.5)
    #expect(convert.conversion.geometry.rotation.rotate == -90)
    let raw = try convert.request().raw
    #expect(raw.tint == -5 && raw.baselineExposure == -1)
  }

  /// Short options also accept a value after an equals sign.
  @Test func ofShortOptions() {
    let messages = [["-q", "-1"], ["--quality", "101"]].map { words in
      let error = #expect(throws: (any Error).self) {
        try HDRConvert.parsed(["a.exr", "-o", "b.avif"] + words)
      }
      return error.map(HDRConvert.message)
    }
    // The error about the value.
    #expect(messages[0]?.contains("--quality") == true && messages[0] == messages[1])
  }
}
