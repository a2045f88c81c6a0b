// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("HEVC configuration and parameter sets") struct HEVCParameterSetsTests {
  func box(_ digits: String) throws -> HEVCConfigurationBox {
    var reader = ByteReader(hex(digits).span)
    try reader.skip(8)
    return try HEVCConfigurationBox(parsing: &reader)
  }

  @Test func summary() throws {
    let foreign = try box(HEVCVectors.configuration420)
    // heif-enc omits the constraint flags of x265, which is valid; an additional flag is not.
    #expect(try foreign.inconsistentFields.isEmpty)
    var boastful = foreign
    boastful.profileTierLevel.constraintFlags = 0x4000_0000_0000
    #expect(try boastful.inconsistentFields == ["general_constraint_indicator_flags"])
    let own = try HEVCConfigurationBox(parameterSets: foreign.parameterSets)
    #expect(try own.inconsistentFields.isEmpty)
    var expected = foreign
    expected.profileTierLevel.constraintFlags = 0x9DB8_0000_0000
    expected.temporalLayerCount = own.temporalLayerCount
    #expect(own.arrays.map(\.units) == expected.arrays.map(\.units))
    #expect(own.profileTierLevel == expected.profileTierLevel)
    #expect(own.lumaBitDepth == 10 && own.chromaFormat == 1 && own.isTemporalIDNested)
  }

  @Test func incompleteSets() throws {
    let units = try box(HEVCVectors.configuration420).parameterSets
    for index in units.indices {
      var some = units
      some.remove(at: index)
      #expect(throws: ImageError.self) { try HEVCConfigurationBox(parameterSets: some) }
    }
  }

  @Test func main10() throws {
    let foreign = try box(HEVCVectors.configuration420)
    let marked = try foreign.markedMain10
    let expected = HEVCProfileTierLevel(
      profileIDC: 2, compatibilityFlags: 0x2000_0000, constraintFlags: 0x9000_0000_0000,
      levelIDC: 30)
    #expect(marked.profileTierLevel == expected)
    #expect(try marked.inconsistentFields.isEmpty)
    #expect(try marked.sequenceParameterSet.profileTierLevel == expected)
    // The fields before the profile have 32 bits.
    let video = try #require(try marked.parameterSets.first { $0.type == .videoParameterSet })
    var reader = BitReader(Array(video.rbsp.dropFirst(4)))
    #expect(try HEVCProfileTierLevel(parsing: &reader, layers: 1) == expected)
    // All other fields are unchanged.
    let (before, after) = (try foreign.sequenceParameterSet, try marked.sequenceParameterSet)
    #expect(before.width == after.width && before.usability == after.usability)
    let old = try #require(try foreign.parameterSets.first { $0.type == .sequenceParameterSet })
    let new = try #require(try marked.parameterSets.first { $0.type == .sequenceParameterSet })
    #expect(Array(old.rbsp.dropFirst(13)) == Array(new.rbsp.dropFirst(13)))
    #expect(try marked.markedMain10 == marked)
  }

  @Test func whatIsNotMain10StaysAsItIs() throws {
    let full = try box(HEVCVectors.configuration444)
    #expect(try full.markedMain10 == full)
    #expect(throws: ImageError.self) {
      try full.parameterSets.last?.replacing(full.profileTierLevel.main10)
    }
  }
}
