// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRConversion
import Testing

@testable import Command

@Suite("Options with keys") struct KeyedOptionTests {
  private func request(_ values: String...) throws -> ConversionRequest {
    var request = ConversionRequest()
    try RequestKeys.raw.apply(values, to: &request)
    return request
  }

  @Test func values() throws {
    let request = try request("temperature=5200,draft,profile=A, B", "local-exposure=sky:-0.5")
    #expect(request.raw.temperature == 5200 && request.raw.isDraft == true)
    #expect(request.raw.profile == "A, B")
    #expect(request.raw.localExposures?.first?.stops == -0.5)
  }

  /// The file that is found takes the place of `auto`.
  @Test func companions() throws {
    var option = RAWOption()
    option.values = ["temperature=5000,camera-jpeg=auto", "tint=3"]
    #expect(option.pairsInputs)
    option.companion = "a,b.jpg"
    #expect(option.companion == "a,b.jpg" && !option.pairsInputs)
    let request = try request(option.values[0], option.values[1], option.values[2])
    #expect(request.raw.temperature == 5000 && request.raw.tint == 3)
    option.values = ["tint=3, camera-jpeg=auto"]
    option.companion = "a.jpg"
    #expect(option.companion == "a.jpg")
  }

  /// Spaces after commas and around signs are not part of names and numbers.
  @Test func spaces() throws {
    let request = try request("temperature=5200, tint = 3, draft", " detail=0.5")
    #expect(request.raw.temperature == 5200 && request.raw.tint == 3)
    #expect(request.raw.isDraft == true && request.raw.detail == 0.5)
  }

  /// A value that two options set is given once.
  @Test(arguments: [
    ["a.dng", "-o", "b.avif"], ["render", "a.dng", "-o", "b.png", "--level", "standard"],
  ])
  func exposures(words: [String]) throws {
    _ = try HDRConvert.parsed(words + ["--raw", "exposure=1"])
    let error = #expect(throws: (any Error).self) {
      try HDRConvert.parsed(words + ["--raw", "exposure=1", "--exposure", "2"])
    }
    let text = error.map { HDRConvert.message(for: $0) } ?? ""
    #expect(text.contains("--exposure and --raw exposure"), "\(text)")
  }

  /// Errors name the key, and what it takes.
  @Test(arguments: [
    ("temprature=5200", "did you mean 'temperature'"), ("temperature", "needs a value"),
    ("temperature=warm", "--raw temperature takes 1667...100000 K, not 'warm'"),
    ("lens=maybe", "on|off"), ("profile=A,temprature=5", "did you mean 'temperature'"),
    ("neutral=1,2", "with colons"), ("tint=1,tint=2", "given twice"), ("", "a key ''"),
  ])
  func errors(text: String, part: String) {
    let failure = #expect(throws: Failure.self) { try request(text) }
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
    #expect(failure?.remedy == "hdrconvert help raw")
  }

  /// A key that is typed as an option is found, with its value.
  @Test(arguments: [
    (["a.dng", "--temperature", "5200"], "--raw temperature=5200"),
    (["a.dng", "--ndwt", "203"], "--set ndwt=203"),
  ])
  func keysAsOptions(arguments: [String], remedy: String) {
    #expect(HDRConvert.unknownOption(in: arguments)?.remedy == remedy)
  }

  /// Ranges in help are those that requests are checked by.
  @Test func rangesAreThoseOfRequests() throws {
    for key in RequestKeys.raw.keys where key.form.wholeMatch(of: #/-?[\d.]+\.\.\.[\d.]+/#) != nil {
      var request = ConversionRequest()
      try RequestKeys.raw.apply(["\(key.name)=1e9"], to: &request)
      let error = #expect(throws: (any Error).self) { try request.check() }
      #expect("\(error ?? Failure.init(arguments: ""))".contains(key.form) || key.name == "scale")
    }
  }
}
