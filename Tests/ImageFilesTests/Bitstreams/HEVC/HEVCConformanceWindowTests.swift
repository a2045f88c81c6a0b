// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("HEVC conformance window") struct HEVCConformanceWindowTests {
  /// Written by x265 3.5 for 132x98 pixels, 4:2:0, 10 bit: 136x104 coded samples.
  private static let set: [UInt8] = [
    0x42, 0x01, 0x01, 0x04, 0x08, 0x00, 0x00, 0x03, 0x00, 0x9D, 0xB8, 0x00, 0x00, 0x03, 0x00, 0x00,
    0xFF, 0xA0, 0x11, 0x20, 0x69, 0xDC, 0x8D, 0x96, 0xEA, 0x49, 0x29, 0xAE, 0x6E, 0x12, 0x20, 0x12,
    0x08, 0x00, 0x00, 0x03, 0x00, 0x08, 0x00, 0x00, 0x03, 0x00, 0x08, 0x40,
  ]

  private func record() throws -> HEVCConfigurationBox {
    let array = HEVCConfigurationBox.NALUnitArray(
      isComplete: true, type: .sequenceParameterSet, units: [Self.set])
    return HEVCConfigurationBox(
      profileTierLevel: try HEVCSequenceParameterSet(parsing: HEVCNALUnit(Self.set[...]))
        .profileTierLevel,
      chromaFormat: 1, lumaBitDepth: 10, chromaBitDepth: 10, arrays: [array])
  }

  @Test func theSameWindowIsTheSameBytes() throws {
    let record = try record()
    #expect(try record.sequenceParameterSet.codedWidth == 136)
    #expect(try record.cropped(width: 132, height: 98).arrays == record.arrays)
  }

  @Test(arguments: [(100, 50), (136, 104), (2, 2), (99, 49)])
  func onlyTheWindowChanges(width: Int, height: Int) throws {
    let record = try record()
    let before = try record.sequenceParameterSet
    let cropped = try record.cropped(width: width, height: height)
    let after = try cropped.sequenceParameterSet
    // In 4:2:0 the window has a resolution of two luma samples.
    #expect((after.width, after.height) == ((width + 1) & ~1, (height + 1) & ~1))
    #expect((after.codedWidth, after.codedHeight) == (136, 104))
    #expect(after.usability == before.usability)
    #expect(after.profileTierLevel == before.profileTierLevel)
    #expect(try cropped.cropped(width: 132, height: 98).arrays == record.arrays)
  }
}
