// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRConversion
import HDRCore
import Testing

@testable import Command

@Suite("Options of tag") struct EditOptionsTests {
  private func metadata(_ words: [String]) throws -> ConversionRequest.Metadata {
    let tag = try #require(
      try HDRConvert.parseAsRoot(["tag", "a.avif"] + words) as? Command.Tag)
    let request = try tag.request()
    try request.check()
    #expect(request.copying == .required)
    return request.metadata
  }

  @Test func valuesAreThoseOfConvert() throws {
    let metadata = try metadata([
      "--set", "clli=1000:203,mdcv=p3:1000:0.005,ndwt=none", "--set", "cicp=9/18/9/0,orientation=6",
      "--item", "7",
    ])
    #expect(metadata.contentLightLevel == .value(.init(maximum: 1000, maximumAverage: 203)))
    #expect(
      metadata.masteringDisplay
        == .value(
          .init(primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)))
    #expect(metadata.diffuseWhite == .drop && metadata.contentColorVolume == nil)
    #expect(
      metadata.codePoints
        == .value(
          CICP(
            primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, isFullRange: false)))
    #expect(metadata.orientation == .value(.rotated90) && metadata.item == 7)
    #expect(metadata.icc == nil)
  }

  /// The color of coded images that are kept or checked cannot be declared; `tag --set cicp` stores another.
  @Test(arguments: [
    ["tag", "a.png", "--set", "orientation=6"], ["remux", "a.jpg", "-o", "b.jxl"],
    ["gainmap", "join", "--baseline", "a.jpg", "--map", "b.jpg", "-o", "c.jpg"],
    ["validate", "a.jpg"], ["validate", "--fix", "a.jpg", "-o", "b.jpg"],
  ])
  func declaredColor(words: [String]) throws {
    _ = try HDRConvert.parseAsRoot(words)
    #expect(throws: (any Error).self) {
      try HDRConvert.parseAsRoot(words + ["--declare", "pq,bt2020"])
    }
  }

  @Test func locationIsGPS() throws {
    let error = #expect(throws: (any Error).self) {
      try HDRConvert.parseAsRoot(["tag", "a.avif", "--strip", "location"])
    }
    #expect(HDRConvert.message(for: try #require(error)).contains("did you mean 'gps'?"))
  }

  @Test func measured() throws {
    let metadata = try metadata(["--set", "clli=auto", "--set", "icc=auto"])
    #expect(metadata.contentLightLevel == .measure && metadata.icc == .measure)
  }

  @Test func dropped() throws {
    let metadata = try metadata(["--strip", "gps,clli,icc", "--strip", "orientation"])
    #expect(metadata.strip == [.location] && metadata.contentLightLevel == .drop)
    #expect(metadata.icc == .drop && metadata.orientation == .drop && metadata.exif == nil)
  }

  @Test(arguments: [
    [], ["--strip", "foo"], ["--set", "clli=1:2", "--strip", "clli"],
    ["--set", "clli=auto", "--strip", "clli"],
    ["--set", "orientation=9"], ["--set", "mdcv=auto"], ["--set", "cicp=9"],
  ])
  func nonsense(words: [String]) throws {
    #expect(throws: (any Error).self) { _ = try metadata(words) }
  }
}
