// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import Command

@Suite("Negative numbers on the command line") struct NegativeValuesTests {
  @Test(arguments: [
    ("a --tint -5 b", "a --tint=-5 b"), ("-q -1", "-q=-1"), ("--exposure -.5", "--exposure=-.5"),
    ("--clli -10,5 --json", "--clli=-10,5 --json"), ("--tint=3 -5", "--tint=3 -5"),
    ("--json -o b", "--json -o b"), ("a -5", "a -5"), ("-- --tint -5", "-- --tint -5"),
    ("--tint -- -5", "--tint -- -5"), ("--headroom -x", "--headroom -x"), ("-- - -1", "-- - -1"),
    ("--recursive -0 --files-from -", "--recursive -0 --files-from -"), ("", ""),
  ])
  func belongToOptions(words: String, parsed: String) {
    #expect(
      words.split(separator: " ").map(String.init).withNegativeValues
        == parsed.split(separator: " ").map(String.init))
  }

  @Test func reachTheOptions() throws {
    let words = "a.dng -o b.avif --exposure -1.5 --tint -5 --baseline-exposure -1"
    let convert = try #require(
      try HDRConvert.parsed(words.split(separator: " ").map(String.init)) as? Convert)
    #expect(convert.conversion.coding.exposure == -1.5)
    #expect(convert.conversion.raw.tint == -5)
    #expect(convert.conversion.raw.baselineExposure == -1)
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
