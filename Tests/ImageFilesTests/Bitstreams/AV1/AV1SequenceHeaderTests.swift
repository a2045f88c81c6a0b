// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("AV1 sequence headers") struct AV1SequenceHeaderTests {
  /// A 64x48 item written by avifenc 0.11.1 with aom: first bytes, content of `av1C`, and the
  /// requested bit depth, chroma subsampling, range and code points.
  struct StillPicture: Sendable {
    var item: String
    var configuration: String
    var depth: Int
    var chroma: ChromaSubsampling
    var cicp: CICP
  }

  static let stillPictures = [
    StillPicture(
      item: "12000A0958157FBD8D09120944", configuration: "81406800", depth: 12, chroma: .yuv422,
      cicp: CICP(
        primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, isFullRange: false)),
    StillPicture(
      item: "12000A0938157FBD8C04340080", configuration: "81204000", depth: 10, chroma: .yuv444,
      cicp: CICP(primaries: .bt709, transfer: .srgb, matrix: .identity)),
    StillPicture(
      item: "12000A0918157FBD8612201340", configuration: "81001C00", depth: 8, chroma: .yuv400,
      cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)),
    StillPicture(
      item: "12000A0918157FBD8A12201308", configuration: "81004C00", depth: 10, chroma: .yuv420,
      cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)),
  ]

  @Test(arguments: stillPictures)
  func stillPicture(_ expected: StillPicture) throws {
    let header = try AV1SequenceHeader(ofItem: hex(expected.item))
    #expect(header.isStillPicture && header.isReduced)
    #expect(header.maximumWidth == 64 && header.maximumHeight == 48)
    #expect(header.bitDepth == expected.depth && header.chroma == expected.chroma)
    #expect(header.cicp == expected.cicp)
    #expect(header.chromaSamplePosition == 0 && !header.hasFilmGrain)
    let box = AV1ConfigurationBox(header)
    #expect(box.contentBytes == hex(expected.configuration))
    #expect(box.inconsistentFields(with: header).isEmpty)
  }

  /// Written by ffmpeg 5.1 with aom; fields as printed by its `trace_headers`.
  @Test func video() throws {
    let header = try AV1SequenceHeader(ofItem: hex("12000A0D000000032C5C4DAF9509100984"))
    #expect(!header.isStillPicture && !header.isReduced && header.profile == 0)
    #expect(header.widthBits == 7 && header.heightBits == 6)
    #expect(header.maximumWidth == 70 && header.maximumHeight == 50)
    #expect(header.bitDepth == 10 && header.chroma == .yuv420)
    #expect(
      header.cicp == CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
  }

  /// A header with timing, decoder model and two operating points.
  static func fullHeader() -> [UInt8] {
    var bits = BitWriter()
    bits.write(0, bits: 3)
    bits.write(false, false, true)
    bits.write(1, bits: 32)
    bits.write(25, bits: 32)
    bits.write(true)
    bits.writeExpGolomb(0)
    bits.write(true)
    bits.write(9, bits: 5)
    bits.write(1, bits: 32)
    bits.write(0x155, bits: 10)
    bits.write(true)
    bits.write(1, bits: 5)
    for (layers, level, tier) in [(0x301, 13, true), (0x101, 4, false)] as [(UInt32, UInt32, Bool)]
    {
      bits.write(layers, bits: 12)
      bits.write(level, bits: 5)
      if level > 7 { bits.write(tier) }
      bits.write(true)
      bits.write(0x15555, bits: 21)
      bits.write(true)
      bits.write(7, bits: 4)
    }
    bits.write(9, bits: 4)
    bits.write(8, bits: 4)
    bits.write(999, bits: 10)
    bits.write(499, bits: 9)
    bits.write(true)
    bits.write(0x55, bits: 7)
    bits.write(true, true, true)
    bits.write(true, true, true, true)
    bits.write(false)
    bits.write(false, true, true)  // Screen content tools forced, integer motion per frame.
    bits.write(false, true, false)
    bits.write(true, false, false)
    bits.write(true)
    bits.write(1, bits: 2)
    bits.write(false, true)
    return bits.bytes
  }

  @Test func allBranches() throws {
    let payload = Self.fullHeader()
    let header = try AV1SequenceHeader(ofItem: [0x0A, UInt8(payload.count)] + payload)
    #expect(header.level == 13 && header.isHighTier && header.operatingPoints == [3, 1])
    #expect(header.maximumWidth == 1000 && header.maximumHeight == 500)
    #expect(header.bitDepth == 10 && header.chroma == .yuv420 && header.hasFilmGrain)
    #expect(header.chromaSamplePosition == 1 && header.cicp.isFullRange)
    #expect(header.cicp.primaries == .unspecified)
  }

  @Test func damage() throws {
    let payload = Self.fullHeader()
    for length in 0..<payload.count - 1 {
      #expect(throws: ImageError.self) {
        try AV1SequenceHeader(ofItem: [0x0A, UInt8(length)] + payload.prefix(length))
      }
    }
    for broken in Damage.mutations(of: payload, count: 2000) {
      _ = try? AV1SequenceHeader(ofItem: [0x0A, UInt8(broken.count)] + broken)
    }
    #expect(throws: ImageError.self) { try AV1SequenceHeader(ofItem: hex("1200")) }
    #expect(throws: ImageError.self) { try AV1SequenceHeader(ofItem: hex("0A0160")) }
  }

  @Test func disagreement() throws {
    let header = try AV1SequenceHeader(ofItem: hex(Self.stillPictures[3].item))
    var box = AV1ConfigurationBox(header)
    box.isHighBitDepth = false
    box.chromaSamplePosition = 2
    #expect(
      box.inconsistentFields(with: header) == ["high_bitdepth", "chroma_sample_position"])
  }
}
