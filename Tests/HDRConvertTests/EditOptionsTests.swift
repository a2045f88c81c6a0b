// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@testable import HDRConversion
import HDRCore
import ImageContainers
@testable import ImageFiles
import Testing

@testable import hdrconvert

@Suite("Options of tag") struct EditOptionsTests {
  private func edit(
    _ words: String...
  ) throws -> (MetadataEdit, Set<EditOptions.Measurement>) {
    let tag = try #require(
      try HDRConvert.parseAsRoot(["tag", "a.avif"] + words) as? hdrconvert.Tag)
    return try tag.editing.edit(tag.metadata)
  }

  @Test func valuesAreThoseOfConvert() throws {
    let (edit, measured) = try edit(
      "--clli", "1000,203", "--mdcv", "p3,1000,0.005", "--ndwt", "none", "--cicp", "9/18/9/0",
      "--orientation", "6", "--item", "7")
    #expect(edit.contentLightLevel == .set(.init(maximum: 1000, maximumAverage: 203)))
    #expect(
      edit.masteringDisplay
        == .set(
          .init(primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)))
    #expect(edit.diffuseWhite == .drop && edit.contentColorVolume == .keep)
    #expect(
      edit.codePoints
        == .set(
          CICP(
            primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, isFullRange: false)))
    #expect(edit.orientation == .set(.rotated90) && edit.item == 7)
    #expect(edit.profile == .keep && measured.isEmpty)
  }

  @Test func measured() throws {
    let (edit, measured) = try edit("--clli", "auto", "--icc", "auto")
    #expect(edit.isEmpty && measured == [.clli, .icc])
  }

  @Test func dropped() throws {
    let edit = try edit("--drop", "gps,clli,icc", "--drop", "orientation").0
    #expect(edit.dropsLocation && edit.contentLightLevel == .drop && edit.profile == .drop)
    #expect(edit.orientation == .drop && edit.exif == .keep)
  }

  @Test(arguments: [
    [], ["--drop", "foo"], ["--clli", "1,2", "--drop", "clli"],
    ["--clli", "auto", "--drop", "clli"],
    ["--orientation", "9"], ["--mdcv", "auto"], ["--cicp", "9"],
  ])
  func nonsense(words: [String]) throws {
    let tag = try #require(
      try HDRConvert.parseAsRoot(["tag", "a.avif"] + words) as? hdrconvert.Tag)
    #expect(throws: (any Error).self) { _ = try tag.editing.edit(tag.metadata) }
  }
}
