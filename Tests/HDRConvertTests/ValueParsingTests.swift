// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import Testing

@testable import hdrconvert

@Suite("Values on the command line") struct ValueParsingTests {
  @Test func codePoints() throws {
    #expect(
      try parseCICP("9/16/9")
        == CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    #expect(
      try parseCICP("12/18/0/limited")
        == CICP(primaries: .displayP3, transfer: .hlg, matrix: .identity, isFullRange: false))
    for text in ["9/16", "9/16/9/2", "a/b/c", "9/16/9/1/1", "70000/16/9"] {
      #expect(throws: ValidationError.self) { try parseCICP(text) }
    }
  }

  @Test func sizes() throws {
    #expect(try parseSize("512") == 512)
    #expect(try parseSize("3M") == 3 << 20)
    #expect(try parseSize("2g") == 2 << 30)
    for text in ["", "M", "-1", "0", "9999999999G", "1.5G"] {
      #expect(throws: ValidationError.self) { try parseSize(text) }
    }
  }

  @Test func metadataOptions() throws {
    let arguments = [
      "--clli", "1000,203", "--mdcv", "p3,1000,0.005", "--cclv", "bt2020,0,1000,120", "--ndwt",
      "100", "--reve", "5,6", "--amve", "10",
    ]
    let metadata = try MetadataOptions.parse(arguments)
    var options = ConversionOptions(format: .avif, encoder: EncoderOptions())
    try metadata.apply(to: &options)
    #expect(
      options.contentLightLevel
        == .value(LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203)))
    #expect(options.diffuseWhite == .value(100))
    #expect(
      options.masteringDisplay
        == .value(
          LightMetadata.MasteringDisplay(
            primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)))
    #expect(
      options.ambientEnvironment
        == .value(LightMetadata.AmbientEnvironment(illuminance: 10, light: .d65)))
  }

  @Test(arguments: [
    ["--clli", "1000"], ["--mdcv", "p4,1000,0.005"], ["--cclv", "bt2020,100,10,50"],
    ["--ndwt", "0"], ["--amve", "dark"], ["--clli", "100,200"],
  ])
  func metadataThatMakesNoSense(arguments: [String]) throws {
    let metadata = try MetadataOptions.parse(arguments)
    var options = ConversionOptions(format: .avif, encoder: EncoderOptions())
    #expect(throws: ValidationError.self) { try metadata.apply(to: &options) }
  }

  /// Errors contain the option, the value, and the range of valid values with its unit.
  @Test(arguments: [
    (["--ndwt", "0"], ["'0'", " 1 ", " 10000 cd/m²"]),
    (["--mdcv", "p3,4,0.005"], ["'4'", " 5 ", " 10000 cd/m²"]),
    (["--clli", "70000,1"], ["'70000'", " 0 ", " 65535 cd/m²"]),
    (["--amve", "0"], ["'0'", " 0.0001 ", " 400000 lux"]),
  ])
  func errorsNameTheOption(arguments: [String], parts: [String]) throws {
    let options = try MetadataOptions.parse(arguments)
    let error = #expect(throws: ValidationError.self) { try options.metadata(otherwise: "auto") }
    let message = try #require(error).message
    #expect((arguments.prefix(1) + parts).allSatisfy { message.contains($0) }, "\(message)")
  }

  @Test(arguments: [
    (["--transfer", "pqq"], ["pq", "hlg"]), (["--transfer", "srgb"], ["pq", "hlg"]),
    (["--primaries", "adobe"], ["bt2020", "p3", "bt709"]),
    (["--primaries", "adobergb"], ["bt2020", "p3", "bt709"]),
  ])
  func errorsListWhatCanBeWritten(arguments: [String], names: [String]) throws {
    let coding = try CodingOptions.parse(arguments)
    var options = ConversionOptions(format: .avif, encoder: EncoderOptions())
    let error = #expect(throws: ValidationError.self) { try coding.apply(to: &options) }
    let message = try #require(error).message
    let words = Set(message.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    #expect(words.isSuperset(of: names) && !words.contains("linear"), "\(message)")
  }

  @Test func assumptions() throws {
    let both = try InputOptions.parse(["--assume", "linear,p3"]).opening().assumed
    #expect(both == AssumedColor(transfer: .linear, primaries: .displayP3))
    for text in ["foo", "linear,pq", "p3,bt709", "linear,"] {
      let error = #expect(throws: (any Error).self) { try InputOptions.parse(["--assume", text]) }
      let message = error.map { InputOptions.message(for: $0) } ?? ""
      #expect(message.contains("linear, pq") && message.contains("bt2020, p3"))
    }
  }

  @Test func pixelCounts() throws {
    #expect(try parsePixelCount("4095") == 4095)
    #expect(try parsePixelCount("40M") == 40_000_000)
    for text in ["", "M", "0", "-1", "1.5M", "99999999999G"] {
      #expect(throws: ValidationError.self) { try parsePixelCount(text) }
    }
  }

  @Test(arguments: [
    ["--quality", "101"], ["--speed", "11"], ["--cicp", "9/16/9", "--transfer", "pq"],
    ["--reference-white", "0"], ["--exposure", "inf"], ["--yuv", "411"],
  ])
  func codingThatMakesNoSense(arguments: [String]) {
    #expect(throws: (any Error).self) { try CodingOptions.parse(arguments) }
  }

  /// PQ is always display-referred; only HLG can be scene-referred.
  @Test func scenesAreHLG() throws {
    let coding = try CodingOptions.parse(["--image-state", "scene"])
    var options = ConversionOptions(format: .avif, encoder: EncoderOptions())
    #expect(throws: ValidationError.self) { try coding.apply(to: &options) }
  }
}
