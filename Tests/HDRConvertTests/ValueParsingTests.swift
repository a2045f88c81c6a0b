// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import Testing

@testable import Command

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

  /// The request of options of `convert`.
  private func request(_ arguments: [String]) throws -> ConversionRequest {
    let parsed = try HDRConvert.parsed(["convert", "a.exr", "-o", "b.avif"] + arguments)
    return try #require(parsed as? Convert).request()
  }

  @Test func metadataOptions() throws {
    let metadata = try request([
      "--set", "clli=1000:203,mdcv=p3:1000:0.005,cclv=bt2020:0:1000:120", "--set", "ndwt=100",
      "--set", "reve=5:6,amve=10,exif=drop,icc=a.icc",
    ]).metadata
    #expect(
      metadata.contentLightLevel
        == .value(LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203)))
    #expect(metadata.diffuseWhite == .value(100))
    #expect(
      metadata.masteringDisplay
        == .value(
          LightMetadata.MasteringDisplay(
            primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)))
    #expect(
      metadata.ambientEnvironment
        == .value(LightMetadata.AmbientEnvironment(illuminance: 10, light: .d65)))
    #expect(metadata.exif == .drop && metadata.icc == .value(.name("a.icc")) && metadata.xmp == nil)
  }

  /// Errors contain the option, and what is wrong or allowed.
  @Test(arguments: [
    (["--set", "clli=1000"], ["MAXCLL:MAXFALL"]),
    (["--set", "mdcv=p4:1000:0.005"], ["'p4'", "bt2020, p3"]),
    (["--set", "cclv=bt2020:100:10:50"], ["minimum <= average"]),
    (["--set", "amve=dark"], ["'dark'"]),
    (["--set", "clli=100:200"], ["at most the maximum"]), (["--set", "ndwt=0"], ["1...10000"]),
    (["--set", "mdcv=p3:4:0.005"], ["5...10000"]),
    (["--set", "clli=70000:1"], ["0...65535 cd/m²"]),
    (["--set", "amve=0"], ["0.0001...400000 lux"]), (["--quality", "101"], ["0...100"]),
    (["--speed", "11"], ["0...10"]), (["--reference-white", "0"], ["1...10000"]),
    (["--exposure", "inf"], ["-32...32"]), (["--depth", "9"], ["8, 10, 12"]),
  ])
  func errorsNameTheOption(arguments: [String], parts: [String]) throws {
    let thrown = #expect(throws: (any Error).self) { try request(arguments) }
    let error = try #require(thrown)
    let text = Failure.thrownByValidation(error)?.message ?? HDRConvert.message(for: error)
    #expect((arguments.prefix(1) + parts).allSatisfy { text.contains($0) }, "\(text)")
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
    ["--transfer", "pqq"], ["--primaries", "adobe"], ["--transfer"],
    ["--yuv", "411"],
  ])
  func codingThatMakesNoSense(arguments: [String]) {
    #expect(throws: (any Error).self) { try CodingOptions.parse(arguments) }
  }
}
