// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("HEVC sequence parameter sets") struct HEVCSequenceParameterSetTests {
  func parse(_ digits: String) throws -> HEVCSequenceParameterSet {
    try HEVCSequenceParameterSet(parsing: HEVCNALUnit(hex(digits)[...]))
  }

  /// Fields as printed by ffmpeg's `trace_headers`.
  @Test func video() throws {
    let set = try parse(HEVCVectors.sequence422)
    #expect(set.profileTierLevel.profileIDC == 4 && set.profileTierLevel.levelIDC == 60)
    #expect(set.profileTierLevel.compatibilityFlags == 0x0800_0000)
    #expect(set.profileTierLevel.constraintFlags == 0x9908_0000_0000)
    #expect(set.chromaFormat == 2 && set.chroma == .yuv422)
    #expect(set.codedWidth == 72 && set.codedHeight == 56 && set.width == 70 && set.height == 50)
    #expect(set.lumaBitDepth == 12 && set.chromaBitDepth == 12)
    let usability = try #require(set.usability)
    #expect(
      usability.cicp == CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    #expect(usability.chromaSampleLocation == 2 && usability.chromaLocation == .topLeft)
    #expect(!set.usesRangeExtensions && set.temporalLayerCount == 1 && set.isTemporalIDNested)
  }

  @Test func stillPicture() throws {
    var reader = ByteReader(hex(HEVCVectors.configuration420).span)
    try reader.skip(8)
    let set = try HEVCConfigurationBox(parsing: &reader).sequenceParameterSet
    #expect(set.width == 64 && set.height == 64 && set.chroma == .yuv420)
    #expect(
      set.usability?.cicp
        == CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt601))
    #expect(set.lumaBitDepth == 10 && set.profileTierLevel.profileIDC == 4)
    #expect(set.profileTierLevel.constraintFlags == 0x9DB8_0000_0000)
  }

  /// A set with all syntax elements between the bit depths and the video usability information.
  static func fullSet(extensionFlags: UInt32 = 0) -> [UInt8] {
    var bits = BitWriter()
    bits.write(5, bits: 4)
    bits.write(2, bits: 3)  // Three temporal layers.
    bits.write(true)
    bits.write(0x02, bits: 8)
    bits.write(0x2000_0000, bits: 32)
    bits.write(0x9000, bits: 16)
    bits.write(0, bits: 32)
    bits.write(93, bits: 8)
    bits.write(true, true, false, true)  // Profile and level of layer 0, level of layer 1.
    bits.write(0, bits: 12)
    bits.write(0x02, bits: 8)
    bits.write(0x2000_0000, bits: 32)
    bits.write(0x9000, bits: 16)
    bits.write(0, bits: 32)
    bits.write(90, bits: 8)
    bits.write(60, bits: 8)
    bits.writeExpGolomb(3, 3)
    bits.write(false)
    bits.writeExpGolomb(1920, 1088)
    bits.write(true)
    bits.writeExpGolomb(1, 2, 3, 5)
    bits.writeExpGolomb(2, 1, 4)
    bits.write(true)
    for _ in 0..<3 { bits.writeExpGolomb(4, 2, 0) }
    bits.writeExpGolomb(0, 3, 0, 3, 1, 2)
    bits.write(true, true)  // Scaling lists: predicted, then with values.
    for size in 0..<4 {
      for matrix in 0..<(size == 3 ? 2 : 6) {
        bits.write(matrix % 2 == 1)
        guard matrix % 2 == 1 else {
          bits.writeExpGolomb(UInt32(matrix))
          continue
        }
        let count = min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)
        for index in 0..<count { bits.writeExpGolomb(UInt32(index % 7)) }
      }
    }
    bits.write(true, true, true)  // AMP, SAO, PCM.
    bits.write(0x77, bits: 8)
    bits.writeExpGolomb(0, 2)
    bits.write(true)
    bits.writeExpGolomb(3)
    bits.writeExpGolomb(2, 1)  // Set 0: three reference pictures.
    for delta: UInt32 in [0, 1, 4] {
      bits.writeExpGolomb(delta)
      bits.write(true)
    }
    // Set 1, predicted from set 0: two of four candidates are flagged; one of them has a difference
    // of 0 and is dropped.
    bits.write(true, false)
    bits.writeExpGolomb(0)
    bits.write(true, false, true, false, false, false, false)
    bits.write(true, true)  // Set 2, from set 1: two flags.
    bits.writeExpGolomb(1)
    bits.write(true, true)
    bits.write(true)  // Two long-term references, of 8 bits and a flag each.
    bits.writeExpGolomb(2)
    bits.write(0x155, bits: 9)
    bits.write(0x0AA, bits: 9)
    bits.write(true, true)
    bits.write(true)  // Video usability information.
    bits.write(true)
    bits.write(255, bits: 8)
    bits.write(0x0028_0021, bits: 32)
    bits.write(true, false)
    bits.write(true)
    bits.write(5, bits: 3)
    bits.write(false, true)
    bits.write(9, bits: 8)
    bits.write(18, bits: 8)
    bits.write(9, bits: 8)
    bits.write(true)
    bits.writeExpGolomb(1, 1)
    bits.write(false, false, false)
    bits.write(true)
    bits.writeExpGolomb(0, 2, 0, 2)
    bits.write(true)
    bits.write(1, bits: 32)
    bits.write(25, bits: 32)
    bits.write(true)
    bits.writeExpGolomb(7)
    bits.write(true)  // HRD parameters: NAL and VCL, with sub-picture parameters.
    bits.write(true, true, true)
    bits.write(0x3FFFF, bits: 19)
    bits.write(0, bits: 8 + 4 + 15)
    bits.write(true)  // Layer 0: fixed rate, two buffers.
    bits.writeExpGolomb(0, 1)
    for _ in 0..<4 {
      bits.writeExpGolomb(1, 2, 3, 4)
      bits.write(true)
    }
    bits.write(false, true)  // Layer 1: fixed within the sequence, one buffer.
    bits.writeExpGolomb(0, 0)
    for _ in 0..<2 {
      bits.writeExpGolomb(1, 2, 3, 4)
      bits.write(false)
    }
    bits.write(false, false, true)  // Layer 2: not fixed, low delay.
    for _ in 0..<2 {
      bits.writeExpGolomb(1, 2, 3, 4)
      bits.write(false)
    }
    bits.write(true, false, true, false)
    bits.writeExpGolomb(77, 2, 1, 15, 15)
    bits.write(extensionFlags > 0)
    if extensionFlags > 0 {
      bits.write(0x80, bits: 8)
      bits.write(extensionFlags, bits: 9)
    }
    return bits.bytes
  }

  @Test(arguments: [0, 1, 0x100] as [UInt32])
  func allBranches(extensionFlags: UInt32) throws {
    let unit = try HEVCNALUnit(
      header: [0x42, 0x01], rbsp: Self.fullSet(extensionFlags: extensionFlags))
    let set = try HEVCSequenceParameterSet(parsing: unit)
    #expect(set.videoParameterSetID == 5 && set.id == 3 && set.temporalLayerCount == 3)
    #expect(set.profileTierLevel.profileIDC == 2 && set.profileTierLevel.levelIDC == 93)
    #expect(set.chroma == .yuv444 && set.lumaBitDepth == 10 && set.chromaBitDepth == 9)
    #expect(
      set.conformanceWindow == HEVCSequenceParameterSet.Window(left: 1, right: 2, top: 3, bottom: 5)
    )
    #expect(
      set.usability?.cicp
        == CICP(primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, isFullRange: false))
    #expect(set.usability?.chromaLocation == .center)
    #expect(set.usability?.minimumSpatialSegmentation == 77)
    #expect(set.usesRangeExtensions == (extensionFlags > 0))
  }

  /// Truncations are rejected, and mutations do not crash.
  @Test func damage() throws {
    let payload = Self.fullSet(extensionFlags: 1)
    for length in 0..<payload.count - 4 {
      let unit = try HEVCNALUnit(header: [0x42, 0x01], rbsp: Array(payload.prefix(length)))
      #expect(throws: ImageError.self) { try HEVCSequenceParameterSet(parsing: unit) }
    }
    for broken in Damage.mutations(of: payload, count: 4000) {
      let unit = try HEVCNALUnit(header: [0x42, 0x01], rbsp: broken)
      _ = try? HEVCSequenceParameterSet(parsing: unit)
    }
  }

  @Test func windowThatLeavesNothing() throws {
    var bits = BitWriter()
    bits.write(1, bits: 8)
    bits.write(0, bits: 32)
    bits.write(0, bits: 32)
    bits.write(0, bits: 32)
    bits.writeExpGolomb(0, 1, 16, 16)
    bits.write(true)
    bits.writeExpGolomb(4, 4, 0, 0)
    let unit = try HEVCNALUnit(header: [0x42, 0x01], rbsp: bits.bytes)
    #expect {
      try HEVCSequenceParameterSet(parsing: unit)
    } throws: {
      ($0 as? ImageError)?.category == .malformed
    }
  }
}
